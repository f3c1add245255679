/** What a plan shows about the objects of the provider auth0/auth0 that an effect names. */
import type { Known } from "../../judge/impact/auth0/names";
import { isObject, own } from "../../judge/impact/auth0/changes";
import { bare, type Marks, type PlannedObject, type Remote, type Values } from "../../judge/impact/model";
import { isMarked } from "../../judge/impact/value";
import { clientsIn } from "./blocks";
import { priorResources, type ConfigResource, type Plan } from "./plan";

export interface PlanNames {
  /** By type and ID, and by address. A planned name is newer than one of the state. */
  readonly names: ReadonlyMap<string, string>;
  /** The keys of names that a part of the plan marks as sensitive, although other parts may show them. */
  readonly secret: ReadonlySet<string>;
  /** Address without indexes -> the resource as the configuration declares it. */
  readonly declared: ReadonlyMap<string, ConfigResource>;
  /** The client IDs with which Terraform authenticates. */
  readonly clients: readonly string[];
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
    const place = `at ${called} ${bare(address)}`;
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
  return { names, secret, declared, clients: clientsIn(plan) };
}

interface Named {
  /** The name of the plan, if there are several plans. */
  readonly name?: string;
  readonly names: () => PlanNames;
}

/** What the plans of a tenant show together. A name that any of them marks as sensitive is left out. */
export function knownIn(plans: readonly Named[], { organization_members: members }: Remote): Known {
  const all = new Map(plans.map((plan) => [plan.name, plan.names()]));
  const secret = new Set([...all.values()].flatMap((one) => [...one.secret]));
  const names = new Map([...all.values()].flatMap((one) => [...one.names]).filter(([key]) => !secret.has(key)));
  const expressionOf = ({ plan, address }: Pick<PlannedObject, "plan" | "address">, path: string) => {
    const declared = all.get(plan)?.declared.get(bare(address).replace(/ \(deposed \w+\)$/, ""));
    return declared && { value: at(declared.expressions ?? {}, path.split(".")) };
  };
  return {
    nameOf: (type, id) => names.get(`${type} ${id}`),
    isConfigured: (object, path) => {
      const found = expressionOf(object, path);
      return found && found.value !== undefined;
    },
    referenceOf: (object, attribute) => {
      const found = expressionOf(object, attribute)?.value;
      const [reference] =
        isObject(found) && Array.isArray(found["references"]) ? (found["references"] as string[]) : [];
      if (reference === undefined) return undefined;
      const module = /^(?:module\.[^.]+\.)+/.exec(bare(object.address))?.[0] ?? "";
      const [type, name] = reference.split(".");
      return names.get(`at ${object.plan} ${module}${type}.${name}`) ?? `${type}.${name}`;
    },
    ownClients: new Set([...all.values()].flatMap(({ clients }) => clients)),
    membersOf: (organization) => members?.get(organization)?.length,
  };
}

/** A block is an object or a list of them. What is below an expression is set by it. */
function at(expression: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return expression;
  if (Array.isArray(expression))
    return expression.map((one) => at(one, [name, ...rest])).find((one) => one !== undefined);
  if (!isObject(expression)) return undefined;
  if ("references" in expression || "constant_value" in expression) return expression;
  return at(own(expression, name), rest);
}
