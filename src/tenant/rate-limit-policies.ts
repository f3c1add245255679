// Rate limit policies: unique by resource, consumer and consumer selector; listed by cursor.
import type { Client } from "./client";
import { isTenantError, TenantError } from "./error";
import { segment } from "./id";

export interface RateLimitConfiguration {
  action: string;
  /** Requests per second; 0 blocks all. */
  limit?: number;
  redirect_uri?: string;
}

export interface RateLimitPolicyBody {
  resource: string;
  consumer: string;
  consumer_selector: string;
  configuration: RateLimitConfiguration;
}

export interface RateLimitPolicy extends RateLimitPolicyBody {
  id: string;
  created_at: string;
  updated_at: string;
}

export interface RateLimitPolicies {
  /** All of them, in the service's order. */
  list(): Promise<RateLimitPolicy[]>;
  /** undefined: gone. */
  get(id: string): Promise<RateLimitPolicy | undefined>;
  create(body: RateLimitPolicyBody): Promise<RateLimitPolicy>;
  /** Replaces the configuration as a whole; nothing else of a policy can change. */
  update(id: string, configuration: RateLimitConfiguration): Promise<RateLimitPolicy>;
  /** One that is gone already counts as done. */
  delete(id: string): Promise<void>;
}

const base = "/rate-limit-policies";
const one = (id: string) => `${base}/${segment("policy", id)}`;

export function createRateLimitPolicies(client: Client): RateLimitPolicies {
  return {
    async list() {
      const policies: RateLimitPolicy[] = [];
      let from: string | undefined;
      do {
        const page = (await client.send({ method: "GET", path: base, query: { take: 100, from } })) as {
          rate_limit_policies?: RateLimitPolicy[];
          next?: string;
        };
        if (!Array.isArray(page?.rate_limit_policies)) {
          throw new TenantError("unreadable_answer", "The answer of the list has no rate_limit_policies.");
        }
        policies.push(...page.rate_limit_policies);
        from = page.rate_limit_policies.length > 0 ? page.next : undefined;
      } while (from);
      return policies;
    },
    async get(id) {
      try {
        return (await client.send({ method: "GET", path: one(id) })) as RateLimitPolicy;
      } catch (error) {
        if (isTenantError(error, "not_found")) return undefined;
        throw error;
      }
    },
    async create(body) {
      return (await client.send({ method: "POST", path: base, body })) as RateLimitPolicy;
    },
    async update(id, configuration) {
      return (await client.send({ method: "PATCH", path: one(id), body: { configuration } })) as RateLimitPolicy;
    },
    async delete(id) {
      try {
        await client.send({ method: "DELETE", path: one(id) });
      } catch (error) {
        if (!isTenantError(error, "not_found")) throw error;
      }
    },
  };
}
