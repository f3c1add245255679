/** The rate limit policies: /rate-limit-policies and /rate-limit-policies/{id}. */
import { ServiceError, stored } from "../http/response";
import { invalidBody } from "../http/body";
import { api, atMost, operation, type Call, type Family } from "../http/operation";
import type { Schema } from "../schema/schema";
import { exactly, listOf, microsTime, text } from "../schema/shape";
import { rateLimitPolicyId } from "../state/identity";
import type { JsonObject, Kind } from "../state/kind";
import { withMicros } from "../state/time";

export interface RateLimitPolicy {
  readonly id: string;
  readonly resource: string;
  readonly consumer: string;
  readonly consumer_selector: string;
  readonly configuration: JsonObject;
  readonly created_at: string;
  readonly updated_at: string;
}

type Content = Pick<RateLimitPolicy, "resource" | "consumer" | "consumer_selector" | "configuration">;

const limit: Schema = { type: "integer", minimum: 0, maximum: 10000, description: "Requests a second; 0 blocks all." };

const configurationSchema: Schema = {
  type: "object",
  oneOf: [
    {
      type: "object",
      additionalProperties: false,
      required: ["action"],
      properties: { action: { type: "string", enum: ["allow"] } },
    },
    {
      type: "object",
      additionalProperties: false,
      required: ["action", "limit"],
      properties: { action: { type: "string", enum: ["block", "log"] }, limit },
    },
    {
      type: "object",
      additionalProperties: false,
      required: ["action", "limit", "redirect_uri"],
      properties: {
        action: { type: "string", enum: ["redirect"] },
        limit,
        redirect_uri: { type: "string", format: "strict-https-uri" },
      },
    },
  ],
};

const resourceSchema: Schema = { type: "string", enum: ["oauth_authentication_api"] };
const consumerSchema: Schema = { type: "string", enum: ["client"] };
const selectorSchema: Schema = {
  type: "string",
  maxLength: 255,
  description: "client_id:<id>, client_id:<uri>, cimd_clients, third_party_clients or default.",
};

const contentSchema: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["resource", "consumer", "consumer_selector", "configuration"],
  properties: {
    resource: resourceSchema,
    consumer: consumerSchema,
    consumer_selector: selectorSchema,
    configuration: configurationSchema,
  },
};
const patchSchema: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["configuration"],
  properties: { configuration: configurationSchema },
};
const querySchema: Schema = {
  type: "object",
  additionalProperties: false,
  properties: {
    resource: resourceSchema,
    consumer: consumerSchema,
    consumer_selector: selectorSchema,
    take: { type: "integer", minimum: 1, maximum: 100, default: 50 },
    from: { type: "string", maxLength: 1000 },
  },
};
interface Query extends Partial<Pick<Content, "resource" | "consumer" | "consumer_selector">> {
  readonly take?: number;
  readonly from?: string;
}

const policyShape = exactly({
  id: { type: "string", maxLength: 26, format: "rate-limit-policy-id" },
  resource: resourceSchema,
  consumer: consumerSchema,
  consumer_selector: selectorSchema,
  configuration: configurationSchema,
  created_at: microsTime,
  updated_at: microsTime,
});
const listShape = exactly({ rate_limit_policies: listOf(policyShape), next: text }, ["next"]);

export const rateLimitPolicyKind: Kind<"rate_limit_policies", RateLimitPolicy> = {
  name: "rate_limit_policies",
  idOf: ({ id }) => id,
  seed: {
    ...contentSchema,
    required: ["configuration"],
    properties: { ...contentSchema.properties, id: text, created_at: text, updated_at: text },
  },
  complete(given, { clock, random }) {
    const moment = given.created_at ?? withMicros(clock());
    return {
      id: rateLimitPolicyId(random),
      resource: "oauth_authentication_api",
      consumer: "client",
      consumer_selector: "default",
      configuration: { action: "allow" },
      created_at: moment,
      updated_at: moment,
      ...given,
    };
  },
};

const selectors = /^(client_id:.+|cimd_clients|third_party_clients|default)$/su;

/** A choice: a selector of none of the documented forms is refused; in which words is not known. */
function checkSelector(selector: string): void {
  if (selectors.test(selector)) return;
  throw invalidBody(
    `Payload validation error: 'String does not match pattern: ${selectors.source}' on property consumer_selector.`,
  );
}

const shown = ({ id, resource, consumer, consumer_selector, configuration, ...times }: RateLimitPolicy) => ({
  id,
  resource,
  consumer,
  consumer_selector,
  configuration,
  created_at: times.created_at,
  updated_at: times.updated_at,
});

// A choice: an id of another form, but not too long, is answered like one that does not exist.
function find({ tenant, id }: Call): RateLimitPolicy {
  const policy = tenant.store.of(rateLimitPolicyKind).get(id);
  if (!policy) throw new ServiceError(404, "The rate limit policy does not exist.");
  return policy;
}

const cursor = (policy: RateLimitPolicy) =>
  Buffer.from(JSON.stringify([policy.created_at, policy.id])).toString("base64url");

/** Where the page behind a cursor begins; the policy the cursor names may be gone by now. */
function position(list: RateLimitPolicy[], from: string): number {
  try {
    const [created, id] = JSON.parse(Buffer.from(from, "base64url").toString()) as [string, string];
    const at = list.findIndex((policy) => policy.id === id);
    if (at >= 0) return at + 1;
    const later = list.findIndex((policy) => padded(policy.created_at) > padded(created));
    return later < 0 ? list.length : later;
  } catch {
    throw new ServiceError(400, "Invalid pagination cursor", "invalid_query_string");
  }
}

/** A time whose decimals were trimmed, made comparable as text. */
const padded = (time: string) => time.replace("Z", "").padEnd(26, "0");

const all = { path: api("/rate-limit-policies") };
const one = {
  path: api("/rate-limit-policies/{id}"),
  id: atMost(26),
  success: 200,
  answer: policyShape,
  refusals: [404],
};

export const rateLimitPolicies: Family = {
  schemas: {
    RateLimitPolicy: policyShape,
    RateLimitPolicyContent: contentSchema,
    RateLimitPolicyPatch: patchSchema,
    RateLimitPolicyConfiguration: configurationSchema,
  },
  operations: [
    operation<unknown, Query>({
      ...all,
      method: "GET",
      summary: "List the rate limit policies",
      scope: "read:rate_limit_policies",
      query: querySchema,
      success: 200,
      answer: listShape,
      handle({ tenant, query: { take = 50, from, ...filters } }) {
        const wanted = tenant.store
          .of(rateLimitPolicyKind)
          .values()
          .filter((policy) =>
            Object.entries(filters).every(([name, value]) => policy[name as keyof Content] === value),
          );
        const start = from === undefined ? 0 : position(wanted, from);
        const page = wanted.slice(start, start + take);
        const more = start + take < wanted.length;
        return { rate_limit_policies: page.map(shown), ...(more && { next: cursor(page.at(-1)!) }) };
      },
    }),
    operation<Content>({
      ...all,
      method: "POST",
      summary: "Create a rate limit policy",
      scope: "create:rate_limit_policies",
      body: contentSchema,
      success: 201,
      answer: policyShape,
      refusals: [409],
      handle({ tenant: { store }, body, changed }) {
        checkSelector(body.consumer_selector);
        const policies = store.of(rateLimitPolicyKind);
        const target = ["resource", "consumer", "consumer_selector"] as const;
        if (policies.values().some((policy) => target.every((part) => policy[part] === body[part]))) {
          const problem = "A rate limit policy with the same resource, consumer, and consumer_selector already exists.";
          throw new ServiceError(409, problem);
        }
        const content = { ...body, configuration: stored(body.configuration) };
        const policy = policies.put(rateLimitPolicyKind.complete(content, store));
        changed(`created rate limit policy ${policy.id} (${policy.consumer_selector})`);
        return shown(policy);
      },
    }),
    operation({
      ...one,
      method: "GET",
      summary: "Read a rate limit policy",
      scope: "read:rate_limit_policies",
      handle: (call) => shown(find(call)),
    }),
    operation<Pick<Content, "configuration">>({
      ...one,
      method: "PATCH",
      summary: "Change the configuration of a rate limit policy",
      scope: "update:rate_limit_policies",
      body: patchSchema,
      handle(call) {
        const { store } = call.tenant;
        const { configuration } = call.body;
        const changed = { ...find(call), configuration: stored(configuration), updated_at: withMicros(store.clock()) };
        call.changed(`updated rate limit policy ${changed.id} (${changed.consumer_selector})`);
        return shown(store.of(rateLimitPolicyKind).put(changed));
      },
    }),
    operation({
      ...one,
      method: "DELETE",
      summary: "Delete a rate limit policy",
      scope: "delete:rate_limit_policies",
      success: 204,
      answer: undefined,
      handle(call) {
        const policy = find(call);
        call.tenant.store.of(rateLimitPolicyKind).drop(policy.id);
        call.changed(`deleted rate limit policy ${policy.id} (${policy.consumer_selector})`);
      },
    }),
  ],
};
