/** The objects of the provider auth0/auth0 in the plans that no kind has, and what the plans show about their names. */
import { judgeAuth0 } from "../../judge/impact/auth0/judge";
import type { Known } from "../../judge/impact/auth0/names";
import type { Row } from "../../judge/impact/auth0/row";
import { tableWith } from "../../judge/impact/auth0/table";
import type { Effect } from "../../judge/impact/effect";
import { acts, type Marks, type PlannedObject, type Remote, type Values } from "../../judge/impact/model";
import { isObject } from "../../judge/impact/auth0/changes";
import { isMarked } from "../../judge/impact/value";
import { kindOf } from "../../judge/kinds/kinds";
import { bare, priorResources, type ConfigModule, type Plan } from "./plan";
import { objectsOf } from "./objects";

const isOther = (type: string) => type.startsWith("auth0_") && kindOf(type) === undefined;

/** `rules`: the rows of the person. */
export function auth0Effects(plans: readonly Plan[], remote: Remote, rules: readonly Row[] = []): Effect[] {
  const types = [...new Set(plans.flatMap((plan) => plan.resource_changes.map(({ type }) => type)))].filter(isOther);
  const objects = plans.flatMap((plan) => objectsOf(plan, types)).filter((object) => acts(object));
  return objects.length === 0 ? [] : judgeAuth0(objects, tableWith(rules), knownIn(plans, remote));
}

/** The IDs of the organizations that the plans destroy: `--tenant` counts their members. */
export const organizationsDestroyed = (plans: readonly Plan[]): string[] =>
  plans
    .flatMap((plan) => plan.resource_changes)
    .filter(({ type, change: { actions } }) => type === "auth0_organization" && actions.includes("delete"))
    .flatMap(({ change: { before } }) => (typeof before?.["id"] === "string" ? before["id"] : []));

function knownIn(plans: readonly Plan[], { organization_members: members }: Remote): Known {
  const names = namesIn(plans);
  const expressions = new Map(plans.map((plan) => [plan.name, expressionsIn(plan)]));
  const expressionOf = ({ plan, address }: PlannedObject, path: string) => {
    const own = expressions.get(plan)?.get(bare(address).replace(/ \(deposed \w+\)$/, ""));
    return own === undefined ? undefined : { value: at(own, path.split(".")) };
  };
  return {
    nameOf: (type, id) => names.get(`${type} ${id}`),
    isConfigured: (object, path) => {
      const found = expressionOf(object, path);
      return found && found.value !== undefined;
    },
    referenceOf: ({ plan, address, ...object }, attribute) => {
      const found = expressionOf({ plan, address, ...object } as PlannedObject, attribute)?.value;
      const [reference] =
        isObject(found) && Array.isArray(found["references"]) ? (found["references"] as string[]) : [];
      const module = /^(?:module\.[^.]+\.)+/.exec(bare(address))?.[0] ?? "";
      const [type, name] = (reference ?? "").split(".");
      return reference === undefined
        ? undefined
        : (names.get(`at ${plan} ${module}${type}.${name}`) ?? `${type}.${name}`);
    },
    membersOf: (organization) => members?.get(organization)?.length,
  };
}

/**
 * By type and ID, and by address. A planned name is newer than one of the state. A name that any part of a plan marks as sensitive is left
 * out, because other parts may show it.
 */
function namesIn(plans: readonly Plan[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const secret = new Set<string>();
  const add = (type: string, address: string, values: Values | null | undefined, marks: Marks) => {
    const { id, identifier } = values ?? {};
    const attribute = ["name", "display_name", "email"].find(
      (one) => typeof values?.[one] === "string" && values[one] !== "",
    );
    if (attribute === undefined) return;
    for (const key of [
      address,
      ...[id, identifier].flatMap((one) => (typeof one === "string" ? `${type} ${one}` : [])),
    ]) {
      names.set(key, values![attribute] as string);
      if (isMarked(marks, attribute)) secret.add(key);
    }
  };
  for (const plan of plans) {
    const placeOf = (address: string) => `at ${plan.name} ${bare(address)}`;
    for (const { type, values, sensitive_values: marks, address } of priorResources(plan))
      if (type.startsWith("auth0_")) add(type, placeOf(address), values, marks);
    for (const { type, change, address } of plan.resource_changes)
      if (type.startsWith("auth0_"))
        add(type, placeOf(address), change.before ?? change.after, [change.before_sensitive, change.after_sensitive]);
  }
  return new Map([...names].filter(([key]) => !secret.has(key)));
}

/** The configuration of each resource, by its address without indexes. */
function expressionsIn({ configuration }: Plan): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const read = ({ resources = [], module_calls: calls = {} }: ConfigModule, prefix: string): void => {
    for (const { address, expressions = {} } of resources) found.set(prefix + address, expressions);
    for (const [name, { module }] of Object.entries(calls)) if (module) read(module, `${prefix}module.${name}.`);
  };
  if (configuration?.root_module) read(configuration.root_module, "");
  return found;
}

/** A block is an object or a list of them. What is below an expression is set by it. */
function at(expression: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return expression;
  if (Array.isArray(expression))
    return expression.map((one) => at(one, [name, ...rest])).find((one) => one !== undefined);
  if (!isObject(expression)) return undefined;
  if ("references" in expression || "constant_value" in expression) return expression;
  return at(expression[name], rest);
}
