/** Creates, reads, updates and deletes rate limit policies. A tenant has one policy for the same callers. */
import { createOrConflict } from "./conflict";
import { createCursor, decodePage, pageOf, pagesOf } from "./cursor";
import { unlessGone } from "./error";
import { createGate } from "./gate/gate";
import { createProgress, type ProgressOptions } from "./gate/progress";
import type { WriteCall } from "./gate/verdict";
import { getIfExists, type Client } from "./http/client";
import { decoderOf, noBody } from "./http/json";
import { segment } from "./id";
import { findCreated, sameJson } from "./lost-create";
import { createPageCache, pageSize, type SizeHint } from "./page-cache";
import {
  isPolicy,
  type Callers,
  type RateLimitConfiguration,
  type RateLimitPolicy,
  type RateLimitPolicyBody,
} from "./rate-limit-policy";
import { dropping } from "./snapshot";

export type PolicyCall = WriteCall<RateLimitPolicy>;
export type { Callers, RateLimitConfiguration, RateLimitPolicy, RateLimitPolicyBody } from "./rate-limit-policy";

export interface RateLimitPolicies {
  /** All policies, in the service's order. Calls share the pages until a write. */
  list(): Promise<RateLimitPolicy[]>;
  /** Policies for these callers. Reads each page when it is needed, without a cache. */
  pages(filter?: Partial<Callers>): AsyncIterable<readonly RateLimitPolicy[]>;
  /**
   * From the pages of the list or by its own request, whichever takes fewer requests. `hint` is the result of `extent` in the
   * last run. undefined: deleted.
   */
  get(id: string, hint?: SizeHint): Promise<RateLimitPolicy | undefined>;
  /** The policy for the same callers, from the pages of the list or by its own request. */
  holder(callers: Callers): Promise<RateLimitPolicy | undefined>;
  /** Throws Conflict if the callers have a policy that this process does not delete. */
  create(body: RateLimitPolicyBody, call?: PolicyCall): Promise<RateLimitPolicy>;
  /** Replaces the whole configuration. The other properties of a policy never change. */
  update(id: string, configuration: RateLimitConfiguration, call?: PolicyCall): Promise<RateLimitPolicy>;
  /** Succeeds if the policy is deleted already. */
  delete(id: string, call?: PolicyCall): Promise<void>;
  /** How many policies this process read or wrote, and the least number that the tenant has. */
  extent(): SizeHint;
}

const decodePolicy = decoderOf(isPolicy);
const pageDecoders = { 200: decodePage("rate_limit_policies", isPolicy) };

const base = "/rate-limit-policies";
const pathOf = (id: string) => `${base}/${segment("rate limit policy", id)}`;

export function createRateLimitPolicies(client: Client, options: ProgressOptions): RateLimitPolicies {
  const { clock } = options;
  const progress = createProgress(options);
  /** Policies that this process manages. A create whose response was lost must not adopt them. */
  const managed = new Set<string>();
  const deleted = new Set<string>();
  let lastTotal: number | undefined;

  const fetchPage = (query: Partial<Callers> & { from?: string | undefined }) =>
    client.send({ method: "GET", path: base, query: { ...query, take: pageSize }, decoders: pageDecoders });
  const fetchFor = async ({ resource, consumer, consumer_selector }: Callers) => {
    const { body, at } = await fetchPage({ resource, consumer, consumer_selector });
    return { body: body.items, at };
  };
  const cache = createPageCache<RateLimitPolicy>({
    fetchPage: async (from) => pageOf(await fetchPage({ from })),
    fetchOne: (id) => getIfExists(client, pathOf(id), decodePolicy),
    idOf: ({ id }) => id,
  });

  /** `growth`: the number of policies that the write adds to the tenant. */
  const writing = async <T>(growth: number, write: () => Promise<T>): Promise<T> => {
    lastTotal = cache.total ?? lastTotal;
    const result = await dropping(cache, write);
    if (lastTotal !== undefined) lastTotal += growth;
    return result;
  };

  const gate = createGate(progress, () => cache.list());

  const create = (body: RateLimitPolicyBody, own: PolicyCall) => {
    const isDuplicate = (policy: RateLimitPolicy) => !managed.has(policy.id) && isSamePolicy(policy, body);
    const noun = `rate limit policy for "${body.consumer_selector}"`;
    const find = findCreated(clock, () => fetchFor(body), isDuplicate);
    const confirmation = { what: `created the ${noun}`, find };
    const call = { method: "POST", path: base, body, decoders: { 201: decodePolicy }, confirmation } as const;
    const findExisting = async () => (await fetchFor(body)).body.find((policy) => isFor(policy, body));
    const made = { ...body, id: "", created_at: "", updated_at: "" };
    const send = () =>
      gate.pass(
        own,
        undefined,
        () => made,
        async () => (await client.send(call)).body,
      );
    const { otherCalls } = own;
    return createOrConflict({ noun, managed, deleted, progress, otherCalls, findExisting, isDuplicate }, send);
  };

  return {
    list: () => cache.list(),
    pages(filter = {}) {
      const page = async (from: string | undefined) => pageOf(await fetchPage({ ...filter, from }));
      return pagesOf(createCursor(page, ({ id }) => id));
    },
    async get(id, hint) {
      segment("rate limit policy", id);
      const policy = await cache.get(id, hint);
      if (policy) managed.add(id);
      return policy;
    },
    holder(callers) {
      const matches = (policy: RateLimitPolicy) => isFor(policy, callers);
      return cache.find(matches, async () => (await fetchFor(callers)).body.find(matches));
    },
    create: (body, call = {}) => writing(1, () => create(body, call)),
    async update(id, configuration, own = {}) {
      const call = {
        method: "PATCH",
        path: pathOf(id),
        body: { configuration },
        decoders: { 200: decodePolicy },
      } as const;
      managed.add(id);
      const send = () => writing(0, async () => (await client.send(call)).body);
      return gate.pass(own, id, (old) => old && { ...old, configuration }, send);
    },
    async delete(id, own = {}) {
      const call = { method: "DELETE", path: pathOf(id), decoders: { 204: noBody } } as const;
      await gate.pass(
        own,
        id,
        () => undefined,
        async () => {
          await writing(-1, () => unlessGone(() => client.send(call)));
          managed.delete(id);
          deleted.add(id);
        },
      );
    },
    extent() {
      const tenant = cache.total ?? lastTotal;
      return { ...(managed.size > 0 && { stack: managed.size }), ...(tenant !== undefined && { tenant }) };
    },
  };
}

function isFor(policy: Callers, callers: Callers): boolean {
  return (["resource", "consumer", "consumer_selector"] as const).every((name) => policy[name] === callers[name]);
}

/** Whether a policy equals the body that was sent. */
export function isSamePolicy(policy: RateLimitPolicy, body: RateLimitPolicyBody): boolean {
  const { resource, consumer, consumer_selector, configuration } = policy;
  return sameJson({ resource, consumer, consumer_selector, configuration }, body);
}
