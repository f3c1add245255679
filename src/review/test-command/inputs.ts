/** Reads what `tenantform test` judges: plans, states and synthesized stacks, each as a plan. */
import { existsSync, statSync, readFileSync } from "node:fs";
import path from "node:path";
import { ReviewError } from "../error";
import { documentAt, planFrom, readPlans, type Edge, type NamedPlan } from "../input/input";
import { parsePlan, type Plan, type StateResource } from "../input/plan";
import { kept, stateOf } from "../present";
import { stacksIn } from "../input/stacks";
import { stateIn } from "../input/state";
import type { Marks, Values } from "../../impact/model";
import { resourceTypes } from "../../kinds/kinds";
import { withPlaces } from "../places/places";

export async function readInput(name: string, edge: Edge): Promise<NamedPlan[]> {
  const stats = name === "-" ? undefined : statSync(name, { throwIfNoEntry: false });
  if (name !== "-" && !stats)
    throw new ReviewError(`${name} does not exist: give a plan, a state, or a folder such as cdktf.out.`);
  if (stats?.isDirectory()) return inFolder(name, edge);
  const document = await documentAt(name, edge);
  const { text } = document;
  if (name === "-" && text.trim() === "") {
    throw new ReviewError(
      "Standard input is empty: name a plan, a state or a folder such as cdktf.out, or give --tenant.",
    );
  }
  const called = name === "-" ? "standard input" : path.basename(name);
  const resources = stateIn(text);
  return [{ name: called, plan: resources ? planOfState(resources) : planFrom(document, name) }];
}

/** A plan in cdktf.out may be older than the stack next to it, so the stack counts. */
async function inFolder(folder: string, edge: Edge): Promise<NamedPlan[]> {
  if (existsSync(path.join(folder, stackFile)))
    return [{ name: path.basename(path.resolve(folder)), plan: synthesizedPlan(folder) }];
  const stacks = stacksIn(folder).stacks.filter((stack) => existsSync(path.join(stack.folder, stackFile)));
  if (stacks.length === 0) return readPlans([folder], edge);
  return stacks.map((stack) => ({ name: stack.name, plan: synthesizedPlan(stack.folder) }));
}

/** A plan that changes nothing. */
export function planOfState(resources: readonly StateResource[]): Plan {
  const managed = resources.filter(({ mode }) => mode !== "data");
  return {
    format_version: "1.2",
    complete: true,
    resource_drift: [],
    resource_changes: managed.map(kept),
    prior_state: stateOf(resources.filter(({ mode }) => mode === "data")),
  };
}

/** No objects: the tenant itself has them. */
export const emptyPlan = (): Plan =>
  parsePlan('{"format_version": "1.2", "resource_changes": [], "complete": true}', "");

const stackFile = "cdk.tf.json";

/** `folder`: the folder of the stack. */
function synthesizedPlan(folder: string): Plan {
  const file = path.join(folder, stackFile);
  const stack = stackIn(file);
  const resources = objectsIn(stack["resource"]);
  const text = JSON.stringify({
    format_version: "1.2",
    complete: true,
    resource_changes: resources.filter(({ type }) => resourceTypes.includes(type)).map(changeOf),
    configuration: {
      provider_config: Object.fromEntries(objectsIn({ provider: stack["provider"] }).flatMap(providerOf)),
      root_module: {
        resources: [
          ...resources.map(({ type, name, values }) => configured(type, name, values)),
          ...objectsIn(stack["data"]).map(({ type, name, values }) => configured(`data.${type}`, name, values)),
        ],
      },
    },
  });
  const incomplete = incompleteIn(stack, resources);
  return { ...withPlaces(parsePlan(text, file), [folder]), ...(incomplete !== undefined && { incomplete }) };
}

function stackIn(file: string): Values {
  try {
    const read: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof read === "object" && read !== null && !Array.isArray(read)) return read as Values;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ReviewError(`${file} cannot be read (${code ?? message}): run \`cdktf synth\` first.`);
  }
  throw new ReviewError(`${file} is not a synthesized stack: run \`cdktf synth\` again.`);
}

interface Declared {
  readonly type: string;
  readonly name: string;
  readonly values: Values;
}

const entries = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null ? Object.entries(value).filter(([name]) => name !== "//") : [];

/** Type -> name -> values. A list has several bodies. */
function objectsIn(declared: unknown): Declared[] {
  return entries(declared).flatMap(([type, all]) =>
    entries(all).flatMap(([name, body]) =>
      [body].flat().map((values) => ({ type, name, values: Object.fromEntries(entries(values)) })),
    ),
  );
}

/** Attributes that are for Terraform and not for the object. */
const forTerraform: ReadonlySet<string> = new Set(["count", "for_each", "provider", "lifecycle", "depends_on"]);

function changeOf({ type, name, values }: Declared): object {
  const own = Object.fromEntries(Object.entries(values).filter(([key]) => !forTerraform.has(key)));
  return {
    address: `${type}.${name}`,
    mode: "managed",
    type,
    change: { actions: ["create"], before: null, after: plain(own), after_unknown: unknownIn(own) },
  };
}

function configured(type: string, name: string, { provider, organization_id: id, name: called }: Values): object {
  const [, reference] = /^\$\{((?:data\.)?[\w-]+\.[\w-]+\.id)\}$/.exec(String(id)) ?? [];
  return {
    address: `${type}.${name}`,
    provider_config_key: typeof provider === "string" ? provider : type.split("_")[0],
    expressions: {
      ...(reference !== undefined && { organization_id: { references: [reference] } }),
      ...(typeof called === "string" && !isTemplate(called) && { name: { constant_value: called } }),
    },
  };
}

const isTemplate = (text: string) => /(?<![$%])(?:\$\$|%%)*[$%]\{/.test(text);

/** Terraform reads `$${` as `${`. */
function plain(value: unknown): unknown {
  if (typeof value === "string") return isTemplate(value) ? null : value.replace(/([$%])\1\{/g, "$1{");
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
}

function unknownIn(value: unknown): Marks {
  if (typeof value === "string") return isTemplate(value);
  if (Array.isArray(value)) return value.map(unknownIn);
  if (typeof value !== "object" || value === null) return false;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, unknownIn(part)]));
}

const blocks: ReadonlySet<string> = new Set([
  "protected_request",
  "expectation",
  "request",
  "except",
  "policy",
  "members",
]);

function providerOf({ name, values }: Declared): [string, object][] {
  const { alias, ...rest } = values;
  const key = typeof alias === "string" ? `${name}.${alias}` : name;
  return [[key, { name, expressions: expressionsOf(rest) }]];
}

function expressionsOf(values: Values): Values {
  const all = Object.entries(values).filter(([name, value]) => value !== null && name !== "dynamic" && name !== "//");
  return Object.fromEntries(
    all.map(([name, value]) => [
      name,
      blocks.has(name) ? [value].flat().map((one) => expressionsOf((one ?? {}) as Values)) : expressionOf(value),
    ]),
  );
}

/** A variable may have another value than its default. */
function expressionOf(value: unknown): object {
  const isKnown = !JSON.stringify(unknownIn(value)).includes("true");
  return isKnown ? { constant_value: plain(value) } : { references: ["local.unknown", "local"] };
}

/** Why the stack may have other objects than those that it shows. */
function incompleteIn(stack: Values, resources: readonly Declared[]): string | undefined {
  const modules = entries(stack["module"]).map(([name]) => `module.${name}`);
  const repeated = resources.filter(
    ({ type, values }) =>
      resourceTypes.includes(type) && ["count", "for_each", "dynamic"].some((name) => (values[name] ?? 1) !== 1),
  );
  const [first] = [...repeated.map(({ type, name }) => `${type}.${name}`), ...modules];
  return first === undefined ? undefined : `only a plan shows the objects of ${first}`;
}
