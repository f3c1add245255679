/** Rate limit policies in CDK programs. */
import type { Construct } from "constructs";
import { rateLimitPolicy as kind } from "../judge/kinds/rate-limit-policy";
import { policyFilter, rateLimitPolicy } from "../provider/resources/rate-limit-policy/definition";
import {
  DataTenantRateLimitPolicies as PresentRateLimitPolicies,
  type DataTenantRateLimitPoliciesConfig,
  type DataTenantRateLimitPoliciesRateLimitPoliciesOutputReference,
} from "./bindings/data-tenant-rate-limit-policies";
import { RateLimitPolicy as Generated, type RateLimitPolicyConfig } from "./bindings/rate-limit-policy";
import { firstWith } from "./look-up";
import { checkAtSynth, given } from "./validation";

const filtered = { config: policyFilter };

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

/**
 * The rate limit policies of the tenant, including unmanaged ones. Early Access.
 * @example
 * new DataTenantRateLimitPolicies(stack, "policies").find("third_party_clients").configuration.limit;
 */
export class DataTenantRateLimitPolicies extends PresentRateLimitPolicies {
  constructor(scope: Construct, id: string, config: DataTenantRateLimitPoliciesConfig = {}) {
    super(scope, id, given(filtered, config));
    checkAtSynth(this, filtered, config);
  }

  /** The policy with this selector. A plan fails if there is none. */
  find(consumerSelector: string): DataTenantRateLimitPoliciesRateLimitPoliciesOutputReference {
    return firstWith(this, kind, this.rateLimitPolicies, "consumer_selector", consumerSelector);
  }
}
