/** Shows one change to each channel, and reads the codes that the channel reports. */
import type { Construct } from "constructs";
import { NetworkAcl, NetworkAclKey, OrganizationMemberSet, RateLimitPolicy } from "../../../../src/constructs";
import { isList, isObject, unknown } from "../../../../src/formats/cty/value";
import type { Code } from "../../../../src/judge/impact/effect";
import type { Marks, Values } from "../../../../src/judge/impact/model";
import type { Review } from "../../../../src/review/judge/review";
import { openProject } from "../../../constructs/support/project";
import { change as planned, plan, reviewPlans } from "../../../review/support/plan";
import type { PlannedValues, Reviewing, Said } from "../../../provider/resources/support/reviewing";
import { storedIn, type Change, type Kind } from "./changes";

const codesIn = (text: string) => [...text.matchAll(/\[(TNF-[A-Z-]+)\]/g)].map(([, code]) => code as Code);

type Make = new (scope: Construct, id: string, config: never) => Construct & { importFrom(id: string): void };
const constructs: Record<Kind, Make> = {
  network_acl: NetworkAcl,
  network_acl_key: NetworkAclKey,
  rate_limit_policy: RateLimitPolicy,
  organization_member_set: OrganizationMemberSet,
};

/** The codes in the annotations of a stack that has the resources of the change. */
export function synthCodes({ resources }: Change): Code[] {
  const project = openProject();
  for (const { kind, name, config, id, isImported } of resources) {
    if (!config) continue;
    const made = new constructs[kind](project.stack, name, inCamelCase(config) as never);
    if (isImported) made.importFrom(id!);
  }
  return [...project.complaints(), ...project.warnings()].flatMap(codesIn);
}

function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  if (typeof value === "symbol") return ["${var.known_after_apply}"];
  if (typeof value !== "object" || value === null) return value;
  const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [camel(name), inCamelCase(part)]));
}

/** Puts the objects before the change onto the embedded tenant. */
function seed({ emulator }: Reviewing, { resources, unmanaged, members }: Change): void {
  emulator.reset();
  const { store } = emulator;
  for (const object of [...resources, ...unmanaged]) {
    if (!object.before || object.kind === "organization_member_set") continue;
    const stored = storedIn(object) as never;
    if (object.kind === "network_acl") store.networkAcls.put(stored);
    else if (object.kind === "network_acl_key") store.networkAclKeys.put(stored);
    else store.rateLimitPolicies.put(stored);
  }
  for (const [id, ids] of members) {
    store.addOrganization({ id, name: id.toLowerCase() });
    store.addMembers(id, ids);
  }
}

/** The diagnostics of the provider, and the review of the JSON of the same plan. */
export async function planAndReview(reviewing: Reviewing, change: Change): Promise<{ said: Said; review: Review }> {
  seed(reviewing, change);
  const { resources, protectedRequest, settings: more = {} } = change;
  const objects = resources.map((resource) => {
    const { kind, config, before, id, isTainted } = resource;
    const prior = before && { ...storedIn(resource), ...(kind === "organization_member_set" && { id: undefined }) };
    return {
      kind,
      ...(config && { config }),
      ...(isTainted && { isTainted }),
      ...(prior && { prior: { ...prior, ...(id && kind !== "organization_member_set" && { id }) } }),
    };
  });
  const guarded = protectedRequest.length > 0 && { protected_request: protectedRequest };
  const settings = { plan_warnings: "info", ...more, ...guarded };
  const said = await reviewing.planWithValues(objects, settings);
  return { said, review: reviewOf(reviewing, change, said.values) };
}

/** The codes of the diagnostics, without the lines of the plan warning. */
export const planCodes = ({ errors, warnings }: Said): Code[] =>
  [...errors, ...warnings.filter(({ summary }) => !/^[✖●○] /.test(summary!))].flatMap(({ summary, detail }) =>
    codesIn(`${summary}: ${detail}`),
  );

function reviewOf({ emulator }: Reviewing, change: Change, values: readonly PlannedValues[]): Review {
  const { resources, protectedRequest, members, settings = {} } = change;
  const changes = resources.map((resource, index) => {
    const { before, after, replaced } = values[index]!;
    const { isImported, id } = resource;
    return planned(`tenant_${resource.kind}.${resource.name}`, before as Values | null, known(after) as Values | null, {
      unknown: (marksOf(after) as Marks | undefined) ?? {},
      ...(replaced && { actions: ["delete", "create"] }),
      ...(isImported && { importing: { id: id! } }),
    });
  });
  const provider = {
    name: "tenant",
    expressions: expressionsOf({
      endpoint: "http://127.0.0.1",
      client_id: emulator.clientId,
      ...settings,
      ...(protectedRequest.length > 0 && { protected_request: protectedRequest }),
    }),
  };
  const { store } = emulator;
  return reviewPlans(
    "plan",
    [plan(changes, { terraform_version: "1.11.4", configuration: { provider_config: { tenant: provider } } })],
    {
      remote: {
        network_acl_keys: store.networkAclKeys.values() as unknown as Values[],
        network_acls: store.networkAcls.values() as unknown as Values[],
        rate_limit_policies: store.rateLimitPolicies.values() as unknown as Values[],
        organization_members: members,
      },
    },
  );
}

const blocks: ReadonlySet<string> = new Set("protected_request expectation request except policy members".split(" "));

/** A block as plans show it, if all its values are constants. */
export const expressionsOf = (values: object): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => [
      name,
      blocks.has(name) ? [value].flat().map((one) => expressionsOf(one as object)) : { constant_value: value },
    ]),
  );

/** Terraform writes null for values that are known only after the apply, and marks them separately. */
function known(value: unknown): unknown {
  if (value === unknown) return null;
  if (isList(value)) return value.map(known);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, known(part)]));
}

function marksOf(value: unknown): unknown {
  if (value === unknown) return true;
  if (isList(value)) return value.map((part) => marksOf(part) ?? false);
  if (!isObject(value)) return undefined;
  const marked = Object.entries(value).map(([name, part]) => [name, marksOf(part)] as const);
  return Object.fromEntries(marked.filter(([, mark]) => mark !== undefined));
}
