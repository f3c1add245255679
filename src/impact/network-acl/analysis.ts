/** Compares the network ACLs before and after a change, over all possible requests. */
import {
  createComparison,
  unreachable,
  unknownIn,
  type Acl,
  inOrder,
  difference,
  ifDecided,
  loggingChanges,
  outcomeShifts,
  flagOf,
  decide,
  requestOf,
  scopeCovers,
  type Difference,
  type Unreachable,
  type LoggingChange,
  type Shifts,
  type Api,
  type Change,
  type Shift,
  type WholeRequest,
} from "../../access/access";
import type { Cause, Change as ObjectChange } from "../cause";
import { attributeChange } from "../effect";
import { comparable } from "../value";
import { redactionOf, type PlannedAcl, type AclVersions } from "./acl";

export interface AclAnalysis extends Difference<PlannedAcl> {
  /** The active ones, in order of evaluation. */
  readonly before: readonly PlannedAcl[];
  readonly after: readonly PlannedAcl[];
  readonly unreachable: readonly Unreachable<PlannedAcl>[];
  /** ACLs that logged requests which the tenant certainly does not record after the change. */
  readonly unrecorded: readonly LoggingChange<PlannedAcl>[];
  /** ACLs that log requests which the tenant did not record before the change. */
  readonly recorded: readonly LoggingChange<PlannedAcl>[];
  /** Key -> the versions of each ACL that the plan changes. */
  readonly changed: ReadonlyMap<string, AclPair>;
  /** The changes, by the ACL that is their cause. */
  readonly parts: readonly OutcomePart[];
  /** Left out: counting the requests would take too long. */
  readonly shifts?: Shifts<PlannedAcl>;
  /** Properties of rules that must not be shown. */
  readonly secrets: ReadonlySet<string>;
  /** The known hosts of the tenant. */
  readonly ownHosts: ReadonlySet<string>;
}

/** `isDoubtful`: the tenant may have more than these ACLs. */
export function analyseAcls(
  { before, after }: AclVersions,
  isDoubtful = false,
  ownHosts: ReadonlySet<string> = new Set(),
): AclAnalysis {
  const comparison = createComparison(before, after);
  const found = difference(comparison);
  const redact = redactionOf([...before, ...after]);
  const changes = found.changes.map((change) => ({ ...change, assumptions: change.assumptions.map(redact) }));
  const { lost, gained } = loggingChanges(comparison);
  const changed = changedAcls({ before, after });
  const shifts = ifDecided(() => outcomeShifts(before, after, ({ key }) => changed.has(key)));
  return {
    ...found,
    proven: found.proven && !isDoubtful,
    changes,
    parts: outcomeParts(changes, shifts, changed),
    ...(shifts && { shifts }),
    before: inOrder(before),
    after: inOrder(after),
    unreachable: unreachableAcls(after),
    unrecorded: lost.filter(({ certainty }) => certainty === "certain"),
    recorded: gained,
    changed,
    secrets: new Set([...before, ...after].flatMap(({ secret }) => [...secret])),
    ownHosts,
  };
}

/** The versions of one ACL. */
export interface AclPair {
  readonly before?: PlannedAcl;
  readonly after?: PlannedAcl;
}

/** Key -> the versions of an ACL that the plan changes in a way that can matter for requests. */
export function changedAcls({ before, after }: AclVersions): ReadonlyMap<string, AclPair> {
  const pairs = new Map<string, AclPair>(before.map((acl) => [acl.key, { before: acl }]));
  for (const acl of after) pairs.set(acl.key, { ...pairs.get(acl.key), after: acl });
  return new Map([...pairs].filter(([, pair]) => textOf(pair.before) !== textOf(pair.after)));
}

function textOf(acl: PlannedAcl | undefined): string {
  if (!acl) return "";
  const { active, priority, rule } = acl;
  return comparable([active, String(priority), rule]);
}

export function causeOf({ before, after }: AclPair): Cause {
  const { address = "", plan } = (after ?? before)!;
  return { address, ...(plan !== undefined && { plan }), change: changeOf(before, after) };
}

function changeOf(before: PlannedAcl | undefined, after: PlannedAcl | undefined): ObjectChange {
  if (!before) return { kind: "created" };
  if (!after) return { kind: "destroyed" };
  if (isOpen(before) !== isOpen(after)) return attributeChange("active");
  if (before.active !== after.active) return { kind: after.active ? "activated" : "deactivated" };
  const [old, now] = [flagOf(before.rule.action), flagOf(after.rule.action)];
  if (old !== now) return old && now ? attributeChange("rule.action", old, now) : attributeChange("rule.action");
  if (!isSame(before.rule, after.rule)) return attributeChange("rule");
  const isHidden = before.secret.has("priority") || after.secret.has("priority");
  return isHidden || Number.isNaN(after.priority)
    ? attributeChange("priority")
    : attributeChange("priority", before.priority, after.priority);
}

/** Whether it is switched on or off after the apply. */
export const isOpen = ({ rule }: PlannedAcl) => typeof (rule as { readonly active?: unknown }).active === "symbol";

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

export type Outcome = Change<PlannedAcl>["after"]["outcome"];

/** The requests whose outcome one network ACL changes in one way, certainly or possibly. */
export interface OutcomePart {
  readonly cause: AclPair;
  /** Whether the ACL decides these requests after the change; otherwise it decided them before. */
  readonly isAfter: boolean;
  readonly before: Outcome;
  readonly after: Outcome;
  readonly changes: readonly Change<PlannedAcl>[];
  readonly shifts: readonly Shift<PlannedAcl>[];
}

interface OpenPart extends OutcomePart {
  readonly changes: Change<PlannedAcl>[];
  readonly shifts: Shift<PlannedAcl>[];
}

/** `shifts`: left out if counting would take too long. */
function outcomeParts(
  changes: readonly Change<PlannedAcl>[],
  shifts: Shifts<PlannedAcl> | undefined,
  changed: ReadonlyMap<string, AclPair>,
): OutcomePart[] {
  const parts = new Map<string, OpenPart>();
  const keyFor = (acl: PlannedAcl | undefined, before: Outcome, after: Outcome, isSure: boolean) =>
    JSON.stringify([acl?.key, before, after, isSure]);
  const partOf = (acl: PlannedAcl | undefined, isAfter: boolean, before: Outcome, after: Outcome, isSure: boolean) => {
    const key = keyFor(acl, before, after, isSure);
    const alone = acl && (isAfter ? { after: acl } : { before: acl });
    const cause = changed.get(acl?.key ?? "") ?? alone ?? {};
    const part = parts.get(key) ?? { cause, isAfter, before, after, changes: [], shifts: [] };
    parts.set(key, part);
    return part;
  };
  for (const shift of shifts?.all ?? []) {
    const { cause, isAfter, isCertain, before, after } = shift;
    partOf(cause, isAfter, before.outcome, after.outcome, isCertain).shifts.push(shift);
  }
  const counted = new Set(parts.keys());
  for (const change of changes) {
    const { before, after } = change;
    const isAfter = after.acl !== undefined && (changed.has(after.acl.key) || !before.acl);
    const acl = isAfter ? after.acl : before.acl;
    const isSure = change.certainty === "certain";
    // The counted requests say more about certainty than an example.
    const has = (one: boolean) => counted.has(keyFor(acl, before.outcome, after.outcome, one));
    const isCounted = !has(isSure) && has(!isSure);
    partOf(acl, isAfter, before.outcome, after.outcome, isCounted ? !isSure : isSure).changes.push(change);
  }
  return [...parts.values()];
}

export const keyOf = ({ cause }: OutcomePart): string => (cause.after ?? cause.before)?.key ?? "";

/** The ACL that decides the requests of the part. */
export const decider = ({ cause, isAfter }: OutcomePart): PlannedAcl | undefined =>
  (isAfter ? cause.after : cause.before) ?? cause.after ?? cause.before;

const paths: Readonly<Record<Api, string>> = {
  authentication: "/authorize",
  management: "/api/v2/",
  dynamic_client_registration: "/oidc/register",
};

/** Requests to one of the APIs that the part affects. */
export function examplesOf(
  { changes, shifts: own }: OutcomePart,
  apis: readonly Api[],
  analysis: Pick<AclAnalysis, "before" | "after" | "shifts">,
): WholeRequest[] {
  const found = changes.flatMap(({ witness }) => (witness && apis.includes(witness.api) ? witness : []));
  if (found.length > 0) return found;
  const shift = own.find(({ api }) => apis.includes(api));
  if (shift && analysis.shifts) {
    const { ip, ...place } = analysis.shifts.example(shift);
    return [{ api: shift.api, path: paths[shift.api], ip, connecting_ip: ip, ...place }];
  }
  return changes.flatMap((change) => {
    const api = apis.find((one) => concerns(change, one, analysis));
    return change.witness && api ? { ...change.witness, api, path: paths[api] } : [];
  });
}

/** A fact that an example leaves out is missing in the request, not unknown. */
const onlyGivenFacts = new Map<string, string>();

/** Whether the example of a change has the same two outcomes at an API. Without an example, that is not known. */
export function concerns({ witness, before, after }: Change<PlannedAcl>, api: Api, sides: AclVersions): boolean {
  if (!witness || witness.api === api) return true;
  // The change may depend on an assumption. ACLs that have both APIs in their scope evaluate both in the same way.
  const acls = [...sides.before, ...sides.after];
  if (acls.every(({ rule: { scope } }) => scopeCovers(scope, api) === scopeCovers(scope, witness.api))) return true;
  const request = { ...requestOf(paths[api], witness), api };
  const mayEndAt = (own: readonly PlannedAcl[], acl: PlannedAcl | undefined) =>
    decide(own, request, onlyGivenFacts).endings.some(({ by }) => by === acl);
  return mayEndAt(sides.before, before.acl) && mayEndAt(sides.after, after.acl);
}

type Placed = Acl & Pick<PlannedAcl, "unplaced">;

/** ACLs that match no request under any assumption. */
export function unreachableAcls<A extends Placed>(acls: readonly A[]): Unreachable<A>[] {
  // An ACL of another tenant shadows nothing.
  const own = acls.filter(({ unplaced }) => !unplaced);
  const comparison = createComparison([], own);
  // With many unknown values, some combinations of assumptions would stay untested. An ACL that other ACLs shadow stays shadowed with more ACLs.
  return unreachable(comparison.combinations.complete ? comparison : createComparison([], own.filter(isKnown)));
}

const isKnown = ({ rule, priority }: Acl) => unknownIn(rule) === undefined && !Number.isNaN(priority);
