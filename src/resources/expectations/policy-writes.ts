/** Refuses a write of a rate limit policy that breaks an expectation. */
import type { Context } from "../../sdk/resource";
import type { PolicyCall, RateLimitPolicy, RateLimitPolicyBody } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import type { Operation } from "../network-acl/guard-words";
import { ownLimitGuard } from "../rate-limit-policy/own-limit";
import { enforced } from "./expectations";
import { statedPolicy } from "./subject";

/**
 * How the write is judged before it is sent. Without an expectation about policies, nothing judges it. `successor`: the policy that
 * takes the place of the deleted one, if it is known.
 */
export async function policyCallFor(
  { client, otherCalls }: Pick<Context<Client>, "client" | "otherCalls">,
  operation: Operation,
  concern: Parameters<typeof ownLimitGuard>[1],
  successor?: RateLimitPolicyBody,
): Promise<PolicyCall> {
  const own = enforced(client.expectations.all, "policy");
  const lockout = operation === "replace" ? undefined : ownLimitGuard(client, concern);
  if (own.length === 0) return { guard: lockout, otherCalls };
  const { refusalOfStep } = await import("./writes.js");
  const isOpen = operation === "replace" && !successor;
  const step = { operation, isFinal: true, isOpen, attribute: "configuration" };
  const others = () => [...client.expectations.successors.policies].filter((one) => one !== successor);
  const refusal = (before: readonly RateLimitPolicy[], after: readonly RateLimitPolicy[]) => {
    const ends = successor ? [...others(), successor] : others();
    const now = { before: stateOf(before), after: stateOf(after) };
    const whole = { before: stateOf(withThose(before, others())), after: stateOf(withThose(after, ends)) };
    return lockout?.refusal(before, after) ?? refusalOfStep(own, { now, whole }, step);
  };
  return { guard: { refusal }, otherCalls };
}

type Policies = readonly RateLimitPolicyBody[];

const stateOf = (policies: Policies) => ({
  policies: policies.map((policy) => statedPolicy(policy as RateLimitPolicy)),
});

const callersOf = ({ resource, consumer, consumer_selector }: RateLimitPolicyBody) =>
  JSON.stringify([resource, consumer, consumer_selector]);

/** A tenant has one policy for the same callers, so a successor is there once another one is for them. */
function withThose(policies: Policies, successors: Policies): Policies {
  const taken = new Set(policies.map(callersOf));
  return [...policies, ...successors.filter((one) => !taken.has(callersOf(one)))];
}
