/** Refuses a write of a rate limit policy that breaks an expectation. */
import type { Context } from "../../sdk/resource";
import type { PolicyCall } from "../../tenant/policy-gate";
import type { RateLimitPolicy } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import type { Operation } from "../network-acl/guard-words";
import { ownLimitGuard } from "../rate-limit-policy/own-limit";
import { enforced } from "./expectations";
import { statedPolicy } from "./subject";

/** How the write is judged before it is sent. Without an expectation about policies, nothing judges it. */
export async function policyCallFor(
  { client, otherCalls }: Pick<Context<Client>, "client" | "otherCalls">,
  operation: Operation,
  concern: Parameters<typeof ownLimitGuard>[1],
): Promise<PolicyCall> {
  const own = enforced(client.expectations.all, "policy");
  const lockout = operation === "replace" ? undefined : ownLimitGuard(client, concern);
  if (own.length === 0) return { guard: lockout, otherCalls };
  const { refusalOfStep } = await import("./writes.js");
  const step = { operation, isFinal: operation !== "replace", attribute: "configuration" };
  const stateOf = (policies: readonly RateLimitPolicy[]) => ({ policies: policies.map(statedPolicy) });
  const refusal = (before: readonly RateLimitPolicy[], after: readonly RateLimitPolicy[]) =>
    lockout?.refusal(before, after) ?? refusalOfStep(own, { before: stateOf(before), after: stateOf(after) }, step);
  return { guard: { refusal }, otherCalls };
}
