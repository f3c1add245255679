/** Turns a synthesized stack, the content of `cdk.tf.json`, into a plan that creates all its objects. Nothing evaluates its templates. */
import { withUnknowns } from "../../formats/cty/template";
import { isList, isObject, unknown } from "../../formats/cty/value";
import type { Marks, Values } from "../../judge/impact/model";
import { resourceTypes } from "../../judge/kinds/kinds";
import type { Plan, ResourceChange } from "./plan";

/** How a unit test reads a stack. */
export interface UnitTest {
  /** The id that the test names, which may be a template too. */
  readonly organization?: unknown;
}

/** With `test`, objects are named by the paths of their constructs, and equal templates name one organization or tenant. */
export function planOfStack(stack: Values, test?: UnitTest): Plan {
  const declared = declaredIn(stack["resource"]).map((one) => (test ? { ...one, ...pathIn(one.values) } : one));
  const objects = declared.filter(({ type }) => resourceTypes.includes(type));
  const changes = objects.flatMap((one) => creationsOf(one, test));
  const incomplete = incompleteIn(stack, objects);
  return {
    format_version: "1.2",
    complete: true,
    resource_changes: changes,
    resource_drift: [],
    configuration: {
      provider_config: Object.fromEntries(
        declaredIn({ provider: stack["provider"] }).map((one) => providerOf(one, test)),
      ),
      root_module: {
        resources: [
          ...declared.map(configured),
          ...declaredIn(stack["data"]).map((one) => configured({ ...one, address: `data.${one.address}` })),
        ],
      },
    },
    ...(incomplete !== undefined && { incomplete }),
  };
}

interface Declared {
  readonly type: string;
  readonly name: string;
  readonly address: string;
  readonly values: Values;
}

const entries = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value).filter(([name]) => name !== "//") : [];

/** Type -> name -> values. A list has several bodies. */
const declaredIn = (declared: unknown): Declared[] =>
  entries(declared).flatMap(([type, all]) =>
    entries(all).flatMap(([name, body]) =>
      [body]
        .flat()
        .filter(isObject)
        .map((values) => ({ type, name, address: `${type}.${name}`, values })),
    ),
  );

/** The CDK writes the path of the construct into a comment. */
function pathIn({ "//": comment }: Values): { readonly address?: string } {
  const metadata = isObject(comment) ? comment["metadata"] : undefined;
  const path = isObject(metadata) ? metadata["path"] : undefined;
  return typeof path === "string" ? { address: path } : {};
}

/** Attributes that are for Terraform and not for the object. */
const forTerraform: ReadonlySet<string> = new Set(["//", "count", "for_each", "provider", "lifecycle", "depends_on"]);

function creationsOf({ type, address, values }: Declared, test: UnitTest | undefined): ResourceChange[] {
  const { organization_id: organization, count } = values;
  const own = Object.fromEntries(Object.entries(values).filter(([name]) => !forTerraform.has(name)));
  // The ids of two resources differ, and a template equals itself.
  const isKnown =
    test && typeof organization === "string" && (organization === test.organization || soleId.test(organization));
  const after = { ...(withUnknowns(own) as Values), ...(isKnown && { organization_id: organization }) };
  const change = { actions: ["create"], before: null, after, after_unknown: marksOf(after) };
  const addresses =
    typeof count === "number" ? Array.from({ length: count }, (_, at) => `${address}[${at}]`) : [address];
  return addresses.map((one) => ({ address: one, mode: "managed", type, change }));
}

const soleId = /^\$\{(?!(?:var|local|data|each|module)\.)[\w-]+\.[\w-]+\.id\}$/;

function marksOf(value: unknown): Marks {
  if (value === unknown) return true;
  if (isList(value)) return value.map(marksOf);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, marksOf(part)]))
    : false;
}

function configured({ type, address, values }: Declared) {
  const { provider, organization_id: id, name } = values;
  const [, reference] = /^\$\{((?:data\.)?[\w-]+\.[\w-]+\.id)\}$/.exec(String(id)) ?? [];
  return {
    address,
    provider_config_key: typeof provider === "string" ? provider : type.split("_")[0]!,
    expressions: {
      ...(reference !== undefined && { organization_id: { references: [reference] } }),
      ...(typeof name === "string" && withUnknowns(name) !== unknown && { name: { constant_value: name } }),
    },
  };
}

const blocks: ReadonlySet<string> = new Set("protected_request expectation request except policy members".split(" "));

function providerOf(
  { name, values }: Declared,
  test: UnitTest | undefined,
): [string, { name: string; expressions: Values }] {
  const { alias, ...rest } = values;
  const named = test ? { ...rest, domain: hostFor(rest["domain"]), endpoint: hostFor(rest["endpoint"]) } : rest;
  return [typeof alias === "string" ? `${name}.${alias}` : name, { name, expressions: expressionsOf(named) }];
}

/** A test has no values of variables: equal expressions name one tenant, and other ones another tenant. */
const hostFor = (written: unknown) =>
  typeof written === "string" && withUnknowns(written) === unknown
    ? `https://${Buffer.from(written).toString("hex")}.invalid`
    : written;

function expressionsOf(values: Values): Values {
  const all = entries(values).filter(([name, value]) => (value ?? null) !== null && name !== "dynamic");
  return Object.fromEntries(
    all.map(([name, value]) => [
      name,
      blocks.has(name) ? [value].flat().map((one) => expressionsOf((one ?? {}) as Values)) : expressionOf(value),
    ]),
  );
}

/** A variable may have another value than its default. */
function expressionOf(value: unknown): object {
  const known = withUnknowns(value);
  const isKnown = !JSON.stringify(marksOf(known)).includes("true");
  return isKnown ? { constant_value: known } : { references: ["local.unknown", "local"] };
}

/** The first part of the stack of which only a plan shows the objects. */
function incompleteIn(stack: Values, objects: readonly Declared[]): string | undefined {
  const isRepeated = ({ values }: Declared) =>
    ["count", "for_each", "dynamic"].some((name) => {
      const value = values[name] ?? 1;
      return value !== 1 && !(name === "count" && typeof value === "number");
    });
  const modules = entries(stack["module"]).map(([name]) => `module.${name}`);
  return [...objects.filter(isRepeated).map(({ address }) => address), ...modules][0];
}
