/** Identifies objects by their ids. The service gives no id twice, so an id tells objects and tenants apart. */
import type { Values } from "../impact/model";
import { kindOf, kinds } from "../kinds/kinds";
import { importOf, readData } from "./objects";
import { priorResources, type Plan, type ResourceChange } from "./plan";

/** `network_acls acl_…`; undefined where the values do not tell. */
export function identityOf(type: string, values: Values | null | undefined): string | undefined {
  const kind = kindOf(type);
  const id = kind && values?.[kind.identity.attribute];
  return typeof id === "string" && id !== "" ? `${kind!.family} ${id}` : undefined;
}

/** The identity of an object that the plan imports, even if the plan does not show its values. */
export function importedAs({ type, change }: Pick<ResourceChange, "type" | "change">): string | undefined {
  const { importId } = importOf(change);
  const kind = kindOf(type);
  return kind && importId !== undefined ? identityOf(type, { [kind.identity.attribute]: importId }) : undefined;
}

/** The noun for the object, and its id. */
export function partsOf(identity: string): { readonly noun: string; readonly id: string } {
  const end = identity.indexOf(" ");
  const kind = kinds.find(({ family }) => family === identity.slice(0, end));
  return { noun: kind!.identity.noun, id: identity.slice(end + 1) };
}

/** The identities of all objects in the plan: managed, or read by data sources. */
export function identitiesIn(plan: Plan): Set<string> {
  const isOwn = ({ address }: { readonly address: string }) => !plan.unplaced?.has(address);
  const changes = [...plan.resource_changes, ...plan.resource_drift].filter(isOwn);
  const found = [
    ...changes.flatMap(({ type, change }) => [
      identityOf(type, change.before),
      // A new object has no id yet, but an organization exists before its members.
      ...(kindOf(type)?.list ? [identityOf(type, change.after)] : []),
      importedAs({ type, change }),
    ]),
    ...priorResources(plan)
      .filter(isOwn)
      .map(({ type, values }) => identityOf(type, values)),
    ...kinds.flatMap(({ type, dataSource }) =>
      readData(plan, dataSource.type)
        .flatMap((values) => (dataSource.objects ? ((values[dataSource.objects] ?? []) as Values[]) : []))
        .map((one) => identityOf(type, one)),
    ),
  ];
  return new Set(found.filter((identity) => identity !== undefined));
}
