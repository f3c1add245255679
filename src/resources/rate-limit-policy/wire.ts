/** Rate limit policies to and from the service's form: the attributes carry its names, so what is written is what is sent. */
import type { Computed, Config, State } from "../../sdk/definition";
import type { RateLimitPolicy, RateLimitPolicyBody } from "../../tenant/rate-limit-policies";
import type { rateLimitPolicy } from "./definition";

type Definition = typeof rateLimitPolicy;

export function toWire(planned: Config<Definition>): RateLimitPolicyBody {
  const { resource, consumer, consumer_selector, configuration } = planned;
  return { resource, consumer, consumer_selector, configuration };
}

/** Attributes that the service has added since are dropped when the state is written. */
export function fromWire(policy: RateLimitPolicy): State<Definition> {
  return policy as State<Definition>;
}

export function computedOf({ id, created_at, updated_at }: RateLimitPolicy): Computed<Definition> {
  return { id, created_at, updated_at };
}
