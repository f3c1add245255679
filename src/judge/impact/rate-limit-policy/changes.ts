/** Finds the limit for each consumer before and after a change. */
import { hidden } from "../../../formats/text/lists";
import { type PlannedObject, sharing, splitKept, type Values } from "../model";
import { type Duplicates, managedBy } from "../objects/duplicates";
import type { Assumption } from "../words/assumption";
import { effective, isGroup, isOpen, keyOf, type Limit, type Policy, policyFrom, ratesOf } from "./policy";

export interface LimitChange {
  readonly address?: string;
  readonly plan?: string;
  /** How the plan changes the policy of the consumer. Left out: it keeps the policy. */
  readonly action?: "create" | "update" | "replace" | "destroy";
  readonly resource: string;
  readonly consumer: string;
  readonly consumer_selector: string;
  /** null: no policy applies to the consumer. */
  readonly before: Limit | null;
  readonly after: Limit | null;
  /** The callers or the limit are known only after the apply, or the limit changes and is sensitive. */
  readonly open?: true;
  /** Why the limit may be another one. */
  readonly assumptions?: readonly Assumption[];
}

/** The policies on one side of the change, by their keys. */
type Side = ReadonlyMap<string, Policy>;

/** `remote`: the policies that the tenant has, if they were read. An unmanaged policy appears only if the plans change its effect. */
export function limitChanges(
  given: readonly PlannedObject[],
  remote?: readonly Values[],
  duplicates: Duplicates = new Map(),
): LimitChange[] {
  const objects = given.flatMap(splitKept);
  const managed = new Set(objects.map(({ before }) => before?.["id"]));
  const others = (remote ?? []).filter(({ id }) => !managed.has(id));
  const unmanaged = others.map((values) => policyFrom({ address: "" }, values));
  const were = objects.flatMap((one) => (one.before ? policyFrom(one, one.before, one.beforeSensitive) : []));
  const are = objects.flatMap((one) => (one.after ? policyFrom(one, one.after, one.afterSensitive) : []));
  // A tenant has one policy for a key. If another one may belong to another tenant, then it does.
  const sure = new Set([...were, ...are].flatMap((policy) => (policy.tenantUnknown ? [] : keyOf(policy))));
  const [before, after] = [were, are].map((own) =>
    own.filter((one) => !one.tenantUnknown || !sure.has(keyOf(one))),
  ) as [Policy[], Policy[]];
  const own = [...before, ...after];
  const contested = new Set(
    objects
      .filter((object) => duplicates.has(managedBy(object) ?? ""))
      .flatMap((one) => [one.before, one.after].flatMap((values) => (values ? keyOf(policyFrom(one, values)) : []))),
  );
  const sides = [before, after].map((policies) => firstByKey([...policies, ...unmanaged])) as [Side, Side];
  const planned: Planned = {
    policies: [firstByKey(before), firstByKey(after)],
    places: [before, after].map((policies) => new Set(policies.map(placeOf))) as [Set<string>, Set<string>],
  };
  const twice = new Set(sharing(after, keyOf).map(([one]) => keyOf(one!)));
  const anyone = after.filter(({ hasUnknownCallers }) => hasUnknownCallers);
  const secrets = secretsIn(own);
  const targets = [...new Set(own.map(keyOf))].map(
    (key) => planned.policies[1].get(key) ?? planned.policies[0].get(key)!,
  );
  return targets.flatMap((target) => {
    const possibleTwins = sides[1].has(keyOf(target)) ? [] : anyone;
    const known: Known = { sides, contested, twice, possibleTwins, secrets, isRead: remote !== undefined };
    const made = changeOf(target, sides, secrets, assumptionsOf(target, known));
    const action = actionOf(target, planned);
    const all = [made, ...ofGroups(target, sides, secrets).map((inGroup) => ({ ...made, ...inGroup }))];
    return all.map((one) => (action ? { ...one, action } : one));
  });
}

/** The policies that the plans have, by key, and their places, before and after. */
interface Planned {
  readonly policies: readonly [Side, Side];
  readonly places: readonly [ReadonlySet<string>, ReadonlySet<string>];
}

const placeOf = ({ address, plan = "" }: Policy) => `${plan} ${address}`;

/** The plan keeps a policy of one meaning in one place, so that only its effect may change. */
function actionOf(target: Policy, { policies, places }: Planned): LimitChange["action"] {
  const [old, now] = policies.map((side) => side.get(keyOf(target)));
  if (old && now) return old.meaning === now.meaning ? undefined : "update";
  if (places[old ? 1 : 0].has(placeOf(target))) return "replace";
  return now ? "create" : "destroy";
}

function changeOf(target: Policy, sides: readonly [Side, Side], secrets: Secrets, assumptions: readonly Assumption[]) {
  const policies = sides.map((side) => candidatesFor(target, side)[0]);
  const [before, after] = policies.map((policy) => (policy ? limitOf(policy, secrets) : null)) as [
    Limit | null,
    Limit | null,
  ];
  const shown = (name: string, value: string) => (isSecret(target, name, secrets) ? hidden : value);
  return {
    address: target.address,
    ...(target.plan !== undefined && { plan: target.plan }),
    resource: shown("resource", target.resource),
    consumer: shown("consumer", target.consumer),
    consumer_selector: shown("consumer_selector", target.by),
    before,
    after,
    ...((target.hasUnknownCallers || isOpen(after) || isSecretChange(policies)) && { open: true as const }),
    ...(assumptions.length > 0 && { assumptions }),
  };
}

/** The change of an application that may belong to a group, for each group whose policy is tighter than what applies without it. */
function ofGroups(target: Policy, sides: readonly [Side, Side], secrets: Secrets): Partial<LimitChange>[] {
  const [were, [first, ...others]] = sides.map((side) => candidatesFor(target, side)) as [
    ReturnType<typeof candidatesFor>,
    ReturnType<typeof candidatesFor>,
  ];
  return others.flatMap((is) => {
    if (!is || !isGroup(is) || ratesOf(is)[0] >= ratesOf(first)[0]) return [];
    const was = were.find((one) => one?.by === is.by) ?? were[0];
    return [
      {
        before: was ? limitOf(was, secrets) : null,
        after: limitOf(is, secrets),
        assumptions: [{ is: isSecret(target, "consumer_selector", secrets) ? "hidden group" : "group" } as const],
      },
    ];
  });
}

/** Whether a limit changes and one of its values is sensitive. */
function isSecretChange([before, after]: readonly (Policy | undefined)[]): boolean {
  return [before, after].some((side) => side?.action === hidden) && before?.meaning !== after?.meaning;
}

interface Known {
  readonly sides: readonly [Side, Side];
  /** The keys of policies that several resources manage. */
  readonly contested: ReadonlySet<string>;
  /** The keys that several policies have after the change. */
  readonly twice: ReadonlySet<string>;
  /** Policies that may limit the same callers. */
  readonly possibleTwins: readonly Policy[];
  readonly secrets: Secrets;
  /** Whether the policies of the tenant were read. */
  readonly isRead: boolean;
}

function assumptionsOf(
  target: Policy,
  { sides, contested, twice, possibleTwins, secrets, isRead }: Known,
): Assumption[] {
  const isHidden = isSecret(target, "consumer_selector", secrets);
  const isClient = isHidden || target.by.startsWith("client_id:");
  const usesDefault = sides.some((side) => {
    const [first] = candidatesFor(target, side);
    return first?.by !== target.by && !(first && isGroup(first));
  });
  const mayHaveGroup = !isRead || sides.some((side) => candidatesFor(target, side).some((one) => one && isGroup(one)));
  const isDefault = !isHidden && (target.by === "default" || target.hasUnknownCallers);
  const mayHaveDefault = !isRead && !isDefault && sides.some((side) => candidatesFor(target, side)[0] === undefined);
  return [
    ...(target.tenantUnknown ? [{ is: "policy tenant" } as const] : []),
    ...(contested.has(keyOf(target))
      ? [{ is: "order" } as const]
      : twice.has(keyOf(target))
        ? [{ is: "twice" } as const]
        : []),
    ...(target.hasUnknownCallers ? [{ is: "callers" } as const] : []),
    ...(possibleTwins.length > 0
      ? [{ is: "other policies", policies: possibleTwins.map(({ address }) => address) } as const]
      : []),
    ...(isClient && usesDefault && mayHaveGroup ? [{ is: isHidden ? "hidden group" : "group" } as const] : []),
    ...(mayHaveDefault ? [{ is: "usual" } as const] : []),
  ];
}

/** Key -> the attributes that one of its policies marks as sensitive. */
type Secrets = ReadonlyMap<string, ReadonlySet<string>>;

function secretsIn(policies: readonly Policy[]): Secrets {
  const secrets = new Map<string, ReadonlySet<string>>();
  for (const policy of policies) {
    secrets.set(keyOf(policy), new Set([...(secrets.get(keyOf(policy)) ?? []), ...policy.secret]));
  }
  return secrets;
}

const isSecret = (policy: Policy, name: string, secrets: Secrets) => secrets.get(keyOf(policy))?.has(name) === true;

function candidatesFor(target: Policy, policies: Side): readonly (Policy | undefined)[] {
  const known = policies.get(keyOf(target));
  const isAlike = ({ resource, consumer }: Policy) => keyOf({ ...target, resource, consumer }) === keyOf(target);
  return known ? [known] : effective([...policies.values()].filter(isAlike), target.by);
}

const firstByKey = (policies: readonly Policy[]): Side =>
  new Map(policies.toReversed().map((policy) => [keyOf(policy), policy]));

function limitOf(policy: Policy, secrets: Secrets): Limit {
  const { action, limit, redirect_uri, by } = policy;
  const shown = isSecret(policy, "consumer_selector", secrets) ? hidden : by;
  return { action, limit, ...(redirect_uri !== undefined && { redirect_uri }), by: shown };
}
