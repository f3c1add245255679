/** What a plan shows about the objects of the provider auth0/auth0 that an effect names. */
import { type Known, references } from "../../judge/impact/auth0/names";
import { listOf, own, valuesAt, type Written } from "../../judge/impact/auth0/changes";
import { isRecord } from "../../formats/text/record";
import {
  bare,
  grouped,
  isMarked,
  type Marks,
  type PlannedObject,
  type Remote,
  type Values,
  withoutDeposed,
} from "../../judge/impact/model";
import { clientsIn } from "./blocks";
import { hasTemplate, referencesOf } from "./expression";
import { type ConfigResource, type Plan, priorResources, type ResourceChange } from "./plan";

export interface PlanNames {
  /** By type and ID, and by address. The name before the change counts. */
  readonly names: ReadonlyMap<string, string>;
  /** The keys of names that a part of the plan marks as sensitive, although other parts may show them. */
  readonly secret: ReadonlySet<string>;
  /** Address without indexes -> the ids of its instances. */
  readonly instances: ReadonlyMap<string, readonly Instance[]>;
  /** Address without indexes -> the resource as the configuration declares it. */
  readonly declared: ReadonlyMap<string, ConfigResource>;
  /** The client IDs with which Terraform authenticates. */
  readonly clients: readonly string[];
  readonly variables: Plan["variables"];
}

interface Instance {
  readonly address: string;
  /** Left out: it has none yet, or a new one that nobody knows. */
  readonly id?: string;
  /** The id of the old object, if the plan replaces it. */
  readonly old?: string;
  readonly isCreated: boolean;
}

/** `called`: the name of the plan, if there are several plans. */
export function namesIn(plan: Plan, declared: PlanNames["declared"], called: string | undefined): PlanNames {
  const names = new Map<string, string>();
  const secret = new Set<string>();
  const add = (type: string, address: string, values: Values | null | undefined, marks: Marks) => {
    const { id, identifier } = values ?? {};
    const attribute = ["name", "display_name", "email"].find(
      (one) => typeof values?.[one] === "string" && values[one] !== "",
    );
    if (attribute === undefined || !type.startsWith("auth0_")) return;
    const place = `at ${called} ${address}`;
    const ids = [id, identifier].flatMap((one) => (typeof one === "string" ? `${type} ${one}` : []));
    for (const key of [place, ...ids]) {
      names.set(key, values![attribute] as string);
      if (isMarked(marks, attribute)) secret.add(key);
    }
  };
  for (const { type, values, sensitive_values: marks, address } of priorResources(plan))
    add(type, address, values, marks);
  for (const { type, change, address } of plan.resource_changes)
    add(type, address, change.before ?? change.after, [change.before_sensitive, change.after_sensitive]);
  const present = plan.resource_changes.filter(({ deposed }) => deposed === undefined);
  const instances = grouped(present.map(instanceOf), ({ address }) => bare(address));
  return { names, secret, instances, declared, clients: clientsIn(plan), variables: plan.variables };
}

function instanceOf({ address, change: { actions, before, after } }: ResourceChange): Instance {
  const [old, id] = [before?.["id"], after?.["id"]];
  const isCreated = actions.includes("create");
  return {
    address,
    ...(typeof id === "string" && { id }),
    ...(isCreated && typeof old === "string" && { old }),
    isCreated,
  };
}

interface NamedPlan {
  /** The name of the plan, if there are several plans. */
  readonly name?: string;
  readonly names: () => PlanNames;
}

/** What the plans of a tenant show together. A name that any of them marks as sensitive is left out. */
export function knownIn(plans: readonly NamedPlan[], { organization_members: members }: Remote): Known {
  const all = new Map(plans.map((plan) => [plan.name, plan.names()]));
  const nameAt = (key: string) => {
    const named = [...all.values()];
    return named.some(({ secret }) => secret.has(key))
      ? undefined
      : named.findLast(({ names }) => names.has(key))?.names.get(key);
  };
  const declaredOf = ({ plan, address }: Pick<PlannedObject, "plan" | "address">) =>
    all.get(plan)?.declared.get(withoutDeposed(bare(address)));
  const expressionsOf = (object: PlannedObject, path: string) =>
    expressionsAt(declaredOf(object)?.expressions, path.split("."));
  return {
    nameOf: (type, id) => nameAt(`${type} ${id}`),
    isConfigured: (object, path) => {
      const declared = declaredOf(object);
      return declared && isWritten(declared.expressions ?? {}, object.after, path.split("."));
    },
    writtenAt: (object, path) => {
      const old = valuesAt(object.before, path.split("."));
      return writtenIn(
        expressionsOf(object, path),
        path,
        moduleOf(object.address),
        all.get(object.plan)!,
        new Set(old),
      );
    },
    referenceOf: (object, attribute) => {
      const found = referencesIn(expressionsOf(object, attribute)).map(instanceIn);
      const [first] = found;
      // One of several: the plan does not show which.
      if (!first || found.some(({ resource }) => resource !== first.resource)) return undefined;
      const name = nameAt(`at ${object.plan} ${moduleOf(object.address)}${first.resource}${first.key}`);
      return (found.length === 1 ? name : undefined) ?? first.resource;
    },
    ownClients: new Set([...all.values()].flatMap(({ clients }) => clients)),
    membersOf: (organization) => members?.get(organization)?.length,
  };
}

const keyOf = String.raw`\[(?:\d+|"(?:[^"\\]|\\.)*")\]`;
const modules = new RegExp(String.raw`^(?:module\.[^.[]+(?:${keyOf})?\.)*`);
const instance = new RegExp(String.raw`^([^.[]+\.[^.[]+)(${keyOf})?(?:\.(.*))?$`);

/** `module.a["x"].module.b.` */
const moduleOf = (address: string): string => modules.exec(address)![0];

/** Without the shorter ones that Terraform adds to each, and without `each.key`. */
function referencesIn(expressions: readonly unknown[]): string[] {
  const all = [...new Set(expressions.flatMap(referencesOf))].filter(
    (one) => typeof one === "string" && !/^(?:each\.key|count\.index)$/.test(one),
  ) as string[];
  return all.filter((one) => !all.some((longer) => longer.startsWith(`${one}.`) || longer.startsWith(`${one}[`)));
}

function instanceIn(reference: string) {
  const [, resource = reference, key = "", attribute] = instance.exec(reference) ?? [];
  return { resource, key, attribute };
}

function writtenIn(
  expressions: readonly unknown[],
  path: string,
  module: string,
  { instances, variables }: PlanNames,
  former: ReadonlySet<unknown>,
): Written | undefined {
  const [first, ...others] = expressions;
  if (first === undefined) return undefined;
  const ids = path.split(".").flatMap((name) => references.get(name) ?? []);
  const used = referencesIn(expressions).map((one) => {
    const { resource, key, attribute } = instanceIn(one);
    const isId = ids.includes(resource.split(".")[0]!) && [...ids, "id", "client_id", undefined].includes(attribute);
    const of = isId ? (instances.get(bare(module) + resource) ?? []) : [];
    return {
      reference: one,
      attribute,
      of: of.filter(({ address }) => address.startsWith(`${module}${resource}${key}`)),
    };
  });
  const { constant_value: constant } = first as Values;
  // What is no element may be a condition, under which an old element stays.
  const variableIn = (name: string) =>
    module === "" && name.startsWith("var.") ? variables?.[name.slice("var.".length)] : undefined;
  const isElement = (name: string) => {
    const variable = variableIn(name);
    const isNamedSo = /(?:^|[._])(?:ids?|identifier)$/.test(name);
    if (!variable) return isNamedSo;
    const values = listOf(variable.value);
    const isId = (one: unknown) => former.has(one) || /^(?=.*\d)[\w|-]{16,}$/.test(String(one));
    return values.length > 0 && (isNamedSo || values.every(isId));
  };
  const isConditional = used.some(({ reference, of }) => of.length === 0 && !isElement(reference));
  return {
    // Without an attribute, the expression may take some of the instances.
    kept: new Set(
      isConditional
        ? []
        : used.flatMap(({ reference, attribute, of }) => [
            ...(attribute && of.length === 1 ? [of[0]!.id] : []),
            ...listOf(variableIn(reference)?.value),
          ]),
    ),
    renewed: new Set(used.flatMap(({ of }) => of.flatMap(({ old }) => old ?? []))),
    isNew:
      used.length > 0 &&
      used.every(({ of }) => of.length > 0 && of.every((one) => one.isCreated || one.id !== undefined)),
    ...(Array.isArray(constant) &&
      others.length === 0 && { list: constant.map((one: unknown) => (hasTemplate(one) ? Symbol(path) : one)) }),
  };
}

const isExpression = (value: Values) => "references" in value || "constant_value" in value;

/** A block is an object or a list of them. What is below an expression is set by it. */
function expressionsAt(expression: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(expression))
    return expression.flatMap((one) => expressionsAt(one, name === undefined ? [] : [name, ...rest]));
  if (!isRecord(expression)) return [];
  if (name === undefined || isExpression(expression)) return [expression];
  return expressionsAt(own(expression, name), rest);
}

/** Whether the expressions, or a dynamic block (undefined), write what is at the path of the value. */
function isWritten(expression: unknown, value: unknown, [name, ...rest]: readonly string[]): boolean | undefined {
  if (Array.isArray(expression)) {
    const all = expression.map((one, index) =>
      isWritten(one, listOf(value)[index], name === undefined ? [] : [name, ...rest]),
    );
    if (all.includes(true)) return true;
    return listOf(value).length > expression.length || all.includes(undefined) ? undefined : false;
  }
  if (!isRecord(expression) || name === undefined || isExpression(expression)) return isRecord(expression);
  const [within, below] = [own(expression, name), isRecord(value) ? own(value, name) : undefined];
  if (within !== undefined) return isWritten(within, below, rest);
  return rest.length > 0 || listOf(below).some(isRecord) ? undefined : false;
}
