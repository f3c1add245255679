/** Judges changes of signature keys, and finds the rules that name them. Key material is never shown. */
import { effect, type Effect } from "../effect";
import { kindOf } from "../../kinds/kinds";
import { mostKeys, networkAclKey } from "../../kinds/network-acl-key";
import { isMarked, isReplaced, type Marks, type PlannedObject, splitKept, type Values } from "../model";
import type { KeyFacts, KeyName, KeySuccession, ObjectName, UnknownKeyFacts } from "../objects/facts";
import { type PlanAndTenant, unmanagedOf } from "../objects/duplicates";
import type { AclVersions, PlannedAcl } from "./acl";
import { titleOf } from "./words";
import { isUnknown } from "../../../formats/cty/value";

/** Ids of the signature keys that a rule names. A symbol: not known yet. */
export function keysIn(rule: unknown): (string | symbol)[] {
  const keys = ["match", "not_match"].flatMap((side) => {
    const found = partOf(rule, side, "http_message_signature", "keys");
    const ids = Array.isArray(found) ? found.map((key) => partOf(key, "id")) : [found];
    return ids.filter((id) => typeof id === "string" || isUnknown(id));
  });
  return [...new Set(keys)];
}

/** Whether a rule names a key by an id that is known. */
export const namesKey = (rule: unknown): boolean => keysIn(rule).some((id) => typeof id === "string");

/** The part at the path, or the symbol on the way to it. */
function partOf(value: unknown, ...path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined || isUnknown(value)) return value;
  return typeof value === "object" && value !== null ? partOf((value as Values)[name], ...rest) : undefined;
}

/** The ACLs whose rules name the key. The tenant refuses to delete a key that a rule names, even of an inactive ACL. */
export const aclsNaming = <A extends { readonly rule?: unknown }>(key: string, acls: readonly A[]): A[] =>
  acls.filter(({ rule }) => keysIn(rule).includes(key));

/** The values of a key, and which of them are sensitive. */
export type KeyChange = Pick<PlannedObject, "before" | "after" | "beforeSensitive" | "afterSensitive">;

/** The name that the key has, or else that it will have. */
export function keyName({ before, after, beforeSensitive, afterSensitive }: KeyChange): KeyName {
  return before ? nameIn(before, beforeSensitive) : nameIn(after ?? {}, afterSensitive);
}

/** Part of a name is no less secret than the whole. */
function nameIn({ name, name_prefix: prefix }: Values, sensitive: Marks): KeyName {
  if (isMarked(sensitive, "name") || isMarked(sensitive, "name_prefix")) return { isSecret: true };
  if (typeof name === "string") return { name };
  return typeof prefix === "string" ? { prefix } : {};
}

/** One with another fingerprint has other material; with the same it has another name or algorithm alone. */
function howReplaced({ before, after }: KeyChange): KeySuccession {
  const [was, is] = [before, after].map((values) => values?.["fingerprint"]);
  if (typeof was !== "string" || typeof is !== "string") return "replaced";
  if (was !== is) return "rotated";
  return before?.["name"] === after?.["name"] ? "replaced" : "renamed";
}

/** The key that takes the place of another one. */
export const successionOf = (key: KeyChange): { readonly next: KeyName; readonly how: KeySuccession } => ({
  next: nameIn(key.after ?? {}, key.afterSensitive),
  how: howReplaced(key),
});

/** The rules that name keys which go, and the number of keys. */
export function keyEffects(plan: PlanAndTenant, { before, after }: AclVersions): Effect[] {
  const keys = plan.objects.filter(({ type }) => kindOf(type) === networkAclKey);
  if (keys.length === 0) return [];
  const deleted = keys.filter(({ actions }) => actions.includes("delete"));
  const going = new Map<unknown, PlannedObject>(deleted.map((key) => [key.before?.["id"], key]));
  const goingIn = (acl: PlannedAcl | undefined) => (acl ? keysIn(acl.rule).flatMap((id) => going.get(id) ?? []) : []);
  const were = new Map(before.map((acl) => [acl.key, acl]));
  return [
    ...after.flatMap((acl) => {
      const prior = were.get(acl.key);
      const named = goingIn(acl);
      const left = goingIn(prior).filter((key) => key.after && !named.includes(key));
      // If the new key has the name of the old one, the old one must go first, and cannot while the rule may name it.
      const held = keysIn(acl.rule).some(isUnknown) ? left.filter(hasSameName) : [];
      const still = [...named, ...held];
      const rotating = left.filter((key) => !held.includes(key) && (acl.active || goesFirst(key)));
      const refuses = still.length > 0 && isCertain(acl, named);
      return [
        ...(still.length > 0
          ? [
              effect("TNF-KEY-IN-USE", inUse(acl, still, prior), {
                ...(acl.address === undefined ? still[0] : acl),
                ...(refuses && { refuses }),
              }),
            ]
          : []),
        ...(rotating.length > 0 ? [effect("TNF-KEY-ROTATED", rotated(acl, rotating, prior), acl)] : []),
      ];
    }),
    ...numberEffects(keys, plan),
  ];
}

/** The rules that name a key that the tenant does not have. None if the keys are not known. A key that the plan creates has no id yet. */
export function unknownKeyEffects({ objects, remote }: PlanAndTenant, { before, after }: AclVersions): Effect[] {
  const { network_acl_keys: all } = remote;
  if (!all) return [];
  const planned = new Map(
    objects.filter(({ type }) => kindOf(type) === networkAclKey).map((key) => [key.before?.["id"], key]),
  );
  const ids = new Set([...all.map(({ id }) => id), ...planned.keys()]);
  const were = new Map(before.map((acl) => [acl.key, acl]));
  return after.flatMap((acl) => {
    if (acl.address === undefined || acl.tenantUnknown) return [];
    const isSecret = acl.secret.has("http_message_signature");
    const missing = keysIn(acl.rule).filter((id): id is string => typeof id === "string" && !ids.has(id));
    return (isSecret ? missing.slice(0, 1) : missing).map((id) => {
      const facts: UnknownKeyFacts = {
        kind: "unknown key",
        acl: titleOf(acl),
        ...(!isSecret && { id }),
        known: all.map((values) => {
          const { name } = keyName(planned.get(values["id"]) ?? { before: values });
          return { id: String(values["id"]), ...(name !== undefined && { name }) };
        }),
      };
      const isOld = keysIn(were.get(acl.key)?.rule).includes(id);
      return effect("TNF-UNKNOWN-KEY", facts, { ...acl, ...(isOld && { already: true as const }) });
    });
  });
}

/** An ACL outside the plan may change before the apply, but not between the new key and the old one of the same name. */
const isCertain = (acl: PlannedAcl, named: readonly PlannedObject[]) =>
  named.some((key) => key.type === networkAclKey.type && (acl.address !== undefined || hasSameName(key)));

/** Whether the new key has the name of the key that it replaces. */
function hasSameName({ before, after }: KeyChange): boolean {
  return typeof before?.["name"] === "string" && before["name"] === after?.["name"];
}

/** A replacement that creates first needs a place. */
function numberEffects(keys: readonly PlannedObject[], plan: PlanAndTenant): Effect[] {
  const others = unmanagedOf(networkAclKey, { objects: plan.objects, remote: plan.remote });
  const all = keys.flatMap(splitKept);
  const were = others.length + all.filter(({ before }) => before).length;
  const are = others.length + all.filter(({ after }) => after).length;
  const coming = keys.find(({ actions }) => actions.includes("create"));
  if (!coming) return [];
  if (are > mostKeys) {
    const isOurs = keys.every(({ type, plan: named }) => type === networkAclKey.type && named === coming.plan);
    const facts = { kind: "number of keys", count: are, most: mostKeys } as const;
    return [effect("TNF-TOO-MANY-KEYS", facts, { ...coming, ...(isOurs && { refuses: true }) })];
  }
  const first = keys.find((key) => isReplaced(key) && (key.anyOrder || key.actions[0] === "create"));
  if (were < mostKeys || !first) return [];
  const facts = { kind: "number of keys", count: were, most: mostKeys, replaced: nameOf(first) } as const;
  return [effect("TNF-TOO-MANY-KEYS", facts, { ...first, certainty: first.anyOrder ? "possible" : "certain" })];
}

const inUse = (acl: PlannedAcl, keys: readonly PlannedObject[], prior: PlannedAcl | undefined): KeyFacts => ({
  kind: "key",
  acl: titleOf(acl),
  keys: namesOf(keys, prior ? [acl, prior] : [acl]),
  going: [...new Set(keys.map((key) => (key.after ? "replaced" : "destroyed")))],
  ...(acl.address === undefined && { isUnmanaged: true as const }),
  ...(keys.some(hasSameName) && { keepsName: true as const }),
});

function rotated(acl: PlannedAcl, keys: readonly PlannedObject[], prior: PlannedAcl | undefined): KeyFacts {
  return {
    kind: "key",
    acl: titleOf(acl),
    keys: namesOf(keys, prior ? [acl, prior] : [acl]),
    ...(acl.active && {
      stops: keys.every((key) => howReplaced(key) === "renamed") ? ("id" as const) : ("material" as const),
    }),
    ...(keys.some(goesFirst) && { goesFirst: true as const }),
  };
}

const goesFirst = ({ actions, anyOrder }: PlannedObject) => !anyOrder && actions[0] === "delete";

/** A rule may keep secret which keys it names, even if the names of the keys are not secret. */
function namesOf(keys: readonly PlannedObject[], acls: readonly PlannedAcl[]): ObjectName[] {
  if (acls.some(({ secret }) => secret.has("http_message_signature"))) return [];
  return keys.map(nameOf);
}

const nameOf = (key: PlannedObject): ObjectName => ({ address: key.address, key: keyName(key) });
