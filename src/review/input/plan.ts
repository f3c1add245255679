/** The parts of a plan's JSON that the review reads, as `terraform show -json` and `tofu show -json` write it. */
import { jsonIn } from "../../formats/text/record";
import type { Code } from "../../judge/codes/codes";
import * as z from "zod";
import type { Marks, Values } from "../../judge/impact/model";
import type { Place } from "../../judge/impact/cause";
import { UserError } from "../../formats/text/user-error";
import type { Block } from "../../formats/hcl/tree";

// Each part of a plan with its form, so that a strange plan ends in one line.

const object = z.looseObject({});
const string = z.string().optional();
const anything = z.unknown().optional();
const marks = z.custom<Marks>().optional();
const values = object.nullish() as z.ZodType<Values | null>;

/** A list of these. Zod would copy each of its entries, of which a plan may have 100,000. */
const listOf = <One extends z.ZodType>(one: One) =>
  z.custom<readonly z.infer<One>[]>((list) => Array.isArray(list) && list.every((part) => one.safeParse(part).success));

const resourceChange = z.object({
  address: z.string(),
  previous_address: string,
  mode: string,
  type: z.string(),
  deposed: string,
  change: z.object({
    actions: z.array(z.string()),
    before: values,
    after: values,
    after_unknown: marks,
    before_sensitive: marks,
    after_sensitive: marks,
    /** `unknown`: the id is known only after another apply. */
    importing: z.object({ id: anything, identity: anything, unknown: anything }).nullish(),
  }),
});
export type ResourceChange = z.infer<typeof resourceChange>;

/** A change that Terraform leaves to a later plan, for a reason such as `provider_config_unknown`. */
const deferredChange = z.object({ reason: string, resource_change: resourceChange.optional() });
export type DeferredChange = z.infer<typeof deferredChange>;

const stateResource = z.object({
  address: z.string(),
  mode: string,
  type: z.string(),
  values: object.nullish() as z.ZodType<Values>,
  sensitive_values: marks,
  deposed_key: z.custom<string>().optional(),
});
export type StateResource = z.infer<typeof stateResource>;

const stateModule = z.object({
  resources: listOf(stateResource).optional(),
  get child_modules() {
    return z.array(stateModule).optional();
  },
});
export type Module = z.infer<typeof stateModule>;

/** `address`: within the module, without indexes. */
const configResource = z.object({
  address: z.string(),
  provider_config_key: string,
  expressions: anything,
  provisioners: z.array(z.unknown()).optional(),
});
export type ConfigResource = z.infer<typeof configResource>;

const configModule = z.object({
  resources: z.array(configResource).optional(),
  get module_calls() {
    return z.record(z.string(), z.object({ source: anything, module: configModule.optional() })).optional();
  },
  variables: z.record(z.string(), z.object({ sensitive: anything })).optional(),
});
export type ConfigModule = z.infer<typeof configModule>;

/** An attribute is an expression. A block holds expressions, and there may be several. */
const expression = z.union([object, z.array(z.unknown())]);
const block = z
  .record(z.string(), object)
  .refine((one) => !["constant_value", "references"].some((name) => name in one));
const blocks = z.union([block, z.array(block)]).optional();
const expectation = z
  .object({ name: object.optional(), request: blocks, except: blocks, policy: blocks, members: blocks })
  .catchall(expression);
const expressions: z.ZodType<Values> = z
  .object({
    protected_request: blocks,
    lockout_guard: object.optional(),
    expectation: z.union([expectation, z.array(expectation)]).optional(),
  })
  .catchall(expression);

/** `full_name`: `registry.terraform.io/auth0/auth0`. `module_address`: left out for the root module. */
const providerConfig = z.object({
  name: string,
  full_name: string,
  module_address: string,
  expressions: expressions.optional(),
});
export type ProviderConfig = z.infer<typeof providerConfig>;

const form = z.object({
  format_version: z.string(),
  terraform_version: string,
  complete: z.custom<boolean>().optional(),
  errored: z.custom<boolean>().optional(),
  resource_changes: listOf(resourceChange),
  resource_drift: listOf(resourceChange),
  deferred_changes: z.array(deferredChange).optional(),
  /** Terraform 1.14: what the apply runs beside changes of objects. */
  action_invocations: z.array(z.looseObject({ address: z.string(), type: z.string() })).optional(),
  prior_state: z.object({ values: z.object({ root_module: stateModule.optional() }).optional() }).optional(),
  variables: z.record(z.string(), z.object({ value: anything })).optional(),
  configuration: z
    .object({
      provider_config: z.record(z.string(), providerConfig).optional(),
      root_module: configModule.optional(),
    })
    .optional(),
});

/** An error of `terraform plan`. */
export interface RunError {
  readonly summary: string;
  /** Without line ends. */
  readonly detail: string;
  readonly address?: string;
  /** Of a message of Tenantform's provider. */
  readonly code?: Code;
  /** It has effects of a plan that failed with another message. */
  readonly isWarning?: true;
}

export interface Plan extends Readonly<z.infer<typeof form>> {
  /** The errors of the run of `terraform plan`, if it failed. */
  readonly errors?: readonly RunError[];
  /** What it stands for: a state has no provider blocks, and the objects of a synthesized stack may exist already. */
  readonly source?: "state" | "stack";
  /** A part of a synthesized stack of which only a plan shows the objects. */
  readonly incomplete?: string;
  /** Address of a resource without its indexes -> where the configuration declares it. */
  readonly places?: ReadonlyMap<string, Place>;
  /** Key of a provider configuration -> its blocks in the configuration files. Left out: the files were not found. */
  readonly provider_blocks?: ReadonlyMap<string, readonly Block[]>;
}

/** `name`: the name of the plan in error messages. */
export const parsePlan = (text: string, name: string): Plan => planOf(parseJson(text, name), name);

/**
 * Lines of other programs before and after the one line of `terraform show -json` are left out: a warning, or what a wrapper of Terraform
 * writes. `name`: of the text in error messages.
 */
export function parseJson(text: string, name: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "")
    throw new UserError(
      `${name} is empty: give the output of \`terraform show -json PLAN\`. For the tenant as it is: \`review --tenant --only expectations\`, or \`explain --tenant\`.`,
    );
  let read: unknown;
  try {
    read = JSON.parse(trimmed);
  } catch {
    read = documentWithin(trimmed, name);
  }
  // Other programs put a plan into an object.
  for (const key of ["terraform", "plan", "tfplan"]) {
    const part = (Object(read) as Values)[key];
    if ("format_version" in Object(part)) return part;
  }
  return read;
}

function documentWithin(trimmed: string, name: string): unknown {
  if (name.endsWith("cdk.tf.json")) throw new UserError(`${name} is not JSON: run \`cdktf synth\` again.`);
  const documents = trimmed.split("\n").flatMap((line) => (line.startsWith("{") ? (jsonIn(line.trim()) ?? []) : []));
  if (documents.length === 1) return documents[0];
  if (documents.some((one) => typeof one === "object" && one !== null && "@level" in one))
    throw noPlan(name, "is the stream of `terraform plan -json`, which `--plan-output` takes");
  if (documents.length > 1) throw noPlan(name, `holds ${documents.length} documents: write each plan to its own file`);
  throw new UserError(
    trimmed.startsWith("{")
      ? `${name} is incomplete or not JSON: give the whole output of \`terraform show -json PLAN\`.`
      : `${name} is no plan. Make one with \`terraform plan -out=plan\`, and give plan, or what \`terraform show -json plan\` prints.`,
  );
}

/** Names what a document is that is no plan, and what to do with it. */
function otherThan(read: object): string {
  if (Array.isArray(read)) return "is a list, not a plan: write each plan to its own file";
  if ("remote_plan_format" in read)
    return "is the bookmark of a plan in HCP Terraform: run `terraform show -json` in the folder that planned";
  if ("encrypted_data" in read)
    return "is an encrypted plan: run `tofu show -json` with the configuration that encrypted it";
  if ("@level" in read) return "is the stream of `terraform plan -json`, which `--plan-output` takes";
  return ["serial", "lineage", "values"].some((part) => part in read) ? "is a state, not a plan" : "is not a plan";
}

/** Takes only what the review knows. `name`: of the plan in error messages. */
export function planOf(read: unknown, name: string): Plan {
  if (typeof read !== "object" || read === null) throw noPlan(name, "is not a plan");
  if (!("planned_values" in read) && !("resource_changes" in read)) throw noPlan(name, otherThan(read));
  const { format_version: version } = read as Values;
  if (typeof version !== "string") throw noPlan(name, "is not a plan");
  if (!/^[01]\./.test(version)) {
    throw new UserError(
      `${name} has the plan format ${short(version)}, which this version does not know: it reads format 1.`,
    );
  }
  const parts = Object.entries({ resource_changes: [], resource_drift: [], ...read });
  // Takes nothing else: a plan must not set the properties that the review adds.
  const { data, error } = form.safeParse(Object.fromEntries(parts.filter(([, value]) => value !== null)));
  if (!data) throw noPlan(name, `is not a plan that can be read: ${String(error.issues[0]?.path[0])} has another form`);
  const known: Plan = data.deferred_changes?.length ? { ...data, complete: false } : data;
  // Nobody knows which object such an import takes over, so its change is not known.
  const isOpen = ({ change: { importing } }: ResourceChange) => importing?.unknown === true;
  if (!known.resource_changes.some(isOpen)) return known;
  const opens = known.resource_changes.filter(isOpen);
  return {
    ...known,
    complete: false,
    resource_changes: known.resource_changes.filter((one) => !isOpen(one)),
    deferred_changes: [
      ...(known.deferred_changes ?? []),
      ...opens.map((one) => ({ reason: "import_id_unknown", resource_change: one })),
    ],
  };
}

const noPlan = (name: string, what: string) =>
  new UserError(`${name} ${what}: give the output of \`terraform show -json PLAN\`, or a saved plan file.`);

function short(text: string): string {
  return JSON.stringify(text.length > 20 ? `${text.slice(0, 20)}…` : text);
}

/** All resources of a module, those of the modules in it too. */
export function resourcesOf({ resources = [], child_modules: modules = [] }: Module): StateResource[] {
  return [...resources, ...modules.flatMap(resourcesOf)];
}

/** All resources that the state holds. */
export const priorResources = (plan: Plan): StateResource[] =>
  resourcesOf(plan.prior_state?.values?.root_module ?? {}).map((one) => ({
    ...one,
    values: (one.values as Values | undefined) ?? {},
  }));

/** Address without indexes -> the resource as the configuration declares it, those of modules too. */
export function declaredIn({ configuration }: Plan): ReadonlyMap<string, ConfigResource> {
  const found = new Map<string, ConfigResource>();
  const within = ({ resources = [], module_calls: calls = {} }: ConfigModule, prefix: string) => {
    for (const one of resources) found.set(prefix + one.address, one);
    for (const [name, { module = {} }] of Object.entries(calls)) within(module, `${prefix}module.${name}.`);
  };
  within(configuration?.root_module ?? {}, "");
  return found;
}
