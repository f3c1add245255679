/** Rate limit policies: /rate-limit-policies and /rate-limit-policies/{id}. */
import { invalidBody } from "../http/body";
import { atMost, type Operation } from "../http/operation";
import { inStorageOrder, ServiceError } from "../http/response";
import { exactly, microsTime, oneOf, optional, seedOf, type Schema } from "../schema";
import { rateLimitPolicyId } from "../state/identity";
import type { JsonObject, Kind } from "../state/store";
import { withMicros } from "../state/time";
import { checkpointShape, collection, sizeOf, takeQuery } from "./collection";

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

/** Requests per second; 0 blocks all. */
const limit: Schema = { type: "integer", minimum: 0, maximum: 10000 };

const configurationSchema: Schema = {
  type: "object",
  oneOf: [
    exactly({ action: oneOf("allow") }),
    exactly({ action: oneOf("block", "log"), limit }),
    exactly({ action: oneOf("redirect"), limit, redirect_uri: { type: "string", format: "strict-https-uri" } }),
  ],
};

const target = {
  resource: oneOf("oauth_authentication_api"),
  consumer: oneOf("client"),
  consumer_selector: { type: "string", maxLength: 255 },
} as const;
const targetNames = ["resource", "consumer", "consumer_selector"] as const;

const contentSchema = exactly({ ...target, configuration: configurationSchema });
const patchSchema = exactly({ configuration: configurationSchema });
interface Query extends Partial<Pick<Content, (typeof targetNames)[number]>> {
  readonly take?: number;
  readonly from?: string;
}

const policyShape = exactly({
  id: { type: "string", maxLength: 26, format: "rate-limit-policy-id" },
  ...target,
  configuration: configurationSchema,
  created_at: microsTime,
  updated_at: microsTime,
});

export const rateLimitPolicyKind: Kind<"rate_limit_policies", RateLimitPolicy> = {
  name: "rate_limit_policies",
  idOf: ({ id }) => id,
  seed: seedOf(contentSchema, ["configuration"]),
  complete(given, { clock, random }) {
    const instant = given.created_at ?? withMicros(clock());
    return {
      id: rateLimitPolicyId(random),
      resource: "oauth_authentication_api",
      consumer: "client",
      consumer_selector: "default",
      configuration: { action: "allow" },
      created_at: instant,
      updated_at: instant,
      ...given,
    };
  },
};

const selectors = /^(client_id:.+|cimd_clients|third_party_clients|default)$/su;

/** Assumption: a consumer selector of an undocumented form is refused, and the message says so. */
function checkSelector(selector: string): void {
  if (selectors.test(selector)) return;
  throw invalidBody(
    `Payload validation error: 'String does not match pattern: ${selectors.source}' on property consumer_selector.`,
  );
}

const cursor = (policy: RateLimitPolicy) =>
  Buffer.from(JSON.stringify([policy.created_at, policy.id])).toString("base64url");

/** The start of the page after a cursor, even if the policy in the cursor was deleted. */
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

const { list, create, read, update, remove } = collection({
  kind: rateLimitPolicyKind,
  path: "/rate-limit-policies",
  noun: "rate limit policy",
  // Assumption: the id of a policy in another form, which is not too long, gets the 404 of an absent policy.
  id: atMost(26),
  notFound: ["The rate limit policy does not exist."],
  shape: policyShape,
  show: (policy) => policy,
  nameOf: ({ consumer_selector }) => consumer_selector,
  unique: {
    key: (policy) => JSON.stringify(targetNames.map((name) => policy[name])),
    taken: () => {
      const problem = "A rate limit policy with the same resource, consumer, and consumer_selector already exists.";
      return new ServiceError(409, problem);
    },
  },
});

export const rateLimitPolicies: readonly Operation[] = [
  list<Query>({
    query: optional({ ...target, ...takeQuery, from: { type: "string", maxLength: 1000 } }),
    response: checkpointShape("rate_limit_policies", policyShape),
    handle({ tenant, query: { take, from, ...filters } }) {
      const found = tenant.store
        .of(rateLimitPolicyKind)
        .values()
        .filter((policy) => Object.entries(filters).every(([name, value]) => policy[name as keyof Content] === value));
      const start = from === undefined ? 0 : position(found, from);
      const page = found.slice(start, start + sizeOf({ take }));
      const isLast = start + page.length >= found.length;
      return { rate_limit_policies: page, ...(!isLast && { next: cursor(page.at(-1)!) }) };
    },
  }),
  create<Content>(contentSchema, ({ tenant: { store }, body }) => {
    checkSelector(body.consumer_selector);
    return rateLimitPolicyKind.complete({ ...body, configuration: inStorageOrder(body.configuration) }, store);
  }),
  read(),
  update<Pick<Content, "configuration">>({ method: "PATCH", body: patchSchema }, ({ tenant, body }, policy) => ({
    ...policy,
    configuration: inStorageOrder(body.configuration),
    updated_at: withMicros(tenant.store.clock()),
  })),
  remove(),
];
