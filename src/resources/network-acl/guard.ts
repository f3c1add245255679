/** The lock-out guard of the provider: refuses a plan whose network ACLs block Terraform or a protected request. */
import {
  requestLockouts,
  ownLockouts,
  blocksMuch,
  type AclChange,
  type Lockout,
  type Terraform,
} from "../../impact/lockout/lockout";
import { isNews, isRefused } from "../../impact/lockout/findings";
import { writeLockouts } from "../../impact/lockout/write";
import { isKnownRequest, type ProtectedRequest } from "../../impact/lockout/protected-request";
import { attributePath } from "../../cty/path";
import { unknown } from "../../cty/value";
import type { Change, Config, Planned, Written } from "../../sdk/definition";
import type { PlannedChange } from "../../sdk/plan-registry";
import type { ReviewContext } from "../../sdk/resource";
import type { NetworkAcl } from "../../tenant/network-acls";
import { createSnapshot } from "../../tenant/snapshot";
import { conditionOf } from "../conflicts";
import { countries } from "../../access/access";
import type { block } from "../provider-block/definition";
import { ifReadable } from "../lookup";
import type { networkAcl } from "./definition";
import { detailOf, titleOfLockout, replacementRefusalOf, type JudgedAcl } from "./guard-words";
import { replacementLockouts } from "./replacement";
import { toWire } from "./wire";

type Definition = typeof networkAcl;

export type GuardSettings = Pick<Written<typeof block>, "protected_request" | "lockout_guard">;

export interface Guard {
  /** Reports the lock-outs of the plan that this change concerns. */
  review(change: GuardedChange, context: Review): Promise<void>;
  /** The network ACLs of the tenant. Undefined: no review has read them, or the guard is off. */
  acls(): readonly JudgedAcl[] | undefined;
  /** The lock-outs that one write causes. Empty if the settings do not refuse lock-outs. */
  lockouts(before: readonly JudgedAcl[], after: readonly JudgedAcl[]): readonly Lockout<JudgedAcl>[];
}

type GuardedChange = Pick<Change<Definition>, "action" | "planned" | "prior" | "replaced">;
type Review = ReviewContext<unknown, Definition>;

/** The facts that are known about Terraform's own requests. */
export type OwnRequests = Pick<Terraform, "hostname" | "userAgents" | "asksToken">;

/** `list` reads the ACLs of the tenant, once for all callers. */
export function createGuard(settings: GuardSettings, list: () => Promise<NetworkAcl[]>, own: OwnRequests): Guard {
  const { protected_request: written = [], lockout_guard = "error" } = settings;
  const requests = written === unknown ? [] : written.flatMap(protectedRequest);
  // An apply knows all of the provider's configuration, and judges its writes.
  const isOpen = lockout_guard === unknown || written === unknown || !requests.every(isKnownRequest);
  const strength = lockout_guard === unknown ? "warn" : lockout_guard;
  const terraform: Terraform = { ...own, countries };
  const snapshot = createSnapshot(async () => (await list()).map((acl) => ({ ...acl, key: acl.id })));
  let known: readonly JudgedAcl[] | undefined;
  const standing = async () => (known = (await snapshot.read()) as JudgedAcl[]);

  const report = (
    lockout: Lockout<JudgedAcl>,
    planned: GuardedChange["planned"],
    isFinal: boolean,
    context: Review,
  ) => {
    const { plan } = context;
    const refused = isRefused(lockout);
    const refusal = strength !== "error" ? "warn" : isOpen ? "open" : isFinal ? "error" : "later";
    const severity = refusal === "error" && refused ? "error" : "warning";
    if (!plan.isFirst(`${severity} ${topicOf(lockout)}`)) return;
    context.report({
      severity,
      code: titleOfLockout(lockout),
      detail: detailOf(lockout, refused ? refusal : undefined) + (severity === "error" ? conditionOf(plan) : ""),
      path: planned && lockout.by.some(({ priority }) => priority === planned.priority) ? attributePath("rule") : [],
    });
  };

  const ofRequests: Judge = (change) => reported(requestLockouts(change, requests));
  const ofTerraform: Judge = (change) => gravest(reported(ownLockouts(change, requests, terraform)));
  const judgedRequests = memoized(ofRequests);
  const judgedOwn = memoized(ofTerraform);
  const mayLockOut = memoized(({ after }) => blocksMuch(after, requests, terraform));

  /**
   * Returns whether the change causes a lock-out: it blocks the request itself, or the request is allowed without it. Other changes
   * must not wait for the ACL that prevents the lock-out, because that ACL may depend on them.
   */
  function causeTest(change: GuardedChange, before: readonly JudgedAcl[], context: Review) {
    const { action, planned, prior } = change;
    const isOther: IsCounted = (other) => !isOf(change, other);
    const [requestsWithout, ownWithout] = [memoized(ofRequests, isOther), memoized(ofTerraform, isOther)];
    return ({ kind, called, by }: Lockout<JudgedAcl>) => {
      if (action === "keep") return false;
      if (by.some(({ id, priority }) => id === prior?.id && priority === planned?.priority)) return true;
      const left = (kind === "protected request" ? requestsWithout : ownWithout)(before, context);
      return !left.some((other) => isRefused(other) && other.kind === kind && other.called === called);
    };
  }

  async function reportFound(topic: string, find: Find, change: GuardedChange, context: Review): Promise<void> {
    const { plan } = context;
    const needsComplete = (one: Lockout<JudgedAcl>) =>
      isRefused(one) && !isPlannedUpTo(one, plan) && !mayBePrevented(one, plan);
    const refuses = (found: readonly Lockout<JudgedAcl>[]) =>
      strength === "error" && !isOpen && found.some(needsComplete);
    const { found, isComplete } = await plan.gathered(topic, find, refuses);
    for (const lockout of distinctOf(found.flat())) {
      // A planned ACL with unknown values may let the request through, so it is not certain that Terraform stays locked out.
      if (lockout.already && mayBePrevented(lockout, plan)) continue;
      const isFinal = isPlannedUpTo(lockout, plan) || (isComplete && !mayBePrevented(lockout, plan));
      report(lockout, change.planned, isFinal, context);
    }
  }

  const lockoutsOf: Guard["lockouts"] = (before, after) =>
    strength !== "error" || isOpen
      ? []
      : writeLockouts({ before, after, isSame: (one, other) => one.id === other.id }, requests, terraform);

  /** Warnings of a replacement are not shown, so an incomplete plan gets none. The apply then refuses to delete the ACL. */
  async function reportReplacement(
    before: readonly JudgedAcl[],
    change: GuardedChange,
    context: Review,
  ): Promise<void> {
    const { plan } = context;
    const find = () => {
      const found = replacementLockouts(change, before, plan.changes(), lockoutsOf);
      return found.length > 0 ? found : undefined;
    };
    const { found, isComplete } = await plan.gathered("lock-out by a replacement", find, () => true);
    const certain = found.flat().filter((lockout) => isComplete || isPlannedUpTo(lockout, plan));
    for (const lockout of distinctOf(certain)) {
      const refusal = replacementRefusalOf(lockout);
      context.report({ ...refusal, detail: refusal.detail + conditionOf(plan) });
    }
  }

  /** A destroy or an apply without a plan asks only if the change may lock out. */
  const concernsOwn = (change: GuardedChange, context: Review) =>
    change.action !== "keep" && (context.plan.phase === "plan" || wasLetIn(change) || mayLockOut(none, context));

  return {
    acls: () => known,

    lockouts: lockoutsOf,

    async review(change, context) {
      if (strength === "off") return;
      const { action, planned } = change;
      // An ACL whose place is unknown is judged right before the apply writes it. An unchanged ACL is judged only in a plan.
      if ((planned && !isJudged(planned)) || (action === "keep" && context.plan.phase !== "plan")) return;
      const isOwn = concernsOwn(change, context);
      if (requests.length === 0 && !isOwn) return;
      const before = requests.length > 0 ? await standing() : await ifReadable(standing);
      if (!before) return;
      const findAll = () => [
        ...(requests.length > 0 ? judgedRequests(before, context) : []),
        ...(isOwn ? judgedOwn(before, context) : []),
      ];
      const finding = (isWanted: (lockout: Lockout<JudgedAcl>) => boolean) => () => {
        const found = findAll().filter(isWanted);
        return found.length > 0 ? found : undefined;
      };
      const isCause = causeTest(change, before, context);
      const [warned, caused] = [finding((one) => !isRefused(one)), finding((one) => isRefused(one) && isCause(one))];
      await reportFound("lock-out", warned, change, context);
      await reportFound("refused lock-out", caused, change, context);
      if (change.replaced) await reportReplacement(before, change, context);
    },
  };
}

/**
 * Whether enough of the ACL is known to judge its place. An unknown part of its rule may match or not, so it makes a lock-out possible or
 * leaves it certain.
 */
function isJudged(planned: Planned<Definition>): planned is Config<Definition> {
  const { active, priority, rule, expires_at: end } = planned as { readonly [name: string]: unknown };
  return typeof active === "boolean" && typeof priority === "number" && typeof rule === "object" && end !== unknown;
}

const reported = (lockouts: readonly Lockout<JudgedAcl>[]) => lockouts.filter((one) => isNews(one, true));

const wasLetIn = ({ prior }: GuardedChange) => prior?.active === true && prior.rule.action.allow === true;

/** Whether the planned change is this one. A replaced ACL has two: its end, and the new ACL. */
function isOf({ planned, prior, replaced }: GuardedChange, other: PlannedChange<Definition>): boolean {
  const id = (prior ?? replaced)?.id;
  return (planned !== undefined && other.planned === planned) || (id !== undefined && other.identity?.id === id);
}

const lastPriority = ({ by }: Lockout<JudgedAcl>) => Math.max(0, ...by.map(({ priority }) => priority));

/** Whether a planned ACL, whose values only the apply knows, may be evaluated before the last blocking ACL. */
function mayBePrevented(lockout: Lockout<JudgedAcl>, plan: Review["plan"]): boolean {
  const last = lastPriority(lockout);
  return plan.changes().some(({ planned }) => {
    if (!planned || isJudged(planned)) return false;
    return typeof planned.priority !== "number" || planned.priority <= last;
  });
}

/** Whether no later change of the plan can prevent the lock-out: every priority up to that of the last blocking ACL is planned. */
function isPlannedUpTo(lockout: Lockout<JudgedAcl>, plan: Review["plan"]): boolean {
  const planned = new Set(standingAfter([], plan.changes({ kept: true })).map(({ priority }) => priority));
  const last = lastPriority(lockout);
  return last > 0 && Array.from({ length: last }, (_, index) => index + 1).every((priority) => planned.has(priority));
}

type Judge<T = readonly Lockout<JudgedAcl>[]> = (change: AclChange<JudgedAcl>) => T;

const none: readonly JudgedAcl[] = [];

/** Judges once until the planned changes differ, because many resources ask, and ask again while they wait. */
function memoized<T>(judge: Judge<T>, isCounted: IsCounted = () => true) {
  let last: Judged<T> | undefined;
  return (before: readonly JudgedAcl[], { plan }: Review) => {
    const changes = plan.changes().filter(isCounted);
    if (!last || last.before !== before || !areSame(last.changes, changes)) {
      const after = standingAfter(before, changes);
      last = { before, changes, found: judge({ before, after, isSame: (one, other) => one.id === other.id }) };
    }
    return last.found;
  };
}

type IsCounted = (change: PlannedChange<Definition>) => boolean;

type Find = () => readonly Lockout<JudgedAcl>[] | undefined;

interface Judged<T> {
  readonly before: readonly JudgedAcl[];
  readonly changes: readonly PlannedChange<Definition>[];
  readonly found: T;
}

function areSame(some: readonly PlannedChange<Definition>[], others: readonly PlannedChange<Definition>[]): boolean {
  const isSame = (one: PlannedChange<Definition>, other: PlannedChange<Definition> | undefined) =>
    one.planned === other?.planned && one.identity === other?.identity;
  return some.length === others.length && some.every((one, index) => isSame(one, others[index]));
}

function topicOf({ kind, called, by }: Lockout<JudgedAcl>): string {
  return JSON.stringify(["lock-out", kind, called, by.map(({ id, priority }) => [id, priority])]);
}

const distinctOf = (lockouts: readonly Lockout<JudgedAcl>[]) => [
  ...new Map(lockouts.map((lockout) => [topicOf(lockout), lockout])).values(),
];

/** If the Management API is blocked, the token request does not matter. */
function gravest(lockouts: readonly Lockout<JudgedAcl>[]): readonly Lockout<JudgedAcl>[] {
  const isGrave = lockouts.some((one) => one.kind === "breadth" && one.certainty === "certain" && !one.already);
  return isGrave ? lockouts.filter(({ kind }) => kind === "breadth") : lockouts;
}

/** The ACLs of the tenant once everything planned so far is done. Unknown changes count as not planned. */
function standingAfter(before: readonly JudgedAcl[], changes: readonly PlannedChange<Definition>[]): JudgedAcl[] {
  const decided = changes.filter(({ planned }) => !planned || isJudged(planned));
  const changed = idsOf(decided);
  const untouched = before.filter(({ id }) => !changed.has(id));
  const standing = decided.flatMap(({ identity, planned }, index): JudgedAcl[] => {
    if (!planned || !isJudged(planned)) return [];
    return [{ id: identity?.id, key: identity?.id ?? `new ${index}`, ...toWire(planned) }];
  });
  return [...untouched, ...standing];
}

function idsOf(changes: readonly PlannedChange<Definition>[]): ReadonlySet<unknown> {
  return new Set(changes.map(({ identity }) => identity?.id));
}

type WrittenRequest = Extract<GuardSettings["protected_request"], readonly unknown[]>[number];

function protectedRequest(written: WrittenRequest): ProtectedRequest[] {
  if (written === undefined || written === unknown) return [{ called: "not known yet", path: unknown, facts: {} }];
  const { name, path, ...facts } = written;
  const known = Object.entries({ ...(path !== undefined && { path }), ...facts }).filter(
    ([, fact]) => fact !== unknown,
  );
  const called = typeof name === "string" ? name : known.map((entry) => entry.join(" ")).join(", ");
  return [{ called, path, facts }];
}
