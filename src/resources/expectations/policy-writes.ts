/** How a write of a policy is judged before it is sent: by the limit of Terraform's own client, and by expectations. */
import type { Context } from "../../sdk/resource";
import type { PolicyCall, RateLimitPolicyBody } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import { ownLimitGuard } from "../rate-limit-policy/own-limit";
import { enforced } from "./expectations";
import type { Operation } from "./words";

/** `successor`: the policy that takes the place of the deleted one, if it is known. */
export async function policyCallFor(
  { client, otherCalls }: Pick<Context<Client>, "client" | "otherCalls">,
  operation: Operation,
  concern: Parameters<typeof ownLimitGuard>[1],
  successor?: RateLimitPolicyBody,
): Promise<PolicyCall> {
  const { all, successors } = client.expectations;
  const own = enforced(all, "policy");
  const lockout = operation === "replace" ? undefined : ownLimitGuard(client, concern);
  if (own.length === 0) return { guard: lockout, otherCalls };
  const { policyWriteJudge } = await import("./writes.js");
  const judge = policyWriteJudge(own, operation, { all: successors.policies, own: successor });
  return {
    guard: { refusal: (before, after) => lockout?.refusal(before, after) ?? judge(before, after) },
    otherCalls,
  };
}
