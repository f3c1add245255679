/**
 * Refuses a plan that replaces an object which a statement needs: Terraform deletes the old one first, and the new one needs its priority or
 * selector, so that it cannot come first. The apply would refuse to delete the old one.
 */
import { stateOf, type States } from "../../../judge/impact/state";
import { judgeExpectations } from "../../../judge/impact/statement/judge";
import type { Change } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { NetworkAcl } from "../../../tenant/network-acls";
import type { RateLimitPolicy } from "../../../tenant/rate-limit-policies";
import type { Client } from "../client";
import type { networkAcl } from "../network-acl/definition";
import type { rateLimitPolicy } from "../rate-limit-policy/definition";
import { refusedBy } from "./guard";
import { enforced } from "./statements";
import { replacementDetailOf, replacementRefusalOf } from "./words";
import { isNewlyBroken } from "./write";

type Review = ReviewContext<Client>;

export function reviewAclReplacement(
  { planned, replaced }: Change<typeof networkAcl>,
  present: readonly NetworkAcl[],
  context: Review,
): void {
  const { acls = [] } = stateOf({ acls: present });
  const old = acls.find(({ id }) => id === replaced?.id);
  if (!old || planned?.priority !== old.priority) return;
  const states = { before: { acls }, after: { acls: acls.filter((acl) => acl !== old) } };
  for (const lockout of refusedBy(context.client!.statements, { before: acls, after: states.after.acls })) {
    context.report({ severity: "error", ...replacementRefusalOf(lockout) });
  }
  reportBroken("ACL", states, context);
}

const callers = ["resource", "consumer", "consumer_selector"] as const;

export function reviewPolicyReplacement(
  { planned, replaced }: Change<typeof rateLimitPolicy>,
  present: readonly RateLimitPolicy[],
  context: Review,
): void {
  const old = present.find(({ id }) => id === replaced?.id);
  if (!old || callers.some((part) => planned?.[part] !== old[part])) return;
  const rest = present.filter((one) => one !== old);
  reportBroken("policy", { before: stateOf({ policies: present }), after: stateOf({ policies: rest }) }, context);
}

function reportBroken(noun: "ACL" | "policy", states: Required<States>, { client, report }: Review): void {
  const expectations = enforced(client!.statements, noun === "ACL" ? "requests" : "policy");
  for (const judged of judgeExpectations(expectations, states).filter(isNewlyBroken)) {
    report({ severity: "error", ...replacementDetailOf(judged, noun) });
  }
}
