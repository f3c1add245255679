/** Rate limit policies in CDK programs. */
import type { Construct } from "constructs";
import { rateLimitPolicy } from "../provider/resources/rate-limit-policy/definition";
import { RateLimitPolicy as Generated, type RateLimitPolicyConfig } from "./bindings/rate-limit-policy";
import { checkAtSynth, given } from "./validation";

/**
 * A rate limit policy, which limits the requests per second of a client or a kind of client. Early Access.
 * @example
 * new RateLimitPolicy(stack, "third-parties", {
 *   consumerSelector: "third_party_clients",
 *   configuration: { action: "block", limit: 25 },
 * });
 */
export class RateLimitPolicy extends Generated {
  constructor(scope: Construct, id: string, config: RateLimitPolicyConfig) {
    super(scope, id, given(rateLimitPolicy, config));
    checkAtSynth(this, rateLimitPolicy, config);
  }
}
