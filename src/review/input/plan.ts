/** The parts of a plan's JSON that the review reads, as `terraform show -json` and `tofu show -json` write it. */
import type { Marks, Values } from "../../impact/model";
import type { Place } from "../../impact/effect";
import type { LaterState } from "./saved-plan";
import { ReviewError } from "../error";
import type { Block } from "../../hcl/tree";

export interface ResourceChange {
  readonly address: string;
  readonly previous_address?: string;
  readonly mode: string;
  readonly type: string;
  readonly deposed?: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly before: Values | null;
    readonly after: Values | null;
    readonly after_unknown?: Marks;
    readonly before_sensitive?: Marks;
    readonly after_sensitive?: Marks;
    readonly importing?: { readonly id?: string; readonly identity?: Values } | null;
  };
}

export interface StateResource {
  readonly address: string;
  readonly mode: string;
  readonly type: string;
  readonly values: Values;
  readonly sensitive_values?: Marks;
  readonly deposed_key?: string;
}

export interface Module {
  readonly resources?: readonly StateResource[];
  readonly child_modules?: readonly Module[];
}

export interface Plan {
  /** The name of the plan in messages, if there are several plans. */
  readonly name?: string;
  /** The provider configurations of its tenant, if the plan is for several tenants. */
  readonly provider_configs?: readonly string[];
  /** Addresses of objects that may belong to another tenant. */
  readonly unplaced?: ReadonlySet<string>;
  /** Reasons why nothing about the tenant is proven, in sentences. */
  readonly uncertainties?: readonly string[];
  /** Stacks of the same project that have no plan. */
  readonly unplanned?: readonly string[];
  /** Configuration files that changed since the plan was made. */
  readonly changed_files?: readonly string[];
  /** The state next to the plan is newer than the plan. */
  readonly later_state?: LaterState;
  /** Why it may have other objects than those that it shows, as a clause. */
  readonly incomplete?: string;
  /** Address of a resource without its indexes -> where the configuration declares it. */
  readonly places?: ReadonlyMap<string, Place>;
  /** Provider configurations with a `dynamic "protected_request"` block, which plans leave out. */
  readonly dynamic_guards?: ReadonlySet<string>;
  /** Key of a provider configuration -> its blocks in the configuration files. Left out: the files were not found. */
  readonly provider_blocks?: ReadonlyMap<string, readonly Block[]>;
  readonly format_version: string;
  readonly terraform_version?: string;
  readonly complete?: boolean;
  readonly errored?: boolean;
  readonly resource_changes: readonly ResourceChange[];
  readonly resource_drift: readonly ResourceChange[];
  readonly prior_state?: { readonly values?: { readonly root_module?: Module } };
  readonly variables?: { readonly [name: string]: { readonly value?: unknown } };
  readonly configuration?: {
    readonly provider_config?: { readonly [key: string]: ProviderConfig };
    readonly root_module?: ConfigModule;
  };
}

export interface ConfigModule {
  /** With an address within the module, without indexes. */
  readonly resources?: readonly {
    readonly address: string;
    readonly provider_config_key?: string;
    readonly expressions?: unknown;
  }[];
  readonly module_calls?: { readonly [name: string]: { readonly source?: unknown; readonly module?: ConfigModule } };
  readonly variables?: { readonly [name: string]: { readonly sensitive?: boolean } };
}

export interface ProviderConfig {
  readonly name?: string;
  /** `registry.terraform.io/auth0/auth0`. */
  readonly full_name?: string;
  /** Left out: the root module. */
  readonly module_address?: string;
  readonly expressions?: { readonly [name: string]: unknown };
}

/** `name`: the name of the plan in error messages. */
export function parsePlan(text: string, name: string): Plan {
  const trimmed = text.trimStart().replace(/^\uFEFF/, "");
  if (trimmed === "") throw new ReviewError(`${name} is empty: give the output of \`terraform show -json PLAN\`.`);
  let read: unknown;
  try {
    read = JSON.parse(trimmed);
  } catch {
    const cut = trimmed.startsWith("{") ? "is incomplete or not JSON" : "is not JSON";
    throw new ReviewError(`${name} ${cut}: give the whole output of \`terraform show -json PLAN\`.`);
  }
  return checked(read, name);
}

function checked(read: unknown, name: string): Plan {
  if (typeof read !== "object" || read === null || Array.isArray(read)) throw noPlan(name, "is not a plan");
  const plan = read as Partial<Plan> & { readonly [other: string]: unknown };
  if ("serial" in plan || "lineage" in plan || ("values" in plan && !("resource_changes" in plan))) {
    throw noPlan(name, "is a state, not a plan");
  }
  const version = plan.format_version;
  if (typeof version !== "string") throw noPlan(name, "is not a plan");
  if (!/^[01]\./.test(version)) {
    throw new ReviewError(
      `${name} has the plan format ${short(version)}, which this version does not know: it reads format 1.`,
    );
  }
  if (!("planned_values" in plan) && !("resource_changes" in plan)) throw noPlan(name, "is not a plan");
  const { resource_changes = [], resource_drift = [] } = plan;
  // Takes nothing else: a plan must not set the properties that the review adds.
  const { terraform_version, errored, prior_state, variables, configuration, deferred_changes: deferred } = plan;
  const complete = Array.isArray(deferred) && deferred.length > 0 ? false : plan.complete;
  const rest = { terraform_version, complete, errored, prior_state, variables, configuration };
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== null));
  const known: Plan = { ...given, format_version: version, resource_changes, resource_drift };
  const strange = Object.entries(planParts).find(([part, hasForm]) => !hasForm(known[part as keyof Plan]))?.[0];
  if (strange !== undefined) throw noPlan(name, `is not a plan that can be read: ${strange} has another form`);
  return known;
}

const noPlan = (name: string, what: string) =>
  new ReviewError(`${name} ${what}: give the output of \`terraform show -json PLAN\`, or a saved plan file.`);

function short(text: string): string {
  return JSON.stringify(text.length > 20 ? `${text.slice(0, 20)}…` : text);
}

/** All resources that the state holds, those of modules too. */
export function priorResources(plan: Plan): StateResource[] {
  const within = (module: Module | undefined): StateResource[] => [
    ...(module?.resources ?? []).map((one) => ({ ...one, values: (one.values as Values | undefined) ?? {} })),
    ...(module?.child_modules ?? []).flatMap(within),
  ];
  return within(plan.prior_state?.values?.root_module);
}

/** Checks the form of a part of a plan, so that a strange plan ends in one line. */
type Shape = (value: unknown) => boolean;

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText: Shape = (value) => typeof value === "string";

const optional =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined || shape(value);

const listOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape);

const mapOf =
  (shape: Shape): Shape =>
  (value) =>
    isObject(value) && Object.values(value).every(shape);

const record =
  (properties: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    isObject(value) &&
    Object.entries(properties).every(([name, shape]) => shape((value as Readonly<Record<string, unknown>>)[name]));

const text = optional(isText);
const values: Shape = (value) => value === undefined || value === null || isObject(value);

const isChange = record({
  address: isText,
  type: isText,
  mode: text,
  previous_address: text,
  deposed: text,
  change: record({ actions: listOf(isText), before: values, after: values, importing: values }),
});

const isModule: Shape = (value) => stateModule(value);
const stateModule = record({
  resources: optional(listOf(record({ address: isText, mode: isText, type: isText, values }))),
  child_modules: optional(listOf(isModule)),
});

const isConfigModule: Shape = (value) => configModule(value);
const configModule = record({
  resources: optional(listOf(record({ address: isText, provider_config_key: text }))),
  module_calls: optional(mapOf(record({ module: optional(isConfigModule) }))),
  variables: optional(mapOf(isObject)),
});

/** A block holds expressions. An attribute is an expression itself. */
const isBlock: Shape = (value) =>
  mapOf(isObject)(value) && !["constant_value", "references"].some((name) => name in (value as object));
const isBlocks: Shape = (value) => isBlock(value) || listOf(isBlock)(value);

/** A block holds expressions, and blocks of expressions. */
const isExpectation = record({
  name: optional(isObject),
  request: optional(isBlocks),
  except: optional(isBlocks),
  policy: optional(isBlocks),
  members: optional(isBlocks),
});
const isExpectations: Shape = (value) =>
  listOf(
    (one) =>
      isExpectation(one) && Object.values(one as object).every((part) => typeof part === "object" && part !== null),
  )([value].flat());

const providerConfig = record({
  name: text,
  full_name: text,
  module_address: text,
  expressions: optional(
    (value) =>
      mapOf((one) => typeof one === "object" && one !== null)(value) &&
      record({
        protected_request: optional(isBlocks),
        lockout_guard: optional(isObject),
        expectation: optional(isExpectations),
      })(value),
  ),
});

/** The part of a plan -> its form. */
const planParts: Readonly<Record<string, Shape>> = {
  resource_changes: listOf(isChange),
  resource_drift: listOf(isChange),
  prior_state: optional(record({ values: optional(record({ root_module: optional(isModule) })) })),
  variables: optional(mapOf(isObject)),
  configuration: optional(
    record({ provider_config: optional(mapOf(providerConfig)), root_module: optional(isConfigModule) }),
  ),
  terraform_version: text,
};
