// Rate limit policies: unique by resource, consumer and consumer selector; listed by cursor.
import type { Client } from "./client";
import { isTenantError, TenantError } from "./error";
import { segment } from "./id";
import { createOnce, isRecent, sameJson, type CreationContext } from "./lost";
import { createSharedReading, pageSize, type Hint } from "./shared-reading";
import { dropping } from "./snapshot";

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
  /** All of them, in the service's order; read once however many ask, until something is written. */
  list(): Promise<RateLimitPolicy[]>;
  /**
   * From the pages of the list or by itself, whichever takes fewer requests; `hint` is what `extent` told in the last run.
   * undefined: gone.
   */
  get(id: string, hint?: Hint): Promise<RateLimitPolicy | undefined>;
  create(body: RateLimitPolicyBody): Promise<RateLimitPolicy>;
  /** Replaces the configuration as a whole; nothing else of a policy can change. */
  update(id: string, configuration: RateLimitConfiguration): Promise<RateLimitPolicy>;
  /** One that is gone already counts as done. */
  delete(id: string): Promise<void>;
  /** What this process has seen: how many policies were asked for or written, and how many the tenant holds, at least. */
  extent(): Hint;
}

const base = "/rate-limit-policies";
const one = (id: string) => `${base}/${segment("policy", id)}`;

export function createRateLimitPolicies(client: Client, context: CreationContext): RateLimitPolicies {
  const { clock } = context;
  /** Policies of this stack, as far as it has named them; not to be adopted by a create whose answer was lost. */
  const claimed = new Set<string>();
  let lastTotal: number | undefined;

  const fetchPage = async (query: Record<string, string | number | undefined>) => {
    const { body, at } = await client.send({ method: "GET", path: base, query });
    const page = body as { rate_limit_policies?: RateLimitPolicy[]; next?: string | null } | undefined;
    if (Array.isArray(page?.rate_limit_policies)) {
      return { items: page.rate_limit_policies, next: page.next || undefined, at };
    }
    throw new TenantError("unreadable_answer", "The list of rate limit policies is not a list.", {
      method: "GET",
      path: base,
    });
  };

  const reading = createSharedReading<RateLimitPolicy>({
    fetchPage: (from) => fetchPage({ take: pageSize, from }),
    async fetchOne(id) {
      try {
        return (await client.send({ method: "GET", path: one(id) })).body as RateLimitPolicy;
      } catch (error) {
        if (isTenantError(error, "not_found")) return undefined;
        throw error;
      }
    },
    idOf: ({ id }) => id,
  });

  /** `gained`: by how many policies the tenant grows if it succeeds. */
  const writing = async <T>(gained: number, write: () => Promise<T>): Promise<T> => {
    lastTotal = reading.total ?? lastTotal;
    const written = await dropping(reading, write);
    if (lastTotal !== undefined) lastTotal += gained;
    return written;
  };

  const send = async (method: "POST" | "PATCH", path: string, body: unknown) => {
    const policy = (await client.send({ method, path, body })).body as RateLimitPolicy | undefined;
    if (typeof policy?.id === "string") return policy;
    throw new TenantError("unreadable_answer", `The answer to ${method} ${path} has no id.`, { method, path });
  };

  const findCreated = (body: RateLimitPolicyBody) => async (since: number) => {
    const { resource, consumer, consumer_selector } = body;
    const { items, at } = await fetchPage({ resource, consumer, consumer_selector, take: pageSize });
    const elapsed = clock.now() - since;
    return items.find(
      (policy) =>
        !claimed.has(policy.id) &&
        isRecent(policy.created_at, at, elapsed) &&
        sameJson(body, {
          resource: policy.resource,
          consumer: policy.consumer,
          consumer_selector: policy.consumer_selector,
          configuration: policy.configuration,
        }),
    );
  };

  return {
    list: () => reading.list(),
    async get(id, hint) {
      segment("policy", id);
      const policy = await reading.get(id, hint);
      if (policy) claimed.add(id);
      return policy;
    },
    create: (body) =>
      writing(1, async () => {
        const what = `the rate limit policy for "${body.consumer_selector}"`;
        const policy = await createOnce(
          { what, send: () => send("POST", base, body), find: findCreated(body) },
          context,
        );
        claimed.add(policy.id);
        return policy;
      }),
    async update(id, configuration) {
      const path = one(id);
      claimed.add(id);
      return writing(0, () => send("PATCH", path, { configuration }));
    },
    async delete(id) {
      const path = one(id);
      await writing(-1, async () => {
        try {
          await client.send({ method: "DELETE", path });
        } catch (error) {
          if (!isTenantError(error, "not_found")) throw error;
        }
      });
      claimed.delete(id);
    },
    extent() {
      const tenant = reading.total ?? lastTotal;
      return { ...(claimed.size > 0 && { stack: claimed.size }), ...(tenant !== undefined && { tenant }) };
    },
  };
}
