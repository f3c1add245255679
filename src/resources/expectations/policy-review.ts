/** Checks a planned change of a rate limit policy against the expectations about limits. */
import type { StatedObject } from "../../impact/expectation/judge";
import type { Values } from "../../impact/model";
import { isKnown, type Change } from "../../sdk/definition";
import type { PlannedChange } from "../../sdk/plan-registry";
import type { ReviewContext } from "../../sdk/resource";
import type { RateLimitPolicy } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import { ifReadable } from "../lookup";
import { rateLimitPolicy, toWire } from "../rate-limit-policy/definition";
import { isAbout } from "./expectations";
import { statedPolicy, type States } from "./subject";

type Definition = typeof rateLimitPolicy;
type PolicyChange = PlannedChange<Definition>;

export async function reviewPolicyExpectations(
  change: Change<Definition>,
  context: ReviewContext<Client>,
): Promise<void> {
  const { action, prior, planned, replaced } = change;
  const { client, plan } = context;
  const isKept = action === "keep";
  // An apply judges its writes.
  if (!client || plan.phase === "apply" || (isKept && plan.phase !== "plan")) return;
  const { expectations, tenant } = client;
  if (!expectations.all.some((one) => isAbout(one, "policy"))) return;
  const policies = await ifReadable(() => tenant.rateLimitPolicies.list());
  const changes = () => plan.changes() as readonly PolicyChange[];
  const isThis = (one: PolicyChange) => (prior ? one.identity?.id === prior.id : one.planned === planned);
  const address = () => addressOf(changes().findIndex(isThis));
  await expectations.review(
    {
      topic: "expectations about limits",
      isKept,
      attribute: "configuration",
      concerns: (one) => isAbout(one, "policy"),
      version: () => [...(policies ?? []), ...changes().flatMap((one) => [one.planned, one.identity])],
      states: () => (policies ? policyStates(policies, changes()) : { before: {}, after: {} }),
      isOpen: () => changes().some((one) => one.planned && !isKnown(rateLimitPolicy, one.planned)),
      size: (policies?.length ?? 0) + changes().length,
      isMine: (cause) => cause.address === address() || (prior !== undefined && cause.id === prior.id),
    },
    context,
  );
  if (!replaced) return;
  // The deletion of the old policy is judged together with the new one.
  if (isKnown(rateLimitPolicy, planned)) context.privateState["successor"] = toWire(planned);
  if (!policies) return;
  const { reviewPolicyReplacement } = await import("./replacement-review.js");
  await reviewPolicyReplacement(change, policies, context);
}

export function policyStates(policies: readonly RateLimitPolicy[], changes: readonly PolicyChange[]): States {
  const changed = new Set<unknown>(changes.map(({ identity }) => identity?.id));
  const untouched = policies.filter(({ id }) => !changed.has(id)).map(statedPolicy);
  const planned = changes.flatMap((change, index) => plannedPolicy(change, index));
  return { before: { policies: policies.map(statedPolicy) }, after: { policies: [...untouched, ...planned] } };
}

/** Terraform does not tell a provider the address of a resource. */
const addressOf = (index: number): string => `change ${index + 1}`;

function plannedPolicy({ identity, planned }: PolicyChange, index: number): StatedObject[] {
  if (!planned) return [];
  const { id } = identity ?? {};
  return [{ address: addressOf(index), ...(id !== undefined && { id }), values: planned as Values }];
}
