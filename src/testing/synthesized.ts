/** Turns a synthesized stack into a plan that creates all its objects, so that a test judges it like a review judges a plan. */
import { withUnknowns } from "../cty/template";
import { isList, isObject, unknown } from "../cty/value";
import type { Marks, Values } from "../impact/model";
import { resourceTypes } from "../kinds/kinds";
import type { Plan, ProviderConfig, ResourceChange } from "../review/input/plan";

interface Resource {
  /** The path of the construct, or the address. */
  readonly address: string;
  readonly type: string;
  readonly values: Values;
}

/** `json`: the content of `cdk.tf.json`. `organization`: the id that the test names, which may be a template too. */
export function planOfSynthesized(json: Values, organization?: unknown): Plan {
  const declared = resourceTypes.flatMap((type) => resourcesIn(json, type));
  const uncertainties = [...declared.flatMap(uncertaintiesOf), ...modulesIn(json)];
  const resources = declared.flatMap(instancesOf);
  return {
    format_version: "1.2",
    resource_changes: resources.map((one) => creationOf(one, organization)),
    resource_drift: [],
    ...(uncertainties.length > 0 && { uncertainties }),
    configuration: {
      provider_config: Object.fromEntries(providersIn(json)),
      root_module: {
        resources: resources.map(({ address, type, values }) => ({
          address,
          provider_config_key: typeof values["provider"] === "string" ? values["provider"] : type.split("_")[0]!,
        })),
      },
    },
  };
}

function resourcesIn({ resource }: Values, type: string): Resource[] {
  const named = isObject(resource) ? resource[type] : undefined;
  return Object.entries(isObject(named) ? named : {}).flatMap(([name, written]): Resource[] => {
    const [values] = [written].flat();
    if (!isObject(values)) return [];
    return [{ address: pathIn(values) ?? `${type}.${name}`, type, values }];
  });
}

/** CDKTF writes the path of the construct into a comment. */
function pathIn({ "//": comment }: Values): string | undefined {
  const metadata = isObject(comment) ? comment["metadata"] : undefined;
  const path = isObject(metadata) ? metadata["path"] : undefined;
  return typeof path === "string" ? path : undefined;
}

function uncertaintiesOf({ address, values }: Resource): string[] {
  const isKnown = (name: string) =>
    values[name] === undefined || (name === "count" && typeof values[name] === "number");
  const name = ["count", "for_each", "dynamic"].find((one) => !isKnown(one));
  return name === undefined ? [] : [`\`${name}\` of ${address} is not known before the plan.`];
}

function modulesIn({ module }: Values): string[] {
  const names = Object.keys(isObject(module) ? module : {}).filter((name) => name !== "//");
  return names.map((name) => `Only a plan shows the objects of module.${name}.`);
}

function instancesOf(resource: Resource): Resource[] {
  const { count } = resource.values;
  if (typeof count !== "number") return [resource];
  return Array.from({ length: count }, (_, index) => ({ ...resource, address: `${resource.address}[${index}]` }));
}

function creationOf({ address, type, values }: Resource, organization: unknown): ResourceChange {
  const { organization_id: own } = values;
  // The ids of two resources differ, and a template equals itself.
  const isKnown = typeof own === "string" && (own === organization || soleId.test(own));
  const after = { ...(withUnknowns(values) as Values), ...(isKnown && { organization_id: own }) };
  const change = { actions: ["create"], before: null, after, after_unknown: marksOf(after) };
  return { address, mode: "managed", type, change };
}

const soleId = /^\$\{(?!(?:var|local|data|each|module)\.)[\w-]+\.[\w-]+\.id\}$/;

function marksOf(value: unknown): Marks {
  if (value === unknown) return true;
  if (isList(value)) return value.map(marksOf);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, marksOf(part)]))
    : false;
}

function providersIn({ provider }: Values): [string, ProviderConfig][] {
  return Object.entries(isObject(provider) ? provider : {}).flatMap(([name, blocks]) =>
    [blocks].flat().flatMap((block): [string, ProviderConfig][] => {
      if (!isObject(block)) return [];
      const { alias, domain = null, endpoint = null, environment_prefix: prefix = null } = block;
      const key = typeof alias === "string" ? `${name}.${alias}` : name;
      const isNamed = domain !== null || endpoint !== null || prefix === null;
      const expressions = {
        domain: constant(isNamed ? domain : `\${env.${String(prefix)}}`),
        endpoint: constant(endpoint),
      };
      return [[key, { name, expressions }]];
    }),
  );
}

/** A test has no values of variables, and no environment: equal expressions name one tenant, and other ones another tenant. */
function constant(written: unknown): { readonly constant_value: unknown } {
  const isTemplate = typeof written === "string" && withUnknowns(written) === unknown;
  return { constant_value: isTemplate ? `https://${Buffer.from(written).toString("hex")}.invalid` : written };
}
