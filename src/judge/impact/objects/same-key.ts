/**
 * Finds objects that one tenant cannot have together, because they have the same unique key: two ACLs of one priority, two policies for the
 * same applications, two keys of one name. The provider says the same sentence when it plans the second object.
 */
import { kindOf } from "../../kinds/kinds";
import type { Kind } from "../../kinds/kind";
import { networkAcl } from "../../kinds/network-acl";
import { networkAclKey } from "../../kinds/network-acl-key";
import { rateLimitPolicy } from "../../kinds/rate-limit-policy";
import { effect, type Code, type Effect } from "../effect";
import type { PlannedObject } from "../model";
import { hidden } from "../phrases";
import { canonical } from "../../../formats/cty/value";
import { grouped, isMarked, sharing } from "../value";
import { managedBy } from "./duplicates";
import type { SameKeyFacts } from "./facts";

/** By the name of the kind. Two member sets of one organization are duplicates of one list instead. */
const codes: Readonly<Record<string, Code>> = {
  [networkAcl.name]: "TNF-ACL-SAME-PRIORITY",
  [rateLimitPolicy.name]: "TNF-POLICY-SAME-CALLERS",
  [networkAclKey.name]: "TNF-KEY-SAME-NAME",
};

/** `titles`: how people know the objects. `value`: of the last attribute of the key. */
export const sameKeyFacts = ({ noun, uniqueKey }: Kind, value: unknown, titles: readonly string[]): SameKeyFacts => ({
  kind: "same key",
  noun,
  attributes: uniqueKey,
  value: value === hidden ? hidden : JSON.stringify(value),
  titles,
});

/** One effect for each key. ACLs are judged together with those of the tenant. Several resources of one object are duplicates. */
export function sameKeyEffects(objects: readonly PlannedObject[]): Effect[] {
  const apart = objects.filter(({ type, unplaced }) => !unplaced && kindOf(type) !== networkAcl);
  return sharing(apart, keyOf).flatMap((all) => {
    const group = [...grouped(all, managedBy)].flatMap(([identity, own]) => (identity === undefined ? own : [own[0]!]));
    if (group.length < 2) return [];
    const kind = kindOf(group[0]!.type)!;
    return sameKeyEffect(kind, sameKeyFacts(kind, valueIn(kind, group), group.map(titleOf)), group, isPlanned);
  });
}

/** The effect of a group of objects. `isNew`: whether the plan changes an object. */
export function sameKeyEffect<T extends Placed>(
  kind: Kind,
  facts: SameKeyFacts,
  group: readonly T[],
  isNew: (one: T) => boolean,
): Effect {
  const object = group.find(isNew);
  const { address, plan } = object ?? group[0]!;
  const refuses = object ? isRefused(kind, group) : false;
  return effect(codes[kind.name]!, facts, { address, plan, refuses, ...(!object && { already: true }) });
}

type Placed = Pick<Effect["subject"], "address" | "plan">;

/** The provider sees the objects of one plan. Undefined: what it finds on the tenant decides. */
function isRefused({ type }: Kind, group: readonly Placed[]): boolean | undefined {
  const isOurs = ({ address }: Placed) => address?.split(".").includes(type) === true;
  if (!group.some(isOurs)) return group.some(({ address }) => address === undefined) ? undefined : false;
  return group.every((one) => isOurs(one) && one.plan === group[0]!.plan) ? true : undefined;
}

const isPlanned = ({ actions }: PlannedObject) => actions.some((action) => action === "create" || action === "update");

const titleOf = ({ address, plan }: PlannedObject) => (plan === undefined ? address : `${address} of ${plan}`);

/** Undefined: another kind, or a part of the key is not known. */
function keyOf({ type, after, actions }: PlannedObject): string | undefined {
  const kind = kindOf(type);
  if (!kind || !after || actions.includes("forget") || codes[kind.name] === undefined) return undefined;
  const key = kind.uniqueKey.map((name) => after[name]);
  return key.every((part) => typeof part === "string" || typeof part === "number")
    ? canonical([kind.name, ...key])
    : undefined;
}

function valueIn({ uniqueKey }: Kind, group: readonly PlannedObject[]): unknown {
  const name = uniqueKey.at(-1)!;
  return group.some(({ afterSensitive }) => isMarked(afterSensitive, name)) ? hidden : group[0]!.after![name];
}
