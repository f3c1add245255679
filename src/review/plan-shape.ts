/** Checks the form of the parts of a plan that the review reads, so that a strange plan ends in one line. */

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
        protected_requests: optional(isBlocks),
        lockout_guard: optional(isObject),
        expectation: optional(isExpectations),
      })(value),
  ),
});

/** The part of a plan -> its form. */
export const planParts: Readonly<Record<string, Shape>> = {
  resource_changes: listOf(isChange),
  resource_drift: listOf(isChange),
  prior_state: optional(record({ values: optional(record({ root_module: optional(isModule) })) })),
  variables: optional(mapOf(isObject)),
  configuration: optional(
    record({ provider_config: optional(mapOf(providerConfig)), root_module: optional(isConfigModule) }),
  ),
  terraform_version: text,
};
