/** The network ACLs of a tenant before and after the change. */
import { notKnown, type Rule } from "../../access/access";
import { apart, unknownName, type Marks, type PlannedObject, type Values } from "../model";
import { withUnknown } from "../value";
import { aclFrom, type PlannedAcl } from "./acl";

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
  const found = plans.map((objects) => objects.flatMap(apart));
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
  JSON.stringify(value, (_, part: unknown) => (typeof part === "symbol" ? { unknown: true } : part));

function versionBefore(object: KeyedObject): PlannedAcl[] {
  const { before, beforeSensitive, isImported, importId, isKnownAlready } = object;
  if (isKnownAlready) return [];
  if (before || !isImported) return versionOf(object, before, beforeSensitive);
  // The ACL is on the tenant, but the plan does not show its values.
  const unknown = { description: true, active: true, priority: true, rule: true };
  return versionOf(object, withUnknown({ id: importId }, unknown, unknownName(object)) as Values, undefined);
}

function versionOf(object: KeyedObject, values: Values | undefined, sensitive: Marks): PlannedAcl[] {
  if (!values) return [];
  const { key, address, plan, unplaced, isContested } = object;
  // Each doubt is one more assumption of its rule. The tenant is the same before and after.
  const unknowns = {
    ...(unplaced && { tenant: notKnown(`the tenant of ${key}`) }),
    ...(isContested && values === object.after && { order: notKnown(`the order in which ${key} is applied`) }),
  };
  return aclFrom(values, sensitive, address, key).map((acl) => ({
    ...acl,
    ...(plan !== undefined && { plan }),
    ...(unplaced && { unplaced }),
    rule: { ...acl.rule, ...unknowns } as Rule,
  }));
}
