/** Rate limit policies in CDK programs. */
import { rateLimitPolicy as kind } from "../judge/kinds/rate-limit-policy";
import { policyFilter, rateLimitPolicy } from "../provider/resources/rate-limit-policy/definition";
import {
  DataTenantRateLimitPolicies as PresentRateLimitPolicies,
  type DataTenantRateLimitPoliciesRateLimitPoliciesOutputReference,
} from "./bindings/data-tenant-rate-limit-policies";
import { RateLimitPolicy as Generated } from "./bindings/rate-limit-policy";
import { firstWith } from "./look-up";
import { checked } from "./validation";

/**
 * A rate limit policy, which limits the requests per second of a client or a kind of client. Early Access.
 * @example
 * new RateLimitPolicy(stack, "third-parties", {
 *   consumerSelector: "third_party_clients",
 *   configuration: { action: "block", limit: 25 },
 * });
 */
export class RateLimitPolicy extends checked(Generated, rateLimitPolicy) {}

/**
 * The rate limit policies of the tenant, including unmanaged ones. Early Access.
 * @example
 * new DataTenantRateLimitPolicies(stack, "policies").find("third_party_clients").configuration.limit;
 */
export class DataTenantRateLimitPolicies extends checked(PresentRateLimitPolicies, { config: policyFilter }) {
  /** The policy with this selector. A plan fails if there is none. */
  find(consumerSelector: string): DataTenantRateLimitPoliciesRateLimitPoliciesOutputReference {
    return firstWith(this, kind, this.rateLimitPolicies, "consumer_selector", consumerSelector);
  }
}
