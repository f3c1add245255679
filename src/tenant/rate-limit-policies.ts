/** Rate limit policies: unique by resource, consumer and consumer selector; listed by cursor. */
import type { Clock } from "./clock";
import { Conflict } from "./conflict";
import { isTenantError, unlessGone } from "./error";
import type { Client } from "./http/client";
import type { Decoder } from "./http/call";
import { hasFields, isRecord, noBody } from "./http/json";
import { segment } from "./id";
import { findCreated, sameJson } from "./lost-create";
import { createCursor, isCursor, pageOf, pagesOf, type Page } from "./cursor";
import { createPageCache, pageSize, type SizeHint } from "./page-cache";
import { dropping } from "./snapshot";

export interface RateLimitConfiguration {
  action: string;
  /** Requests per second; 0 blocks all. */
  limit?: number;
  redirect_uri?: string;
}

/** Of whom the tenant holds one policy. */
export interface Callers {
  resource: string;
  consumer: string;
  consumer_selector: string;
}

export interface RateLimitPolicyBody extends Callers {
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
  /** Those for such callers, page by page as they are asked for; read anew each time. */
  pages(filter?: Partial<Callers>): AsyncIterable<readonly RateLimitPolicy[]>;
  /**
   * From the pages of the list or by itself, whichever takes fewer requests; `hint` is what `extent` told in the last run.
   * undefined: gone.
   */
  get(id: string, hint?: SizeHint): Promise<RateLimitPolicy | undefined>;
  /** The one for the same callers, from the pages of the list or by itself. */
  holder(callers: Callers): Promise<RateLimitPolicy | undefined>;
  /** Throws Conflict where there is one for the same callers. */
  create(body: RateLimitPolicyBody): Promise<RateLimitPolicy>;
  /** Replaces the configuration as a whole; nothing else of a policy can change. */
  update(id: string, configuration: RateLimitConfiguration): Promise<RateLimitPolicy>;
  /** One that is gone already counts as done. */
  delete(id: string): Promise<void>;
  /** What this process has seen: how many policies were asked for or written, and how many the tenant holds, at least. */
  extent(): SizeHint;
}

const fields = {
  id: "string",
  resource: "string",
  consumer: "string",
  consumer_selector: "string",
  configuration: "record",
  created_at: "string",
  updated_at: "string",
} as const;

const isPolicy = (body: unknown): body is RateLimitPolicy =>
  hasFields(body, fields) && hasFields(body.configuration, { action: "string" });

const decodePolicy: Decoder<RateLimitPolicy> = (body) => (isPolicy(body) ? body : undefined);

const decodePage: Decoder<Page<RateLimitPolicy>> = (body) => {
  if (!isRecord(body)) return undefined;
  const { rate_limit_policies: items, next } = body;
  return Array.isArray(items) && items.every(isPolicy) && isCursor(next)
    ? { items, next: next || undefined }
    : undefined;
};

const base = "/rate-limit-policies";
const one = (id: string) => `${base}/${segment("policy", id)}`;

export function createRateLimitPolicies(client: Client, { clock }: { clock: Clock }): RateLimitPolicies {
  /** Policies of this stack, as far as it has named them; not to be adopted by a create whose answer was lost. */
  const claimed = new Set<string>();
  let lastTotal: number | undefined;

  const fetchPage = (query: Record<string, string | number | undefined>) =>
    client.send({ method: "GET", path: base, query: { ...query, take: pageSize }, decoders: { 200: decodePage } });

  const cache = createPageCache<RateLimitPolicy>({
    fetchPage: async (from) => pageOf(await fetchPage({ from })),
    fetchOne: (id) =>
      unlessGone(
        async () => (await client.send({ method: "GET", path: one(id), decoders: { 200: decodePolicy } })).body,
      ),
    idOf: ({ id }) => id,
  });

  /** `gained`: by how many policies the tenant grows if it succeeds. */
  const writing = async <T>(gained: number, write: () => Promise<T>): Promise<T> => {
    lastTotal = cache.total ?? lastTotal;
    const written = await dropping(cache, write);
    if (lastTotal !== undefined) lastTotal += gained;
    return written;
  };

  const findAlike = async ({ resource, consumer, consumer_selector }: Callers) => {
    const { body, at } = await fetchPage({ resource, consumer, consumer_selector });
    return { body: body.items, at };
  };

  const post = async (body: RateLimitPolicyBody) => {
    const isDuplicate = (policy: RateLimitPolicy) => !claimed.has(policy.id) && isSamePolicy(policy, body);
    const confirmation = {
      what: `created the rate limit policy for "${body.consumer_selector}"`,
      find: findCreated(clock, () => findAlike(body), isDuplicate),
    };
    const decoders = { 201: decodePolicy };
    const call = { method: "POST", path: base, body, decoders, confirmation } as const;
    try {
      return (await client.send(call)).body;
    } catch (error) {
      if (!isTenantError(error, "conflict")) throw error;
      const existing = (await findAlike(body)).body.find((policy) => isFor(policy, body));
      if (!existing) throw error;
      const identical = isDuplicate(existing);
      claimed.add(existing.id);
      const words = `The tenant has a rate limit policy for "${body.consumer_selector}" already: ${existing.id}.`;
      throw new Conflict(words, existing, identical, error);
    }
  };

  return {
    list: () => cache.list(),
    pages: (filter = {}) =>
      pagesOf(
        createCursor(
          async (from) => pageOf(await fetchPage({ ...filter, from })),
          ({ id }) => id,
        ),
      ),
    async get(id, hint) {
      segment("policy", id);
      const policy = await cache.get(id, hint);
      if (policy) claimed.add(id);
      return policy;
    },
    holder(callers) {
      const isSuch = (policy: RateLimitPolicy) => isFor(policy, callers);
      return cache.find(isSuch, async () => (await findAlike(callers)).body.find(isSuch));
    },
    create: (body) =>
      writing(1, async () => {
        const policy = await post(body);
        claimed.add(policy.id);
        return policy;
      }),
    async update(id, configuration) {
      const call = {
        method: "PATCH",
        path: one(id),
        body: { configuration },
        decoders: { 200: decodePolicy },
      } as const;
      claimed.add(id);
      return writing(0, async () => (await client.send(call)).body);
    },
    async delete(id) {
      const call = { method: "DELETE", path: one(id), decoders: { 204: noBody } } as const;
      await writing(-1, () => unlessGone(() => client.send(call)));
      claimed.delete(id);
    },
    extent() {
      const tenant = cache.total ?? lastTotal;
      return { ...(claimed.size > 0 && { stack: claimed.size }), ...(tenant !== undefined && { tenant }) };
    },
  };
}

function isFor(policy: Callers, callers: Callers): boolean {
  return (["resource", "consumer", "consumer_selector"] as const).every((name) => policy[name] === callers[name]);
}

/** Whether a policy is what is wanted. */
export function isSamePolicy(policy: RateLimitPolicy, body: RateLimitPolicyBody): boolean {
  const { resource, consumer, consumer_selector, configuration } = policy;
  return sameJson({ resource, consumer, consumer_selector, configuration }, body);
}
