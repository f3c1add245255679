/** Reviews the change of a rate limit policy by the expectations about limits, and by the limit of Terraform's own client. */
import { stateOf } from "../../../judge/impact/state";
import type { Change } from "../../sdk/definition";
import type { PlannedChange } from "../../sdk/plan-registry";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { ifReadable } from "../lookup";
import type { rateLimitPolicy } from "../rate-limit-policy/definition";
import { clientsOf, limitProblems } from "./own-limit";
import { expectationProblems, stateAfter } from "./problem";
import { reviewPolicyReplacement } from "./replacement";
import { decided, isOver, review, subjectOf } from "./review";
import { statementsAbout, type Problem } from "./statements";

const deciding = ["resource", "consumer", "consumer_selector", "configuration"];

export async function reviewPolicyStatements(
  change: Change<typeof rateLimitPolicy>,
  context: ReviewContext<Client>,
): Promise<void> {
  const { planned, prior, replaced } = change;
  const { client } = context;
  if (!client || isOver(change, context)) return;
  const { statements, tenant } = client;
  const expectations = statementsAbout(statements, "policy");
  const clients = change.action === "keep" ? [] : clientsOf(statements, { was: prior, becomes: planned });
  if (expectations.length + clients.length === 0) return;
  const present = await ifReadable(() => tenant.rateLimitPolicies.list());
  const before = stateOf(present ? { policies: present } : {});
  const judge = (changes: readonly PlannedChange[]): Problem[] => {
    const states = { before, after: stateAfter(before, "policies", changes) };
    const isOpen = changes.some((one) => one.planned && !decided(one.planned, ...deciding));
    return [
      ...expectationProblems(expectations, states, isOpen),
      ...(present ? clients.flatMap((one) => limitProblems(one, states)) : []),
    ];
  };
  const topic = `statements about limits${clients.length > 0 ? "" : " of others"}`;
  const subject = { ...subjectOf(change, context), topic, attribute: "configuration", present: present ?? [], judge };
  await review(subject, context);
  if (replaced && present) reviewPolicyReplacement(change, present, context);
}
