/** The network ACLs of plans, before and after, in the form that src/access reasons about. */
import { apart, unknownName, type Marks, type PlannedObject, type Values } from "../impact/model";
import { type Acl, notKnown, type Rule, signals } from "../access/access";
import { objectsOf } from "./objects";
import type { Plan } from "./plan";
import { managedBy } from "./duplicates";
import { hidden } from "../impact/hidden";
import { block, isMarked, withUnknown, written } from "../impact/value";

export interface ReviewedAcl extends Acl {
  /** Left out: it is managed by nobody who is known here. */
  readonly address?: string;
  /** The name of its plan, of several. */
  readonly plan?: string;
  readonly id?: string;
  readonly description: string;
  readonly key: string;
  /** It may be another tenant's. */
  readonly unplaced?: true;
  /** The properties of its rule whose values must not be shown, and `redirect_uri`. */
  readonly secret: ReadonlySet<string>;
}

export interface AclVersions {
  readonly before: readonly ReviewedAcl[];
  readonly after: readonly ReviewedAcl[];
}

export const aclTypes: readonly string[] = ["tenant_network_acl", "auth0_network_acl"];

/** `living`: the ACLs that the tenant has, where that is known. */
export function aclsOf(plans: readonly Plan[], living: readonly Values[] = []): AclVersions {
  const objects = managedIn([...plans, ...plans.flatMap(({ rivals = [] }) => rivals)]);
  const before = objects.flatMap((object) => versionBefore(object));
  const after = objects.flatMap((object) =>
    object.isSuperseded ? [] : reviewed(object, object.after, object.afterSensitive),
  );
  const managed = new Set([...before, ...after].map(({ id }) => id));
  const others = new Map<unknown, Values>(living.map((acl) => [acl["id"], acl]));
  const unmanaged = [...others.values()].filter(({ id }) => !managed.has(id as string)).flatMap((acl) => aclFrom(acl));
  return {
    before: [...before, ...unmanaged],
    after: [...after, ...unmanaged],
  };
}

function versionBefore(object: KeyedObject): ReviewedAcl[] {
  const { before, beforeSensitive, isImported, importId, isKnownAlready } = object;
  if (isKnownAlready) return [];
  if (before || !isImported) return reviewed(object, before, beforeSensitive);
  // The object is on the tenant, but the plan does not show its values.
  const unknown = { description: true, active: true, priority: true, rule: true };
  return reviewed(object, withUnknown({ id: importId }, unknown, unknownName(object)) as Values, undefined);
}

interface KeyedObject extends PlannedObject {
  /** Its address, and of addresses that several plans have, which of them. */
  readonly key: string;
  /** Several resources manage the ACL, and which of them is applied last is not known. */
  readonly isContested?: true;
  /** Another resource shows the ACL before the apply. */
  readonly isKnownAlready?: boolean;
  /** Another resource shows the ACL after the apply. */
  readonly isSuperseded?: boolean;
}

/** Keeps each version once of an ACL that several resources manage. */
function managedIn(plans: readonly Plan[]): KeyedObject[] {
  const found = plans.map((plan) => objectsOf(plan, aclTypes).flatMap(apart));
  const all = found.flatMap((objects, index) =>
    objects.map((object): KeyedObject => {
      const isShared = found.some((others, at) => at !== index && others.some((one) => one.address === object.address));
      return { ...object, key: isShared ? `${object.address} of plan ${index + 1}` : object.address };
    }),
  );
  const byId = new Map<unknown, KeyedObject[]>();
  for (const object of all) {
    const id: unknown = object.before?.["id"] ?? object.importId ?? object;
    byId.set(id, [...(byId.get(id) ?? []), object]);
  }
  return [...byId.values()].flatMap(versionsOf);
}

function versionsOf(own: readonly KeyedObject[]): KeyedObject[] {
  // If one resource forgets an ACL and another imports it, the values of the other one count.
  const managing = own.filter((object) => managedBy(object) !== undefined);
  if (managing.length < 2) return [managing[0] ?? own[0]!];
  const sides = managing.map(({ before, after }) => ({ before, after }));
  const isFirst = (side: "before" | "after", index: number) =>
    sides.findIndex((one) => isSame(one[side], sides[index]![side])) === index;
  const afters = sides.filter((_, index) => isFirst("after", index));
  return managing.map((object, index) => ({
    ...object,
    ...(afters.length > 1 && { isContested: true as const }),
    isKnownAlready: !isFirst("before", index),
    isSuperseded: !isFirst("after", index),
  }));
}

const isSame = (one: unknown, other: unknown) => textOf(one) === textOf(other);

/** Values that are not known count as equal. */
const textOf = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "symbol" ? { unknown: true } : part));

function reviewed(object: KeyedObject, values: Values | undefined, marks: Marks): ReviewedAcl[] {
  if (!values) return [];
  const { key, address, plan, unplaced, isContested } = object;
  // One more assumption of its rule. The tenant is the same before and after.
  const doubts = {
    ...(unplaced && { tenant: notKnown(`the tenant of ${key}`) }),
    ...(isContested && values === object.after && { order: notKnown(`the order in which ${key} is applied`) }),
  };
  return aclFrom(values, marks, address, key).map((acl) => ({
    ...acl,
    ...(plan !== undefined && { plan }),
    ...(unplaced && { unplaced }),
    rule: { ...acl.rule, ...doubts } as Rule,
  }));
}

export function aclFrom(values: Values, marks?: Marks, address?: string, called = address): ReviewedAcl[] {
  const { id, description } = values;
  const active = activeFrom(values["active"]);
  const rule = ruleFrom(values["rule"]);
  if (!rule) return [];
  const known = typeof id === "string" ? id : undefined;
  const secretDescription = isMarked(marks, "description");
  const title =
    typeof description === "string" ? description : typeof description === "symbol" ? "(known after apply)" : "";
  return [
    {
      ...(address !== undefined && { address }),
      ...(known !== undefined && { id: known }),
      description: secretDescription ? hidden : title,
      key: called ?? known ?? title,
      active: active !== false,
      priority: priorityFrom(values["priority"]),
      // Whether a list is active that may be or not is one more thing that its rule may hang on.
      rule: typeof active === "symbol" ? ({ ...rule, active } as Rule) : rule,
      secret: secretsOf(marks, rule),
    },
  ];
}

/** Reads an unusual spelling such as "false". Any other value is not known. */
function activeFrom(value: unknown): boolean | symbol {
  if (typeof value === "boolean" || typeof value === "symbol") return value;
  if (value === undefined || value === null || value === "true") return true;
  return value === "false" ? false : notKnown(`active ${JSON.stringify(value)}`);
}

/** NaN: not known. */
function priorityFrom(value: unknown): number {
  if (value === undefined || value === null) return 50;
  return typeof value === "number" || (typeof value === "string" && value !== "") ? Number(value) : NaN;
}

function ruleFrom(value: unknown): Rule | undefined {
  const rule = block(value);
  if (typeof rule === "symbol") return { action: rule, match: rule, scope: rule } as unknown as Rule;
  if (!rule) return undefined;
  const [action = {}, match, not_match] = [rule["action"], rule["match"], rule["not_match"]].map(block);
  const side = (name: string, criteria: Values | symbol | undefined) => {
    if (typeof criteria === "symbol") return { [name]: criteria };
    const given = criteria && signalsOf(criteria);
    return given && Object.keys(given).length > 0 ? { [name]: given } : {};
  };
  const { action: _action, match: _match, not_match: _not, scope, ...rest } = rule;
  return {
    ...written(rest),
    action: typeof action === "symbol" ? (action as unknown as Rule["action"]) : written(action),
    ...side("match", match),
    ...side("not_match", not_match),
    scope: scope as string,
  };
}

function signalsOf(criteria: Values): Values {
  const given = written(criteria);
  const signature = block(given["http_message_signature"]);
  return signature ? { ...given, http_message_signature: signature } : given;
}

function secretsOf(marks: Marks, rule: Rule): ReadonlySet<string> {
  const named = [rule.match, rule.not_match].flatMap((side) => (typeof side === "object" ? Object.keys(side) : []));
  const found = [...new Set([...signals.flatMap(({ properties }) => properties), ...named])].filter((name) =>
    ["match", "not_match"].some((side) => isMarked(marks, "rule", side, name)),
  );
  return new Set([
    ...found,
    ...(isMarked(marks, "rule", "action", "redirect_uri") ? ["redirect_uri"] : []),
    ...["description", "priority"].filter((name) => isMarked(marks, name)),
    ...Object.keys(rule).filter((name) => !parts.has(name) && isMarked(marks, "rule", name)),
  ]);
}

/** Of a rule what has parts of its own. */
const parts: ReadonlySet<string> = new Set(["action", "match", "not_match"]);

/** The values of a rule that must not be shown, as they may stand in the words about it. */
export function secretTexts({ rule, secret }: ReviewedAcl): string[] {
  const values = [rule.match, rule.not_match, rule.action, rule].flatMap((part) =>
    typeof part === "object" ? Object.entries(part) : [],
  );
  return values
    .filter(([name]) => secret.has(name))
    .flatMap(([, value]) =>
      typeof value === "string" ? [value] : [(JSON.stringify(value) as string | undefined) ?? ""],
    )
    .filter((text) => text !== "");
}
