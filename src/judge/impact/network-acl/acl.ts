/** A network ACL of a plan, in the form that src/judge/access evaluates. */
import { type Acl, type AclDoubt, doubtsAbout, notKnown, type Possibly, type Rule, signals } from "../../access/access";
import { hidden } from "../../../formats/text/lists";
import {
  block,
  grouped,
  isMarked,
  type Marks,
  type PlannedObject,
  splitKept,
  unknownName,
  type Values,
  withoutAbsent,
  withUnknown,
} from "../model";
import { canonical, hasUnknown, isUnknown } from "../../../formats/cty/value";
import type { Assumption } from "../words/assumption";

export interface PlannedAcl extends Acl {
  /** Left out: the ACL is unmanaged. */
  readonly address?: string;
  /** The name of its plan, if there are several plans. */
  readonly plan?: string;
  readonly id?: string;
  readonly description: string;
  readonly key: string;
  /** It may be another tenant's. */
  readonly tenantUnknown?: true;
  /** The properties of its rule whose values must not be shown, and `redirect_uri`. */
  readonly secret: ReadonlySet<string>;
}

/** Whether a value that decides is known only after the apply. */
export const isOpen = ({ priority, rule }: PlannedAcl) => isUnknown(priority) || hasUnknown(rule);

export const doubtOf = ({ acl, path, why }: AclDoubt<PlannedAcl>): Assumption => ({
  is: "ACL",
  acl: acl.address ?? acl.id ?? acl.description,
  path,
  why,
  ...(acl.address !== undefined && { address: acl.address }),
});

/** What is not sure about an ACL among those of its version. */
export const doubtsIn = (acl: PlannedAcl, all: readonly PlannedAcl[]): Assumption[] =>
  doubtsAbout(acl, all).map((doubt) => doubtOf({ ...doubt, acl }));

export function aclFrom(values: Values, sensitive?: Marks, address?: string, called = address): PlannedAcl[] {
  const { id, description } = values;
  const active = activeFrom(values["active"]);
  const rule = ruleFrom(values["rule"]);
  if (!rule) return [];
  const known = typeof id === "string" ? id : undefined;
  const secretDescription = isMarked(sensitive, "description");
  const title = typeof description === "string" ? description : isUnknown(description) ? "(known after apply)" : "";
  return [
    {
      ...(address !== undefined && { address }),
      ...(known !== undefined && { id: known }),
      description: secretDescription ? hidden : title,
      key: called ?? known ?? title,
      active: active !== false,
      priority: priorityFrom(values["priority"]),
      // An ACL that is perhaps active is one more assumption of its rule.
      rule: isUnknown(active) ? { ...rule, active } : rule,
      secret: secretsOf(sensitive, rule),
    },
  ];
}

/** Reads an unusual spelling such as "false". Any other value is not known. */
function activeFrom(value: unknown): Possibly<boolean> {
  if (typeof value === "boolean" || isUnknown(value)) return value;
  if (value === undefined || value === null || value === "true") return true;
  return value === "false" ? false : notKnown(`active ${JSON.stringify(value)}`);
}

function priorityFrom(value: unknown): Possibly<number> {
  if (isUnknown(value)) return value;
  if (value === undefined || value === null) return 50;
  const priority = typeof value === "number" || (typeof value === "string" && value !== "") ? Number(value) : NaN;
  return Number.isNaN(priority) ? notKnown(`priority ${JSON.stringify(value)}`) : priority;
}

function ruleFrom(value: unknown): Rule | undefined {
  const rule = block(value);
  if (isUnknown(rule)) return { action: rule, match: rule, scope: rule };
  if (!rule) return undefined;
  const [action = {}, match, not_match] = [rule["action"], rule["match"], rule["not_match"]].map(block);
  const side = (name: string, criteria: Values | symbol | undefined) => {
    if (isUnknown(criteria)) return { [name]: criteria };
    const given = criteria && signalsOf(criteria);
    return given && Object.keys(given).length > 0 ? { [name]: given } : {};
  };
  const { action: _action, match: _match, not_match: _not, scope, ...rest } = rule;
  return {
    ...withoutAbsent(rest),
    action: isUnknown(action) ? action : withoutAbsent(action),
    ...side("match", match),
    ...side("not_match", not_match),
    scope: scope as string,
  };
}

function signalsOf(criteria: Values): Values {
  const given = withoutAbsent(criteria);
  const signature = block(given["http_message_signature"]);
  return signature ? { ...given, http_message_signature: signature } : given;
}

function secretsOf(sensitive: Marks, rule: Rule): ReadonlySet<string> {
  const named = [rule.match, rule.not_match].flatMap((side) => (typeof side === "object" ? Object.keys(side) : []));
  const found = [...new Set([...signals.flatMap(({ properties }) => properties), ...named])].filter((name) =>
    ["match", "not_match"].some((side) => isMarked(sensitive, "rule", side, name)),
  );
  return new Set([
    ...found,
    ...(isMarked(sensitive, "rule", "action", "redirect_uri") ? ["redirect_uri"] : []),
    ...["description", "priority"].filter((name) => isMarked(sensitive, name)),
    ...Object.keys(rule).filter((name) => !parts.has(name) && isMarked(sensitive, "rule", name)),
  ]);
}

/** The parts of a rule that have properties of their own. */
const parts: ReadonlySet<string> = new Set(["action", "match", "not_match"]);

export interface AclVersions {
  readonly before: readonly PlannedAcl[];
  readonly after: readonly PlannedAcl[];
}

/** `plans`: the network ACLs of each plan. `remote`: all network ACLs of the tenant, as far as they are known. */
export function aclVersions(plans: readonly (readonly PlannedObject[])[], remote: readonly Values[] = []): AclVersions {
  const objects = managedIn(plans);
  const before = objects.flatMap(versionBefore);
  const after = objects.flatMap((object) =>
    object.isSuperseded ? [] : versionOf(object, object.after, object.afterSensitive),
  );
  const managed = new Set([...before, ...after].map(({ id }) => id));
  const byId = new Map<unknown, Values>(remote.map((acl) => [acl["id"], acl]));
  const unmanaged = [...byId.values()].filter(({ id }) => !managed.has(id as string)).flatMap((acl) => aclFrom(acl));
  return { before: [...before, ...unmanaged], after: [...after, ...unmanaged] };
}

interface KeyedObject extends PlannedObject {
  /** Its address. If several plans have the address, the key names the plan too. */
  readonly key: string;
  /** Several resources manage the ACL, and the order in which they are applied is not known. */
  readonly isContested?: true;
  /** Another resource shows the ACL before the apply. */
  readonly isKnownAlready?: boolean;
  /** Another resource shows the ACL after the apply. */
  readonly isSuperseded?: boolean;
}

/** Keeps each version once if several resources manage the ACL. */
function managedIn(plans: readonly (readonly PlannedObject[])[]): KeyedObject[] {
  const found = plans.map((objects) => objects.flatMap(splitKept));
  const all = found.flatMap((objects, index) =>
    objects.map((object): KeyedObject => {
      const isShared = found.some((others, at) => at !== index && others.some((one) => one.address === object.address));
      return { ...object, key: isShared ? `${object.address} of plan ${index + 1}` : object.address };
    }),
  );
  const byId = grouped(all, (object): unknown => object.before?.["id"] ?? object.importId ?? object);
  return [...byId.values()].flatMap(versionsOf);
}

function versionsOf(own: readonly KeyedObject[]): KeyedObject[] {
  // If one resource forgets an ACL and another imports it, the values of the other one count.
  const managing = own.filter(({ actions }) => !actions.includes("forget"));
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
  JSON.stringify(value, (_, part: unknown) => (isUnknown(part) ? { unknown: true } : part));

function versionBefore(object: KeyedObject): PlannedAcl[] {
  const { before, beforeSensitive, isImported, importId, isKnownAlready } = object;
  if (isKnownAlready) return [];
  if (before || !isImported) return versionOf(object, before, beforeSensitive);
  // The ACL is on the tenant, but the plan does not show its values.
  const unknown = { description: true, active: true, priority: true, rule: true };
  // What is not known after the change is another value.
  const name = `${unknownName(object)} before`;
  return versionOf(object, withUnknown({ id: importId }, unknown, name) as Values, undefined);
}

function versionOf(object: KeyedObject, values: Values | undefined, sensitive: Marks): PlannedAcl[] {
  if (!values) return [];
  const { key, address, plan, tenantUnknown, isContested } = object;
  // Each doubt is one more assumption of its rule. The tenant is the same before and after.
  const unknowns = {
    ...(tenantUnknown && { tenant: notKnown(`the tenant of ${key}`) }),
    ...(isContested && values === object.after && { order: notKnown(`the order in which ${key} is applied`) }),
  };
  return aclFrom(values, sensitive, address, key).map((acl) => ({
    ...acl,
    ...(plan !== undefined && { plan }),
    ...(tenantUnknown && { tenantUnknown }),
    rule: { ...acl.rule, ...unknowns },
  }));
}

/** The ACLs of `after` that are the same before. A replaced ACL gets another id, so it is not the same. */
export function unchangedAcls({ before, after }: AclVersions): ReadonlySet<PlannedAcl> {
  const old = new Map(before.map((acl) => [acl.key, wholeText(acl)]));
  return new Set(after.filter((acl) => old.get(acl.key) === wholeText(acl)));
}

const wholeText = ({ secret: _secret, ...acl }: PlannedAcl) => canonical(acl);
