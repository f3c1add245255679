/** Reads one side of a comparison from a plan, a state, a synthesized stack, or HCL files. */
import { readdirSync, statSync } from "node:fs";
import { andWords } from "../impact/phrases";
import type { Values } from "../impact/model";
import { kindOf } from "../kinds/kinds";
import { ReviewError } from "../review/error";
import type { Edge } from "../review/input/input";
import { objectsOf } from "../review/objects";
import { configurationFiles } from "../hcl/files";
import { priorResources, type ConfigModule, type Plan } from "../review/input/plan";
import { bare } from "../review/share";
import { readInput } from "../review/test-command/inputs";
import { tenantsIn } from "../review/tenants";
import { hclIn, type HclFolder } from "./hcl";
import type { Side, SideObject } from "./side";

export async function readSide(name: string, edge: Edge): Promise<Side> {
  const folder = hclIn(name);
  if (folder) return sideOfHcl(name, folder);
  if (name.endsWith(".ts")) {
    throw new ReviewError(
      `${name} is a program. Run \`cdktf synth\`, and compare the folder of its stack in cdktf.out.`,
    );
  }
  const named = await readInput(name, edge);
  const tenants = tenantsIn(named);
  if (tenants.length > 1) {
    const names = tenants.map((tenant) => tenant.name).join(", ");
    throw new ReviewError(
      `${name} has objects of several tenants (${names}). Give a plan, a state or a stack of one tenant.`,
    );
  }
  return sideOfPlans(name, tenants[0]!.plans, filesBeside(name));
}

/** Terraform reads them together with a synthesized stack. */
function filesBeside(name: string): string[] {
  if (statSync(name, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const files = readdirSync(name);
  return files.includes(stackFile) ? configurationFiles(files).filter((file) => file !== stackFile) : [];
}

const stackFile = "cdk.tf.json";

function sideOfPlans(name: string, plans: readonly Plan[], beside: readonly string[]): Side {
  const objects = plans.flatMap((plan) => objectsOf(plan)).filter(({ after, isDeposed }) => after && !isDeposed);
  const cut = plans.filter(({ complete, errored }) => complete === false || errored === true);
  const others = plans.flatMap(({ resource_changes: changes }) =>
    changes
      .filter(({ mode = "managed", change }) => mode === "managed" && change.after !== null)
      .map(({ type }) => type),
  );
  const names = organizationNames(plans);
  const unread = [
    ...beside.map((file) => `${file} is not read`),
    ...cut.map(() => "the plan is incomplete"),
    ...plans.flatMap(({ incomplete }) => incomplete ?? []),
    ...plans.flatMap(({ unplanned = [] }) => unplanned.map((stack) => `stack ${stack} has no plan`)),
  ];
  return {
    name,
    objects: objects.map(({ type, address, after, afterSensitive }): SideObject => {
      const organization = names.byId.get(String(after!["organization_id"])) ?? names.bySet.get(bare(address));
      return {
        kind: kindOf(type)!,
        label: address,
        values: withEntries(type, after!),
        ...(organization !== undefined && { organization }),
        ...(afterSensitive !== undefined && { sensitive: afterSensitive }),
      };
    }),
    unknown: [...unread.map((reason) => othersOf(name, reason)), ...unreadKinds(others, name)],
    unread: [],
    isTenant: false,
    isPartial: unread.length > 0,
  };
}

/** A resource of the Go provider may hold one member. */
function withEntries(type: string, values: Values): Values {
  const kind = kindOf(type)!;
  if (kind.goProvider.some((theirs) => theirs.type === type && theirs.entry === "user_id"))
    return { organization_id: values["organization_id"], members: [values["user_id"]], exclusive: false };
  return values;
}

/** Kinds of a tenant that this version does not compare. */
function unreadKinds(types: readonly string[], name: string): string[] {
  const found = [...new Set(types.filter((type) => /^(?:tenant|auth0)_/.test(type) && !kindOf(type)))];
  const expected = found.filter((type) => !["tenant_expectations", organizationType].includes(type));
  return expected.length === 0
    ? []
    : [`${andWords(expected.slice(0, 5))} in ${name}, which this version does not read`];
}

function sideOfHcl(name: string, { resources, unread }: HclFolder): Side {
  return {
    name,
    objects: resources.flatMap(({ type, address, values }) => {
      const kind = kindOf(type);
      return kind ? [{ kind, label: address, values: withEntries(type, values) }] : [];
    }),
    unknown: [
      ...unread.map((reason) => othersOf(name, reason)),
      ...unreadKinds(
        resources.map(({ type }) => type),
        name,
      ),
    ],
    unread: [],
    isTenant: false,
    isPartial: unread.length > 0,
  };
}

const othersOf = (name: string, reason: string) => `the other objects of ${name}: ${reason}`;

/** The resource and the data source of the Go provider. */
const organizationType = "auth0_organization";

interface OrganizationNames {
  readonly byId: ReadonlyMap<string, string>;
  /** Address of a member set without its indexes -> the name of the organization that its expression refers to. */
  readonly bySet: ReadonlyMap<string, string>;
}

/** Each tenant gives an organization another id. */
function organizationNames(plans: readonly Plan[]): OrganizationNames {
  const [byId, bySet] = [new Map<string, string>(), new Map<string, string>()];
  for (const plan of plans) {
    const byAddress = new Map<string, string | undefined>();
    for (const { address, values } of organizationsIn(plan)) {
      const [id, name] = [textIn(values, "id"), textIn(values, "name")];
      if (id !== undefined && name !== undefined) byId.set(id, name);
      // A reference does not tell which one of several instances it means.
      const key = bare(address);
      byAddress.set(key, byAddress.has(key) && byAddress.get(key) !== name ? undefined : name);
    }
    for (const [set, organization] of referencesIn(plan.configuration?.root_module, "")) {
      const name = byAddress.get(organization);
      if (name !== undefined) bySet.set(set, name);
    }
  }
  return { byId, bySet };
}

interface Found {
  readonly address: string;
  readonly values: Values;
}

/** The later ones replace the earlier ones. */
function organizationsIn(plan: Plan): Found[] {
  const isOrganization = ({ type }: { readonly type: string }) => type === organizationType;
  return [
    ...configuredIn(plan.configuration?.root_module, ""),
    ...priorResources(plan).filter(isOrganization),
    ...plan.resource_changes
      .filter((one) => isOrganization(one) && one.change.after !== null)
      .map(({ address, change }) => ({ address, values: { ...change.before, ...withoutNull(change.after!) } })),
  ];
}

const withoutNull = (values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

function configuredIn(module: ConfigModule | undefined, prefix: string): Found[] {
  const own = (module?.resources ?? []).filter(({ address }) => typeIn(address) === organizationType);
  return [
    ...own.map(({ address, expressions }) => {
      const name = isValues(expressions) && isValues(expressions["name"]) ? expressions["name"]["constant_value"] : "";
      return { address: prefix + address, values: { name } };
    }),
    ...calls(module).flatMap(([name, below]) => configuredIn(below, `${prefix}module.${name}.`)),
  ];
}

const typeIn = (address: string) => address.replace(/^data\./, "").split(".")[0];

/** Address of a resource -> address of the organization that its `organization_id` is. */
function referencesIn(module: ConfigModule | undefined, prefix: string): [string, string][] {
  return [
    ...(module?.resources ?? []).flatMap(({ address, expressions }): [string, string][] => {
      const id = isValues(expressions) ? expressions["organization_id"] : undefined;
      const references = isValues(id) && Array.isArray(id["references"]) ? (id["references"] as unknown[]) : [];
      const [reference] = references.filter(
        (one) => typeof one === "string" && /^(?:data\.)?[\w-]+\.[\w-]+\.id$/.test(one),
      );
      const isOnly = references.every((one) => one === reference || `${String(one)}.id` === reference);
      return typeof reference === "string" && isOnly ? [[prefix + address, prefix + reference.slice(0, -3)]] : [];
    }),
    ...calls(module).flatMap(([name, below]) => referencesIn(below, `${prefix}module.${name}.`)),
  ];
}

const calls = (module: ConfigModule | undefined): [string, ConfigModule | undefined][] =>
  Object.entries(module?.module_calls ?? {}).map(([name, { module: below }]) => [name, below]);

const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function textIn(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
