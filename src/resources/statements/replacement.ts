/** Refuses a plan that replaces an object which a statement needs while the object is gone, in each order of the apply. */
import { apply, stateOf, type States, type TenantState } from "../../impact/state";
import type { PlannedAcl } from "../../impact/network-acl/acl";
import { distinctBy } from "../../impact/statement/lockout";
import { judgeExpectations } from "../../impact/statement/judge";
import { judgePolicies } from "../../impact/statement/policies";
import { hasUnknown, type Expectation } from "../../impact/statement/statement";
import { isDenial } from "../../impact/statement/write";
import type { Change } from "../../sdk/definition";
import type { PlannedChange } from "../../sdk/plan-registry";
import type { ReviewContext } from "../../sdk/resource";
import type { NetworkAcl } from "../../tenant/network-acls";
import type { RateLimitPolicy } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import { conditionOf } from "../conflicts";
import type { networkAcl } from "../network-acl/definition";
import type { rateLimitPolicy } from "../rate-limit-policy/definition";
import { guardsOf, refusedBy } from "./guard";
import { isPlannedUpTo, nameOf } from "./problem";
import { enforced } from "./statements";
import { replacementDetailOf, replacementRefusalOf, type Refusal } from "./words";
import { isNewlyBroken } from "./write";

type Review = ReviewContext<Client>;
type Deletion = Required<States>;

/** A statement that the deletion of the old object breaks now. */
interface Broken {
  readonly key: string;
  readonly refusal: Refusal;
  /** The last priority that decides. No later change can prevent the problem once each priority up to it is planned. */
  readonly upTo?: number;
  /** Whether it also breaks the statement in the order of the apply that is best for the statement. */
  isLasting(): boolean;
}

/** Warnings of a replacement are not shown, so an incomplete plan gets none. The apply then refuses to delete the object. */
async function refuse(topic: string, judge: () => readonly Broken[], { plan, report }: Review): Promise<void> {
  const find = () => {
    const found = judge().filter((one) => one.isLasting());
    return found.length > 0 ? found : undefined;
  };
  const isSettled = ({ upTo }: Broken) => upTo !== undefined && isPlannedUpTo(upTo, plan);
  const { found, isComplete } = await plan.gathered(topic, find, (now) => !now.every(isSettled));
  const final = found.flat().filter((one) => isComplete || isSettled(one));
  for (const { refusal } of distinctBy(final, ({ key }) => key)) {
    report({ severity: "error", ...refusal, detail: refusal.detail + conditionOf(plan), path: [] });
  }
}

/** The expectations that the deletion must keep. `isOpen`: nobody can judge the replacement as one change. */
const keptBy = ({ client }: Review, kind: "requests" | "policy", isOpen: boolean): Expectation[] =>
  enforced(client!.statements, kind).filter(({ always }) => isOpen || always === true);

const brokenBy = (expectations: readonly Expectation[], deletion: Deletion) =>
  judgeExpectations(expectations, deletion).filter(isNewlyBroken);

export async function reviewAclReplacement(
  change: Change<typeof networkAcl>,
  present: readonly NetworkAcl[],
  context: Review,
): Promise<void> {
  const { action, planned, replaced } = change;
  const acls = stateOf({ acls: present }).acls!;
  const old = action === "create" && replaced ? acls.find(({ id }) => id === replaced.id) : undefined;
  // If the new ACL does not need the priority of the old one, it can come first.
  if (!old || planned?.priority !== old.priority) return;
  const now = { before: { acls }, after: { acls: acls.filter((acl) => acl !== old) } };
  const best = (helps: (acl: PlannedAcl) => boolean): Deletion => {
    const changes = context.plan.changes().filter((one) => (one.planned as unknown) !== planned);
    const after = bestAcls(acls, old, changes, helps);
    return { before: { acls: [...after, old] }, after: { acls: after } };
  };
  const { active, priority, rule } = planned;
  const isOpen = hasUnknown({ active, priority, rule });
  const guards = guardsOf(context.client!.statements);
  const lockouts = ({ before, after }: Deletion) => refusedBy(guards, { before: before.acls!, after: after.acls! });
  const judge = (): Broken[] => [
    ...lockouts(now).map((lockout) => ({
      key: JSON.stringify([lockout.kind, lockout.called]),
      refusal: replacementRefusalOf(lockout),
      upTo: Math.max(0, ...lockout.by.map(({ priority: last }) => last)),
      isLasting: () =>
        lockouts(best((acl) => !isDenial(acl))).some(
          ({ kind, called }) => kind === lockout.kind && called === lockout.called,
        ),
    })),
    ...brokenBy(keptBy(context, "requests", isOpen), now).map((judged) => ({
      key: judged.expectation.name,
      refusal: replacementDetailOf(judged, "ACL", isOpen),
      isLasting: () =>
        brokenBy(
          [judged.expectation],
          best((acl) => hasStatedOutcome(acl, judged.expectation)),
        ).length > 0,
    })),
  ];
  await refuse("replaced ACL", judge, context);
}

/**
 * The ACLs that stay, and each version of a changed ACL that helps: no moment of the apply has more of these, or fewer others. An ACL
 * whose action is not known yet may help.
 */
function bestAcls(
  acls: readonly PlannedAcl[],
  old: PlannedAcl,
  changes: readonly PlannedChange[],
  helps: (acl: PlannedAcl) => boolean,
): PlannedAcl[] {
  const changed = new Set(changes.map(({ identity }) => (identity as { readonly id?: string } | undefined)?.id));
  const planned = changes.reduce<TenantState>(
    (state, { planned: next }, index) => apply(state, { kind: "acls", name: `planned ${nameOf(index)}`, values: next }),
    { acls: [] },
  );
  return [
    ...acls.filter((acl) => acl !== old && (!changed.has(acl.id) || helps(acl))),
    ...planned.acls!.filter((acl) => typeof acl.rule.action === "symbol" || helps(acl)),
  ];
}

const outcomeOf = { allow: "reached", block: "blocked", redirect: "redirected", log: "logged" };

function hasStatedOutcome({ rule }: PlannedAcl, { statement }: Expectation): boolean {
  const outcomes = new Set<unknown>(statement.kind === "requests" ? (statement.outcomes as readonly unknown[]) : []);
  return Object.entries(outcomeOf).some(([action, outcome]) => rule.action[action] === true && outcomes.has(outcome));
}

const callers = ["resource", "consumer", "consumer_selector"] as const;

export async function reviewPolicyReplacement(
  { action, planned, replaced }: Change<typeof rateLimitPolicy>,
  present: readonly RateLimitPolicy[],
  context: Review,
): Promise<void> {
  const old = action === "create" && replaced ? present.find(({ id }) => id === replaced.id) : undefined;
  // If the new policy is for other callers, it can come first.
  if (!old || callers.some((part) => planned?.[part] !== old[part])) return;
  const deletionOf = (others: readonly object[]): Deletion => ({
    before: stateOf({ policies: [...others, old] }),
    after: stateOf({ policies: others }),
  });
  const now = deletionOf(present.filter((one) => one !== old));
  const best = (expectation: Expectation) => {
    const changes = context.plan.changes() as readonly PlannedChange<typeof rateLimitPolicy>[];
    const others = changes.filter((one) => one.planned !== planned);
    const changed = new Set<unknown>([old.id, ...others.map(({ identity }) => identity?.id)]);
    const versions: object[] = [
      ...present.filter((one) => changed.has(one.id) && one !== old),
      ...others.flatMap((other) => other.planned ?? []),
    ];
    const unchanged = present.filter(({ id }) => !changed.has(id));
    return deletionOf([...unchanged, ...versions.filter((version) => mayKeep(version, expectation))]);
  };
  const isOpen = hasUnknown({ configuration: planned?.configuration });
  const judge = () =>
    brokenBy(keptBy(context, "policy", isOpen), now).map((judged) => ({
      key: judged.expectation.name,
      refusal: replacementDetailOf(judged, "policy", isOpen),
      isLasting: () => brokenBy([judged.expectation], best(judged.expectation)).length > 0,
    }));
  await refuse("replaced policy", judge, context);
}

/** Whether the policy keeps the expectation for its own callers, as far as its values are known. */
function mayKeep(policy: object, { statement }: Expectation): boolean {
  if (statement.kind !== "policy") return false;
  const { consumer_selector: selector } = policy as { readonly consumer_selector?: unknown };
  if (typeof selector !== "string") return true;
  const state = stateOf({ policies: [policy] });
  return judgePolicies({ ...statement, consumer_selector: selector }, state).verdict !== "broken";
}
