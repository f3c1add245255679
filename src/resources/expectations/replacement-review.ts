/** Refuses a plan that replaces an object which an expectation needs while the object is gone. */
import { stateOf, type TenantState } from "../../impact/state";
import type { PlannedAcl, AclVersions } from "../../impact/network-acl/acl";
import { judgeExpectations } from "../../impact/statement/judge";
import { judgePolicies } from "../../impact/statement/policies";
import { hasUnknown, type Expectation, type JudgedExpectation } from "../../impact/statement/statement";
import type { Change } from "../../sdk/definition";
import type { PlannedChange } from "../../sdk/plan-registry";
import type { ReviewContext } from "../../sdk/resource";
import type { NetworkAcl } from "../../tenant/network-acls";
import type { RateLimitPolicy } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import { conditionOf } from "../conflicts";
import type { networkAcl } from "../network-acl/definition";
import { bestDeletion, deletionNow } from "../network-acl/guard";
import type { rateLimitPolicy } from "../rate-limit-policy/definition";
import { enforced } from "./expectations";
import { replacementDetailOf } from "./words";
import { isNewlyBroken, type StatesOfWrite } from "./writes";

type Acl = typeof networkAcl;
type Policy = typeof rateLimitPolicy;

/** The deletion of the old object, if the new one cannot come first. */
interface Replacement {
  /** Among the objects that the tenant has. */
  readonly now: StatesOfWrite;
  /** In the order of the apply that is best for the expectation. */
  best(expectation: Expectation): StatesOfWrite;
  /** Whether the values of the new object are not known yet, so that nobody can judge the replacement as one change. */
  readonly isOpen: boolean;
}

export async function reviewAclReplacement(
  change: Change<Acl>,
  acls: readonly NetworkAcl[],
  context: ReviewContext<Client, Acl>,
): Promise<void> {
  const all = stateOf({ acls }).acls!;
  const now = deletionNow(change, all);
  if (!now) return;
  const best = ({ statement }: Expectation) => {
    const outcomes = new Set<unknown>(statement.kind === "requests" ? (statement.outcomes as readonly unknown[]) : []);
    const helps = ({ rule }: PlannedAcl) =>
      Object.entries(outcomeOf).some(([action, outcome]) => rule.action[action] === true && outcomes.has(outcome));
    return statesOf(bestDeletion(change, all, context.plan.changes(), helps));
  };
  const { active, priority, rule } = change.planned!;
  const isOpen = hasUnknown({ active, priority, rule });
  await refuse("requests", "ACL", { now: statesOf(now), best, isOpen }, context);
}

const outcomeOf = { allow: "reached", block: "blocked", redirect: "redirected", log: "logged" };

const statesOf = ({ before, after }: AclVersions): StatesOfWrite => ({
  before: { acls: before },
  after: { acls: after },
});

const callers = ["resource", "consumer", "consumer_selector"] as const;

export async function reviewPolicyReplacement(
  { action, planned, replaced }: Change<Policy>,
  policies: readonly RateLimitPolicy[],
  context: ReviewContext<Client>,
): Promise<void> {
  const old = action === "create" && replaced ? policies.find(({ id }) => id === replaced.id) : undefined;
  // The new policy can come first, because it is for other callers.
  if (!old || callers.some((part) => planned?.[part] !== old[part])) return;
  const deletionOf = (others: readonly object[]): StatesOfWrite => ({
    before: stateOf({ policies: [...others, old] }),
    after: stateOf({ policies: others }),
  });
  const best = (expectation: Expectation) => {
    const others = (context.plan.changes() as readonly PlannedChange<Policy>[]).filter(
      (one) => one.planned !== planned,
    );
    const changed = new Set<unknown>([old.id, ...others.map(({ identity }) => identity?.id)]);
    const versions: object[] = [
      ...policies.filter(({ id }) => changed.has(id) && id !== old.id),
      ...others.flatMap((other) => other.planned ?? []),
    ];
    const unchanged = policies.filter(({ id }) => !changed.has(id));
    return deletionOf([...unchanged, ...versions.filter((version) => mayHelp(expectation, version))]);
  };
  const { id } = old;
  const now = deletionOf(policies.filter((one) => one.id !== id));
  const isOpen = hasUnknown({ configuration: planned?.configuration });
  await refuse("policy", "policy", { now, best, isOpen }, context);
}

/** Whether the policy keeps the expectation for its own callers, as far as its values are known. */
function mayHelp({ statement }: Expectation, policy: object): boolean {
  if (statement.kind !== "policy") return false;
  const { consumer_selector: selector } = policy as { readonly consumer_selector?: unknown };
  if (typeof selector !== "string") return true;
  const state: TenantState = stateOf({ policies: [policy] });
  return judgePolicies({ ...statement, consumer_selector: selector }, state).verdict !== "broken";
}

/** Warnings of a replacement are not shown, so an incomplete plan gets none. */
async function refuse(
  kind: "requests" | "policy",
  noun: "ACL" | "policy",
  { now, best, isOpen }: Replacement,
  { client, plan, report }: Pick<ReviewContext<Client>, "client" | "plan" | "report">,
): Promise<void> {
  if (!client) return;
  const own = enforced(client.expectations.all, kind).filter(({ always }) => isOpen || always === true);
  const broken = () => {
    const found = judgeExpectations(own, now)
      .filter(isNewlyBroken)
      .filter(({ expectation }) => judgeExpectations([expectation], best(expectation)).some(isNewlyBroken));
    return found.length > 0 ? found : undefined;
  };
  const { found, isComplete } = await plan.gathered(`replaced ${noun} and expectations`, broken, () => true);
  if (!isComplete) return;
  const distinct = new Map<string, JudgedExpectation>(found.flat().map((one) => [one.expectation.name, one]));
  for (const one of distinct.values()) {
    const detail = replacementDetailOf(one, noun, isOpen) + conditionOf(plan);
    report({ severity: "error", code: "TNF-PLANNED-STEP-BREAKS-EXPECTATION", detail, path: [] });
  }
}
