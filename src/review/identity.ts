/** Identifies objects by their ids. The service gives no id twice, so an id tells objects and tenants apart. */
import type { Values } from "../impact/model";
import { importOf, readData } from "./objects";
import { priorResources, type Plan, type ResourceChange } from "./plan";
import { familyOfType } from "./scopes";

/** The attribute that holds the id; the members of an organization are one object. */
const attributes: Readonly<Record<string, string>> = {
  network_acls: "id",
  network_acl_keys: "id",
  rate_limit_policies: "id",
  organization_members: "organization_id",
};

/** `network_acls acl_…`; undefined where the values do not tell. */
export function identityOf(type: string, values: Values | null | undefined): string | undefined {
  const family = familyOfType[type];
  const id = family === undefined ? undefined : values?.[attributes[family]!];
  return typeof id === "string" && id !== "" ? `${family} ${id}` : undefined;
}

/** The identity of an object that the plan imports, even if the plan does not show its values. */
export function importedAs({ type, change }: Pick<ResourceChange, "type" | "change">): string | undefined {
  const { importId } = importOf(change);
  const attribute = attributes[familyOfType[type] ?? ""];
  return importId === undefined || attribute === undefined ? undefined : identityOf(type, { [attribute]: importId });
}

/** The noun for the object, and its id. */
export function partsOf(identity: string): { readonly noun: string; readonly id: string } {
  const end = identity.indexOf(" ");
  return { noun: nouns[identity.slice(0, end)]!, id: identity.slice(end + 1) };
}

const nouns: Readonly<Record<string, string>> = {
  network_acls: "network ACL",
  network_acl_keys: "network ACL key",
  rate_limit_policies: "rate limit policy",
  organization_members: "organization",
};

const lists = {
  tenant_network_acls: "network_acls",
  tenant_network_acl_keys: "keys",
  tenant_rate_limit_policies: "rate_limit_policies",
} as const;

/** The identities of all objects in the plan: managed, or read by data sources. */
export function identitiesIn(plan: Plan): Set<string> {
  const isOwn = ({ address }: { readonly address: string }) => !plan.unplaced?.has(address);
  const changes = [...plan.resource_changes, ...plan.resource_drift].filter(isOwn);
  const found = [
    ...changes.flatMap(({ type, change }) => [
      identityOf(type, change.before),
      // A new object has no id yet; an organization exists before its members.
      ...(familyOfType[type] === "organization_members" ? [identityOf(type, change.after)] : []),
      importedAs({ type, change }),
    ]),
    ...priorResources(plan)
      .filter(isOwn)
      .map(({ type, values }) => identityOf(type, values)),
    ...Object.entries(lists).flatMap(([type, property]) =>
      readData(plan, type)
        .flatMap((values) => (values[property] ?? []) as Values[])
        .map((one) => identityOf(type, one)),
    ),
  ];
  return new Set(found.filter((identity) => identity !== undefined));
}
