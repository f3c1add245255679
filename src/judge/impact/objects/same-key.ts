/**
 * Finds objects that one tenant cannot have together, because they have the same unique key: two ACLs of one priority, two policies for the
 * same applications, two keys of one name. One of them may be an unmanaged object of the tenant.
 */
import { kindOf } from "../../kinds/kinds";
import { type Kind, textOf } from "../../kinds/kind";
import { networkAcl } from "../../kinds/network-acl";
import { networkAclKey } from "../../kinds/network-acl-key";
import { rateLimitPolicy } from "../../kinds/rate-limit-policy";
import { type Code, effect, type Effect } from "../effect";
import { grouped, isMarked, isReplaced, type PlannedObject, sharing, splitKept, type Values } from "../model";
import { type AclVersions, type PlannedAcl, unchangedAcls } from "../network-acl/acl";
import { hidden } from "../../../formats/text/lists";
import { canonical, isUnknown } from "../../../formats/cty/value";
import { contentOf, managedBy, type PlanAndTenant, unmanagedOf } from "./duplicates";
import type { SameKeyFacts } from "./facts";

/** By the name of the kind. Two member sets of one organization are duplicates of one list instead. */
const codes: Readonly<Record<string, Code>> = {
  [networkAcl.name]: "TNF-ACL-SAME-PRIORITY",
  [rateLimitPolicy.name]: "TNF-POLICY-SAME-CALLERS",
  [networkAclKey.name]: "TNF-KEY-SAME-NAME",
};

/** An object that has the key after the apply. */
interface Bearer {
  readonly key: string | number | undefined;
  /** How people know it. */
  readonly title: string;
  /** Of the last attribute of the key. */
  readonly value: unknown;
  /** Whether the plan gives it the key. */
  readonly isNew: boolean;
  readonly object?: PlannedObject | undefined;
  /** An unmanaged object. */
  readonly unmanaged?: Values;
}

/** One effect for each key and plan. Several resources of one object are duplicates. */
export function sameKeyEffects(plan: PlanAndTenant, versions: AclVersions): Effect[] {
  const kinds = new Set(plan.objects.map(({ type }) => kindOf(type)));
  return [networkAcl, rateLimitPolicy, networkAclKey].flatMap((kind) => {
    if (!kinds.has(kind)) return [];
    return effectsOf(kind, kind === networkAcl ? aclsIn(plan, versions) : bearersIn(kind, plan));
  });
}

const effectsOf = (kind: Kind, bearers: readonly Bearer[]): Effect[] =>
  sharing(bearers, ({ key }) => key).flatMap((all) => sameKeyEffect(kind, all));

function sameKeyEffect(kind: Kind, all: readonly Bearer[]): Effect[] {
  const group = [...grouped(all, ({ object }) => object && managedBy(object))].flatMap(([identity, own]) =>
    identity === undefined ? own : [own[0]!],
  );
  if (group.length < 2) return [];
  const changed = group.find(({ isNew }) => isNew);
  const facts = factsOf(kind, group, changed);
  const refuses = changed && !facts.holder?.isMoved ? isRefused(kind, group) : false;
  const about = { ...(refuses !== undefined && { refuses }), ...(!changed && { already: true as const }) };
  // Each plan has the effect, because either may be applied last.
  const byPlan = grouped(group, ({ object }) => object?.plan);
  return [...byPlan].flatMap(([plan, own]) => {
    const { object: { address } = {} } = own.find(({ isNew }) => isNew) ?? own[0]!;
    const at = { ...(address !== undefined && { address }), ...(plan !== undefined && { plan }) };
    return byPlan.size === 1 || plan !== undefined ? effect(codes[kind.name]!, facts, { ...at, ...about }) : [];
  });
}

function factsOf(kind: Kind, group: readonly Bearer[], changed: Bearer | undefined): SameKeyFacts {
  const { noun, uniqueKey, type } = kind;
  const secret = group.some(({ value }) => value === hidden);
  const holder = group.find(({ unmanaged }) => unmanaged)?.unmanaged;
  const after = changed?.object?.after;
  const isMoved = kind === networkAcl && changed?.object?.actions.join() === "update";
  const isIdentical = holder && after && contentOf(type, holder) === contentOf(changed.object!.type, after);
  return {
    kind: "same key",
    noun,
    attributes: uniqueKey,
    value: secret ? hidden : JSON.stringify(group[0]!.value),
    titles: group.filter(({ unmanaged }) => !unmanaged).map(({ title }) => title),
    ...(holder && {
      holder: {
        type: changed?.object?.type ?? type,
        id: textOf(holder["id"]),
        ...nameOf(holder),
        ...(isIdentical && { isIdentical: true as const }),
        ...(changed?.object && isReplaced(changed.object) && { isReplacement: true as const }),
        ...(isMoved && { isMoved: true as const }),
      },
    }),
  };
}

function nameOf({ description, name = description }: Values): { readonly name?: string } {
  return typeof name === "string" ? { name } : {};
}

/** The provider sees the objects of one plan, and the tenant. */
function isRefused({ type }: Kind, group: readonly Bearer[]): boolean | undefined {
  const ours = group.flatMap(({ object }) => (object?.type === type ? object : []));
  if (ours.length === 0) return group.some(({ unmanaged }) => unmanaged) ? undefined : false;
  const isSeen = ({ object }: Bearer) => !object || (object.type === type && object.plan === ours[0]!.plan);
  return group.every(isSeen) ? true : undefined;
}

function bearersIn(kind: Kind, plan: PlanAndTenant): Bearer[] {
  const name = kind.uniqueKey.at(-1)!;
  const own = plan.objects.filter((one) => kindOf(one.type) === kind && !one.tenantUnknown && one.after);
  return [
    ...own.map((object): Bearer => {
      const { after, afterSensitive, actions } = object;
      return {
        key: actions.includes("forget") ? undefined : keyIn(kind, after!),
        title: placedTitle(object),
        value: isMarked(afterSensitive, name) ? hidden : after![name],
        // No update changes the key.
        isNew: actions.includes("create"),
        object,
      };
    }),
    ...unmanagedOf(kind, plan).map((unmanaged) => ({
      key: keyIn(kind, unmanaged),
      value: unmanaged[name],
      ...other(unmanaged),
    })),
  ];
}

const placedTitle = ({ address = "", plan }: Pick<PlannedAcl, "address" | "plan">) =>
  plan === undefined ? address : `${address} of ${plan}`;

const other = (unmanaged: Values) => ({ title: "", isNew: false, unmanaged });

/** Undefined: a part of the key is not known. */
function keyIn({ uniqueKey }: Kind, values: Values): string | undefined {
  const key = uniqueKey.map((name) => values[name]);
  return key.every((part) => typeof part === "string" || typeof part === "number") ? canonical(key) : undefined;
}

/** An inactive ACL occupies its priority too. */
function aclsIn({ objects, remote, later }: PlanAndTenant, versions: AclVersions): Bearer[] {
  const unchanged = unchangedAcls(versions);
  const own = new Map(objects.flatMap(splitKept).map((object) => [placeOf(object), object]));
  const unmanaged = new Map(remote.network_acls?.map((values) => [values["id"], values]));
  const acls = versions.after.filter(
    ({ tenantUnknown, address, id }) => !tenantUnknown && !(address === undefined && later?.has(id)),
  );
  return acls.map((acl): Bearer => {
    const { secret } = acl;
    const priority = isUnknown(acl.priority) ? undefined : acl.priority;
    const object = own.get(placeOf(acl));
    const isKept =
      object?.before !== undefined && object.before["priority"] === priority && !object.actions.includes("create");
    return {
      key: priority,
      title: placedTitle(acl),
      value: secret.has("priority") ? hidden : priority,
      isNew: !unchanged.has(acl) && !isKept,
      ...(acl.address === undefined
        ? { unmanaged: unmanaged.get(acl.id) ?? { id: acl.id, description: acl.description } }
        : { object }),
    };
  });
}

const placeOf = ({ address, plan }: Pick<PlannedAcl, "address" | "plan">) => canonical([address, plan]);
