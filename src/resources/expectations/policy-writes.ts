/** Refuses a write of a rate limit policy that breaks an expectation. */
import type { Context } from "../../sdk/resource";
import type { RateLimitPolicy } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import type { Operation } from "../network-acl/guard-words";
import { enforced } from "./expectations";
import { statedPolicy } from "./policy-review";

/** A policy before and after the write. Left out: it does not exist. */
interface Write {
  readonly before?: RateLimitPolicy;
  readonly after?: RateLimitPolicy;
}

/** Sends the write, unless it would break an expectation. Reads the policies once for all writes of an apply. */
export async function writePolicy<T extends Partial<RateLimitPolicy> | void>(
  { client }: Pick<Context<Client>, "client">,
  { before, after }: Write,
  operation: Operation,
  send: () => Promise<T>,
): Promise<T> {
  const { expectations, tenant } = client;
  const own = enforced(expectations.all, "policy");
  if (own.length === 0) return send();
  const { refusalOfStep } = await import("./writes.js");
  expectations.policies ??= tenant.rateLimitPolicies.list().then((all) => new Map(all.map((one) => [one.id, one])));
  const standing = await expectations.policies;
  const stateOf = (policies: Iterable<RateLimitPolicy>) => ({ policies: [...policies].map(statedPolicy) });
  const next = new Map(standing);
  if (before) next.delete(before.id);
  if (after) next.set(after.id, after);
  const states = { before: stateOf(standing.values()), after: stateOf(next.values()) };
  const step = { operation, isFinal: operation !== "replace", attribute: "configuration" };
  const refusal = refusalOfStep(own, states, step);
  if (refusal) throw refusal;
  // Another write may be judged before this one ends.
  if (after) standing.set(after.id, after);
  else standing.delete(before!.id);
  try {
    const sent = await send();
    if (after && sent) {
      standing.delete(after.id);
      const policy = { ...after, ...sent };
      standing.set(policy.id, policy);
    }
    return sent;
  } catch (error) {
    // The write may or may not have had an effect.
    expectations.policies = undefined;
    throw error;
  }
}
