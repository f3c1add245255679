/** Shows one change to each channel, and reads the codes that the channel reports. */
import type { Construct } from "constructs";
import { NetworkAcl, NetworkAclKey, OrganizationMemberSet, RateLimitPolicy } from "../../../src/constructs";
import { isList, isObject, unknown } from "../../../src/cty/value";
import type { Code } from "../../../src/impact/effect";
import type { Marks, Values } from "../../../src/impact/model";
import { reviewPlans, type Review } from "../../../src/review/review";
import { openProject } from "../../constructs/support/project";
import { change as planned, plan } from "../../review/support/plan";
import type { PlannedValues, Reviewing, Said } from "../../resources/support/reviewing";
import { storedIn, type Change, type Kind, type Resource } from "./changes";

/** One message of a channel with a code. */
export interface Report {
  readonly code: Code;
  readonly severity: "error" | "warning";
  /** The resource that the channel marks; left out: the text names the resources. */
  readonly address?: string;
  readonly text: string;
}

const addressOf = ({ kind, name }: Resource) => `tenant_${kind}.${name}`;

const codesIn = (text: string) => [...text.matchAll(/\[(TNF-[A-Z-]+)\]/g)].map(([, code]) => code as Code);

function reportsIn(text: string, severity: Report["severity"], address?: string): Report[] {
  return codesIn(text).map((code) => ({ code, severity, text, ...(address !== undefined && { address }) }));
}

type Make = new (scope: Construct, id: string, config: never) => Construct & { importFrom(id: string): void };
const constructs: Record<Kind, Make> = {
  network_acl: NetworkAcl,
  network_acl_key: NetworkAclKey,
  rate_limit_policy: RateLimitPolicy,
  organization_member_set: OrganizationMemberSet,
};

/** The annotations of a stack that has the resources of the change. */
export function synthReports({ resources }: Change): Report[] {
  const project = openProject();
  try {
    const addresses = new Map<string, string>();
    for (const resource of resources) {
      const { kind, name, config, id, isImported } = resource;
      if (!config) continue;
      const made = new constructs[kind](project.stack, name, inCamelCase(config) as never);
      if (isImported) made.importFrom(id!);
      addresses.set(made.node.path, addressOf(resource));
    }
    const errors = project.complaints().flatMap((text) => reportsIn(text, "error"));
    const warnings = project.warnings().flatMap((text) => {
      return reportsIn(text, "warning", addresses.get(text.slice(0, text.indexOf(":"))));
    });
    return [...errors, ...warnings];
  } finally {
    project.close();
  }
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
export async function planAndReview(
  reviewing: Reviewing,
  change: Change,
): Promise<{ plan: Report[]; said: Said; review: Review }> {
  seed(reviewing, change);
  const { resources, protectedRequest, settings: more = {} } = change;
  const objects = resources.map((resource) => {
    const { kind, config, before, id } = resource;
    const prior = before && { ...storedIn(resource), ...(kind === "organization_member_set" && { id: undefined }) };
    return {
      kind,
      ...(config && { config }),
      ...(prior && { prior: { ...prior, ...(id && kind !== "organization_member_set" && { id }) } }),
    };
  });
  const settings = {
    plan_warnings: "all",
    ...more,
    ...(protectedRequest.length > 0 && { protected_request: protectedRequest }),
  };
  const said = await reviewing.planWithValues(objects, settings);
  return { plan: reportsOf(said), said, review: reviewOf(reviewing, change, said.values) };
}

/** A message that lists several objects has one line for each. */
function reportsOf({ errors, warnings }: Said): Report[] {
  const read = (said: Said["errors"], severity: Report["severity"]) =>
    said.flatMap(({ summary, detail = "" }) => {
      const lines = detail.split("\n").filter((line) => line.startsWith("- "));
      if (lines.length > 0) return lines.flatMap((line) => reportsIn(line, severity));
      return reportsIn(`${summary}: ${detail}`, severity);
    });
  // The effects of the plan are compared as a whole.
  const others = warnings.filter(({ summary }) => !/^[✖●○] /.test(summary!));
  return [...read(errors, "error"), ...read(others, "warning")];
}

function reviewOf({ emulator }: Reviewing, change: Change, values: readonly PlannedValues[]): Review {
  const { resources, protectedRequest, members, settings = {} } = change;
  const changes = resources.map((resource, index) => {
    const { before, after, replaced } = values[index]!;
    const { isImported, id } = resource;
    return planned(addressOf(resource), before as Values | null, known(after) as Values | null, {
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

/** The texts by which messages call a resource. */
export function namesOf(resource: Pick<Resource, "kind" | "id" | "before"> & Partial<Resource>): string[] {
  const { kind, name, id, before, config } = resource;
  const own = {
    network_acl: "description",
    network_acl_key: "name",
    rate_limit_policy: "consumer_selector",
    organization_member_set: "organization_id",
  }[kind];
  const called = [before, config].flatMap((content) => content?.[own] ?? []);
  return [...(name ? [`stack/${name}`, `tenant_${kind}.${name}`] : []), ...(id ? [id] : []), ...called.map(String)];
}

/** Whether the text names one of them as a whole word. */
export function isNamedIn(text: string, names: readonly string[]): boolean {
  return names.some((name) =>
    text.split(name).some((before, index, parts) => {
      const after = parts[index + 1];
      return after !== undefined && !/[\w-]$/.test(before) && !/^[\w-]/.test(after);
    }),
  );
}
