/** Refuses a plan that replaces an object which an expectation needs while the object is gone. */
import type { Expectation } from "../../impact/expectation/expectation";
import { judgeExpectations } from "../../impact/expectation/judge";
import type { JudgedExpectation } from "../../impact/expectation/judged";
import { judgePolicies } from "../../impact/expectation/policy-statement";
import { isKnown, type Change } from "../../sdk/definition";
import type { PlannedChange } from "../../sdk/planned-object";
import type { ReviewContext } from "../../sdk/resource";
import type { NetworkAcl } from "../../tenant/network-acls";
import type { RateLimitPolicy } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import { conditionOf } from "../conflicts";
import { networkAcl } from "../network-acl/definition";
import type { JudgedAcl } from "../network-acl/guard-words";
import { bestDeletion, deletionNow, type Deletion } from "../network-acl/replacement";
import { rateLimitPolicy } from "../rate-limit-policy/definition";
import { enforced } from "./expectations";
import { statedPolicy } from "./subject";
import { replacementDetailOf } from "./words";
import { aclState, isNewlyBroken, type Written } from "./writes";

type Acl = typeof networkAcl;
type Policy = typeof rateLimitPolicy;

/** The deletion of the old object, if the new one cannot come first. */
interface Replacement {
  /** Among the objects that the tenant has. */
  readonly now: Written;
  /** In the order of the apply that is best for the expectation; undefined if values are not known yet. */
  best(expectation: Expectation): Written | undefined;
  /** Whether the values of the new object are not known yet, so that nobody can judge the replacement as one change. */
  readonly isOpen: boolean;
}

export function reviewAclReplacement(
  change: Change<Acl>,
  acls: readonly NetworkAcl[],
  context: ReviewContext<Client, Acl>,
): Promise<void> {
  const judged = acls.map((acl): JudgedAcl => ({ ...acl, key: acl.id }) as JudgedAcl);
  const now = deletionNow(change, judged);
  const best = ({ statement }: Expectation) => {
    const outcomes = new Set<unknown>(statement.kind === "requests" ? (statement.outcomes as readonly unknown[]) : []);
    const helps = ({ rule }: JudgedAcl) =>
      Object.entries(outcomeOf).some(([action, outcome]) => rule.action[action] === true && outcomes.has(outcome));
    const deletion = bestDeletion(change, judged, context.plan.changes(), helps);
    return deletion && statesOf(deletion);
  };
  const isOpen = !isKnown(networkAcl, change.planned!);
  return refuse("requests", "ACL", now && { now: statesOf(now), best, isOpen }, context);
}

const outcomeOf = { allow: "reached", block: "blocked", redirect: "redirected", log: "logged" };

const statesOf = ({ before, after }: Deletion): Written => ({ before: aclState(before), after: aclState(after) });

export function reviewPolicyReplacement(
  { action, planned, replaced }: Change<Policy>,
  policies: readonly RateLimitPolicy[],
  context: ReviewContext<Client>,
): Promise<void> {
  const old = action === "create" && replaced ? policies.find(({ id }) => id === replaced.id) : undefined;
  const isFirst = (["resource", "consumer", "consumer_selector"] as const).some(
    (part) => planned?.[part] !== old?.[part],
  );
  const without = (all: readonly RateLimitPolicy[]) => ({
    policies: all.filter((one) => one !== old).map(statedPolicy),
  });
  const best = (expectation: Expectation) => {
    const others = (context.plan.changes() as readonly PlannedChange<Policy>[]).filter(
      (one) => one.planned !== planned,
    );
    if (others.some((other) => other.planned && !isKnown(rateLimitPolicy, other.planned))) return undefined;
    const changed = new Set<unknown>(others.map(({ identity }) => identity?.id));
    const versions = [
      ...policies.filter(({ id }) => changed.has(id) && id !== old?.id),
      ...others.flatMap((other) => (other.planned ? [other.planned as RateLimitPolicy] : [])),
    ];
    const unchanged = policies.filter(({ id }) => !changed.has(id) && id !== old?.id);
    const after = [...unchanged, ...versions.filter((version) => isWithin(expectation, version))];
    return { before: { policies: [...after, old!].map(statedPolicy) }, after: without(after) };
  };
  const now = { before: { policies: policies.map(statedPolicy) }, after: without(policies) };
  const isOpen = !isKnown(rateLimitPolicy, planned!);
  return refuse("policy", "policy", old && !isFirst ? { now, best, isOpen } : undefined, context);
}

/** Whether the policy keeps the expectation for its own callers. */
function isWithin({ statement }: Expectation, policy: RateLimitPolicy): boolean {
  if (statement.kind !== "policy") return false;
  const own = { ...statement, consumer_selector: policy.consumer_selector };
  return judgePolicies(own, { policies: [statedPolicy(policy)] }).verdict === "held";
}

/** Warnings of a replacement are not shown, so an incomplete plan gets none. */
async function refuse(
  kind: "requests" | "policy",
  noun: string,
  replacement: Replacement | undefined,
  { client, plan, report }: ReviewContext<Client>,
): Promise<void> {
  if (!client || !replacement) return;
  const { isOpen } = replacement;
  const own = enforced(client.expectations.all, kind).filter(({ always }) => isOpen || always === true);
  const broken = () => {
    const found = judgeExpectations(own, replacement.now)
      .filter(isNewlyBroken)
      .filter(({ expectation }) => {
        const best = replacement.best(expectation);
        return best && judgeExpectations([expectation], best).some(isNewlyBroken);
      });
    return found.length > 0 ? found : undefined;
  };
  const { found, isComplete } = await plan.gathered(`replaced ${noun} and expectations`, broken, () => true);
  const refusals = (all: readonly JudgedExpectation[]) =>
    [...new Map(all.map((one) => [one.expectation.name, one])).values()].map((one) => ({
      code: "TNF-PLANNED-STEP-BREAKS-EXPECTATION" as const,
      detail: replacementDetailOf(one, noun, isOpen) + conditionOf(plan),
    }));
  if (!isComplete) return;
  for (const refusal of refusals(found.flat())) report({ severity: "error", ...refusal, path: [] });
}
