/**
 * The lock-out guard of one provider configuration: its protected requests and Terraform's own requests are statements that must hold
 * (`impact/statement`), and `lockout_guard` says whether one that no longer holds refuses a plan or a write (`impact/refusals`).
 *
 * - `review` refuses a plan. It judges the tenant before and after everything that is planned so far. An error waits until no later change
 *   of the plan can prevent the lock-out: every priority up to that of the last blocking ACL is planned, or the plan has settled.
 * - `lockouts` judges one write right before it is sent (`write-guard`), because an intermediate state of an apply may lock out too.
 * - Only the change that causes a lock-out waits for the plan to settle. The ACL that prevents the lock-out may depend on another change.
 *
 * A value that is not known yet makes a lock-out possible, which is a warning, unless the ACL blocks the request with any value.
 */
import { attributePath } from "../../cty/path";
import { unknown } from "../../cty/value";
import { aclFrom, type AclVersions, type PlannedAcl } from "../../impact/network-acl/acl";
import type { Values } from "../../impact/model";
import { ofLockout } from "../../impact/refusals";
import { apply, stateOf, type TenantState } from "../../impact/state";
import { isNews } from "../../impact/statement/effects";
import { blocksMuch, type Lockout, ownLockouts, requestLockouts, type Terraform } from "../../impact/statement/lockout";
import { isKnownRequest, type ProtectedRequest, type Strength } from "../../impact/statement/protected-request";
import { isDenial, writeLockouts } from "../../impact/statement/write";
import type { Change, Written } from "../../sdk/definition";
import type { PlannedChange } from "../../sdk/plan-registry";
import type { ReviewContext } from "../../sdk/resource";
import type { NetworkAcl, NetworkAclBody } from "../../tenant/network-acls";
import type { InTenant } from "../../tenant/gate/verdict";
import { createSnapshot } from "../../tenant/snapshot";
import { conditionOf } from "../conflicts";
import { countries } from "../../access/access";
import { nameOf, statesAfter } from "../expectations/states";
import { lockoutDetailOf, type LockoutReaction, replacementRefusalOf, titleOfLockout } from "../expectations/words";
import type { block } from "../provider-block/definition";
import { ifReadable } from "../lookup";
import type { networkAcl } from "./definition";

type Definition = typeof networkAcl;

export type GuardSettings = Pick<Written<typeof block>, "protected_request" | "lockout_guard">;

export interface Guard {
  /** Reports the lock-outs of the plan that this change concerns. */
  review(change: GuardedChange, context: Review): Promise<void>;
  /** The network ACLs of the tenant. Undefined: no review has read them, or the guard is off. */
  acls(): readonly object[] | undefined;
  /** The lock-outs that one write causes. Empty if the settings do not refuse lock-outs. */
  lockouts(before: readonly InTenant<NetworkAclBody>[], after: readonly InTenant<NetworkAclBody>[]): readonly Lockout[];
}

type GuardedChange = Pick<Change<Definition>, "action" | "planned" | "prior" | "replaced">;
type Review = ReviewContext<unknown, Definition>;
type Lockouts = readonly Lockout[];

/** The facts that are known about Terraform's own requests. */
type OwnRequests = Pick<Terraform, "hostname" | "userAgents" | "asksToken">;

/** `list` reads the ACLs of the tenant, once for all callers. */
export function createGuard(settings: GuardSettings, list: () => Promise<NetworkAcl[]>, own: OwnRequests): Guard {
  const { protected_request: written = [], lockout_guard = "error" } = settings;
  const requests = written === unknown ? [] : written.flatMap(protectedRequest);
  // An apply knows all of the provider's configuration, and judges its writes.
  const isOpen = lockout_guard === unknown || written === unknown || !requests.every(isKnownRequest);
  const strength: Strength = lockout_guard === unknown ? "warn" : lockout_guard;
  const terraform: Terraform = { ...own, countries };
  const snapshot = createSnapshot(list);
  let known: readonly NetworkAcl[] | undefined;
  const standing = async () => (known = await snapshot.read());

  const ofRequests = (versions: AclVersions) => reported(requestLockouts(versions, requests));
  const ofTerraform = (versions: AclVersions) => gravest(reported(ownLockouts(versions, requests, terraform)));
  const judgedRequests = memoized(ofRequests);
  const judgedOwn = memoized(ofTerraform);
  const mayLockOut = memoized(({ after }) => blocksMuch(after, requests, terraform));
  const ofWrite = (versions: AclVersions): Lockouts =>
    strength !== "error" || isOpen ? [] : writeLockouts(versions, requests, terraform);

  /** Whether the change causes a lock-out: it blocks the request itself, or the request is allowed without it. */
  function causeTest(change: GuardedChange, before: readonly NetworkAcl[], context: Review) {
    const isOther: IsCounted = (other) => !isOf(change, other);
    const [requestsWithout, ownWithout] = [memoized(ofRequests, isOther), memoized(ofTerraform, isOther)];
    return (lockout: Lockout) => {
      if (change.action === "keep") return false;
      if (isBy(lockout, change, context)) return true;
      const left = (lockout.kind === "protected request" ? requestsWithout : ownWithout)(before, context);
      return !left.some((other) => isRefused(other) && topicOf(other) === topicOf(lockout));
    };
  }

  async function reportFound(topic: string, find: () => Lockouts, change: GuardedChange, context: Review) {
    const { plan } = context;
    const mayRefuse = (one: Lockout) => strength === "error" && !isOpen && isRefused(one);
    const { found, isComplete } = await plan.gathered(topic, orNothing(find), (now) =>
      now.some((one) => mayRefuse(one) && !isPlannedUpTo(one, plan)),
    );
    for (const lockout of distinctOf(found.flat())) {
      const isFinal = isComplete || isPlannedUpTo(lockout, plan);
      const reaction: LockoutReaction = strength !== "error" ? "warn" : isOpen ? "open" : isFinal ? "error" : "later";
      const severity = mayRefuse(lockout) && isFinal ? "error" : "warning";
      if (!plan.isFirst(`${severity} ${keyOf(lockout)}`)) continue;
      context.report({
        severity,
        code: titleOfLockout(lockout),
        detail: lockoutDetailOf(lockout, reaction) + (severity === "error" ? conditionOf(plan) : ""),
        path: change.planned && isBy(lockout, change, context) ? attributePath("rule") : [],
      });
    }
  }

  /** Warnings of a replacement are not shown, so an incomplete plan gets none. The apply then refuses to delete the ACL. */
  async function reportReplacement(acls: readonly NetworkAcl[], change: GuardedChange, context: Review) {
    const { plan } = context;
    const before = stateOf({ acls }).acls!;
    const find = () => replacementLockouts(change, before, plan.changes(), ofWrite);
    const { found, isComplete } = await plan.gathered("lock-out by a replacement", orNothing(find), () => true);
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

    lockouts: (before, after) => ofWrite({ before: before.flatMap(asPlanned), after: after.flatMap(asPlanned) }),

    async review(change, context) {
      if (strength === "off") return;
      // An unchanged ACL is judged only in a plan.
      if (change.action === "keep" && context.plan.phase !== "plan") return;
      const isOwn = concernsOwn(change, context);
      if (requests.length === 0 && !isOwn) return;
      const before = requests.length > 0 ? await standing() : await ifReadable(standing);
      if (!before) return;
      const findAll = () => [
        ...(requests.length > 0 ? judgedRequests(before, context) : []),
        ...(isOwn ? judgedOwn(before, context) : []),
      ];
      const isCause = causeTest(change, before, context);
      await reportFound("lock-out", () => findAll().filter((one) => !isRefused(one)), change, context);
      const caused = () => findAll().filter((one) => isRefused(one) && isCause(one));
      await reportFound("refused lock-out", caused, change, context);
      if (change.replaced) await reportReplacement(before, change, context);
    },
  };
}

/** Whether "error" refuses the plan. */
const isRefused = (lockout: Lockout) => ofLockout(lockout).refuses;

const reported = (lockouts: Lockouts) => lockouts.filter((one) => isNews(one, true));

const orNothing = (find: () => Lockouts) => () => {
  const found = find();
  return found.length > 0 ? found : undefined;
};

/** Two versions of one ACL may be given while its write is under way. */
const asPlanned = (acl: InTenant<NetworkAclBody>, index: number): PlannedAcl[] =>
  aclFrom(acl as object as Values, undefined, undefined, `${acl.id} ${index}`);

const wasLetIn = ({ prior }: GuardedChange) => prior?.active === true && prior.rule.action.allow === true;

/** Whether the planned change is this one. A replaced ACL has two: its end, and the new ACL. */
function isOf({ planned, prior, replaced }: GuardedChange, other: PlannedChange<Definition>): boolean {
  const id = (prior ?? replaced)?.id;
  return (planned !== undefined && other.planned === planned) || (id !== undefined && other.identity?.id === id);
}

/** Whether the ACL of the change blocks the request. */
function isBy({ by }: Lockout, { prior, planned }: GuardedChange, { plan }: Review): boolean {
  if (!planned) return false;
  const key = prior?.id ?? nameOf(plan.changes().findIndex((one) => one.planned === planned));
  return by.some((acl) => acl.key === key);
}

/** Whether no later change of the plan can prevent the lock-out: every priority up to that of the last blocking ACL is planned. */
function isPlannedUpTo({ by }: Lockout, plan: Review["plan"]): boolean {
  const planned = new Set<unknown>(plan.changes({ kept: true }).map((one) => one.planned?.priority));
  const last = Math.max(0, ...by.map(({ priority }) => priority));
  return last > 0 && Array.from({ length: last }, (_, index) => index + 1).every((priority) => planned.has(priority));
}

type IsCounted = (change: PlannedChange<Definition>) => boolean;
type Changes = readonly PlannedChange<Definition>[];

const none: readonly NetworkAcl[] = [];

/** Judges once until the planned changes differ, because many resources ask, and ask again while they wait. */
function memoized<T>(judge: (versions: AclVersions) => T, isCounted: IsCounted = () => true) {
  let last: { readonly acls: readonly NetworkAcl[]; readonly changes: Changes; readonly found: T } | undefined;
  return (acls: readonly NetworkAcl[], { plan }: Review) => {
    const changes = plan.changes().filter(isCounted);
    if (!last || last.acls !== acls || !areSame(last.changes, changes)) {
      const before = stateOf({ acls });
      const after = statesAfter(before, "acls", changes);
      last = { acls, changes, found: judge({ before: before.acls!, after: after.acls! }) };
    }
    return last.found;
  };
}

function areSame(some: Changes, others: Changes): boolean {
  const isSame = (one: PlannedChange<Definition>, other: PlannedChange<Definition> | undefined) =>
    one.planned === other?.planned && one.identity === other?.identity;
  return some.length === others.length && some.every((one, index) => isSame(one, others[index]));
}

const topicOf = ({ kind, called }: Lockout) => JSON.stringify([kind, called]);

const keyOf = (one: Lockout) =>
  `lock-out ${topicOf(one)} ${JSON.stringify(one.by.map(({ id, priority }) => [id, priority]))}`;

const distinctOf = (lockouts: Lockouts) => [...new Map(lockouts.map((lockout) => [keyOf(lockout), lockout])).values()];

/** If the Management API is blocked, the token request does not matter. */
function gravest(lockouts: Lockouts): Lockouts {
  const isGrave = lockouts.some((one) => one.kind === "breadth" && one.certainty === "certain" && !one.already);
  return isGrave ? lockouts.filter(({ kind }) => kind === "breadth") : lockouts;
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

/* The deletion of a replaced ACL, as the best order of the apply can make it. */

type Acls = readonly PlannedAcl[];

/** The change that creates the new ACL. */
type Replacing = Pick<Change<Definition>, "action" | "planned" | "replaced">;

/**
 * The lock-outs that the delete of the replaced ACL causes in every order of the apply. `changes`: those of the plan so far.
 */
function replacementLockouts(
  change: Replacing,
  acls: Acls,
  changes: readonly PlannedChange<Definition>[],
  judge: (versions: AclVersions) => readonly Lockout[],
): readonly Lockout[] {
  const now = deletionNow(change, acls);
  if (!now) return [];
  const lasting = judge(bestDeletion(change, acls, changes, (acl) => !isDenial(acl)));
  return judge(now).filter((lockout) =>
    lasting.some((other) => other.kind === lockout.kind && other.called === lockout.called),
  );
}

/** Undefined: the new ACL can come first, because it does not need the priority of the old one. */
export function deletionNow({ action, planned, replaced }: Replacing, acls: Acls): AclVersions | undefined {
  const old = action === "create" && replaced ? acls.find(({ id }) => id === replaced.id) : undefined;
  if (!old || planned?.priority !== old.priority) return undefined;
  return { before: acls, after: acls.filter((acl) => acl !== old) };
}

/**
 * The deletion among the ACLs that stay and each version of a changed ACL that helps: no moment of the apply has more of these, or
 * fewer others. An ACL whose action is not known yet may help.
 */
export function bestDeletion(
  change: Replacing,
  acls: Acls,
  changes: readonly PlannedChange<Definition>[],
  helps: (acl: PlannedAcl) => boolean,
): AclVersions {
  const others = changes.filter(({ planned }) => planned !== change.planned);
  const changed = new Set<unknown>(others.map(({ identity }) => identity?.id));
  const planned = others.reduce<TenantState>(
    (state, { planned: next }, index) => apply(state, { kind: "acls", name: `planned ${nameOf(index)}`, values: next }),
    { acls: [] },
  );
  const mayHelp = (acl: PlannedAcl) => typeof acl.rule.action === "symbol" || helps(acl);
  const isOld = ({ id }: PlannedAcl) => id === change.replaced?.id;
  const after = [
    ...acls.filter((acl) => !isOld(acl) && (!changed.has(acl.id) || helps(acl))),
    ...planned.acls!.filter(mayHelp),
  ];
  return { before: [...after, ...acls.filter(isOld)], after };
}
