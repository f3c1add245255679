/** Creates, reads, updates and deletes rate limit policies. A tenant has one policy for the same callers. */
import { createOrConflict, findCreated } from "./conflict";
import { equal } from "../formats/cty/value";
import { createCursor, createSnapshot, decodePage, dropping, pageSize, pagesOf } from "./cursor";
import { unlessGone } from "./error";
import { createGate } from "./gate/gate";
import { createProgress, type ProgressOptions } from "./gate/progress";
import type { WriteCall } from "./gate/verdict";
import { type Client, getIfExists } from "./http/client";
import { decoderOf, hasFields, noBody } from "./http/call";
import { segment } from "./id";

export interface RateLimitConfiguration {
  action: string;
  /** Requests per second. 0 blocks all. */
  limit?: number;
  redirect_uri?: string;
}

/** Unique in the tenant. */
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

export type PolicyCall = WriteCall<RateLimitPolicy>;

export interface RateLimitPolicies {
  /** All policies, in the service's order. Calls share the requests until a write. */
  list(): Promise<RateLimitPolicy[]>;
  /** Policies for these callers. Reads each page when it is needed, without a cache. */
  pages(filter?: Partial<Callers>): AsyncIterable<readonly RateLimitPolicy[]>;
  /** From the list, or by its own request if the list does not have it. undefined: deleted. */
  get(id: string): Promise<RateLimitPolicy | undefined>;
  /** Throws Conflict if the callers have a policy that this process does not delete. */
  create(body: RateLimitPolicyBody, call?: PolicyCall): Promise<RateLimitPolicy>;
  /** Replaces the whole configuration. The other properties of a policy never change. */
  update(id: string, configuration: RateLimitConfiguration, call?: PolicyCall): Promise<RateLimitPolicy>;
  /** Succeeds if the policy is deleted already. */
  delete(id: string, call?: PolicyCall): Promise<void>;
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

  const fetchPage = (query: Partial<Callers> & { from?: string | undefined }) =>
    client.send({ method: "GET", path: base, query: { ...query, take: pageSize }, decoders: pageDecoders });
  const fetchFor = async ({ resource, consumer, consumer_selector }: Callers) => {
    const { body, at } = await fetchPage({ resource, consumer, consumer_selector });
    return { body: body.items, at };
  };
  const pages = (filter: Partial<Callers>) =>
    pagesOf(
      createCursor(
        async (from) => (await fetchPage({ ...filter, from })).body,
        ({ id }) => id,
      ),
    );
  const snapshot = createSnapshot(async () => {
    const all = new Map<string, RateLimitPolicy>();
    for await (const page of pages({})) for (const policy of page) all.set(policy.id, policy);
    return all;
  });
  const list = async () => [...(await snapshot.read()).values()];
  const gate = createGate(progress, list);

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
    list,
    pages: (filter = {}) => pages(filter),
    async get(id) {
      const path = pathOf(id);
      const policy = (await snapshot.read()).get(id) ?? (await getIfExists(client, path, decodePolicy));
      if (policy) managed.add(id);
      return policy;
    },
    create: (body, call = {}) => dropping(snapshot, () => create(body, call)),
    async update(id, configuration, own = {}) {
      const call = {
        method: "PATCH",
        path: pathOf(id),
        body: { configuration },
        decoders: { 200: decodePolicy },
      } as const;
      managed.add(id);
      const send = () => dropping(snapshot, async () => (await client.send(call)).body);
      return gate.pass(own, id, (old) => old && { ...old, configuration }, send);
    },
    async delete(id, own = {}) {
      const call = { method: "DELETE", path: pathOf(id), decoders: { 204: noBody } } as const;
      await gate.pass(
        own,
        id,
        () => undefined,
        async () => {
          await dropping(snapshot, () => unlessGone(() => client.send(call)));
          managed.delete(id);
          deleted.add(id);
        },
      );
    },
  };
}

function isFor(policy: Callers, callers: Callers): boolean {
  return (["resource", "consumer", "consumer_selector"] as const).every((name) => policy[name] === callers[name]);
}

/** Whether a policy equals the body that was sent. */
function isSamePolicy(policy: RateLimitPolicy, body: RateLimitPolicyBody): boolean {
  const { resource, consumer, consumer_selector, configuration } = policy;
  return equal({ resource, consumer, consumer_selector, configuration }, body);
}
