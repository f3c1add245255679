// The rate limit policies: /rate-limit-policies and /rate-limit-policies/{id}.

import type { Hono } from "hono";
import { json, noContent, ServiceError, stored } from "../http/answer";
import { bodyOf, idOf, type Environment, type TenantContext } from "../http/context";
import { rateLimitPolicyId } from "../state/identity";
import { readQuery } from "../http/query";
import {
  checkSelector,
  consumerSchema,
  rateLimitPolicyPatchSchema,
  rateLimitPolicySchema,
  resourceSchema,
  selectorSchema,
} from "./rate-limit-policy-check";
import type { Schema } from "../http/schema";
import type { RateLimitPolicy, Store } from "../state/store";
import { withMicros } from "../state/time";

export const rateLimitPoliciesQuery: Schema = {
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

interface Query {
  resource?: string;
  consumer?: string;
  consumer_selector?: string;
  take?: number;
  from?: string;
}

type Content = Pick<RateLimitPolicy, "resource" | "consumer" | "consumer_selector" | "configuration">;

const shown = (policy: RateLimitPolicy) => ({
  id: policy.id,
  resource: policy.resource,
  consumer: policy.consumer,
  consumer_selector: policy.consumer_selector,
  configuration: policy.configuration,
  created_at: policy.created_at,
  updated_at: policy.updated_at,
});

export function addRateLimitPolicies(app: Hono<Environment>, store: Store): void {
  const policies = store.rateLimitPolicies;

  // A choice: an id of another form, but not too long, is answered like one that does not exist.
  const find = (c: TenantContext): RateLimitPolicy => {
    const policy = policies.get(idOf(c, 26));
    if (!policy) throw new ServiceError(404, "The rate limit policy does not exist.");
    return policy;
  };

  app.get("/rate-limit-policies", (c) => {
    const { take = 50, from, ...filters } = readQuery<Query>(c.req.url, rateLimitPoliciesQuery);
    const wanted = policies
      .values()
      .filter((policy) => Object.entries(filters).every(([name, value]) => policy[name as keyof Content] === value));
    const start = from === undefined ? 0 : position(wanted, from);
    const page = wanted.slice(start, start + take);
    const more = start + take < wanted.length;
    return json(200, { rate_limit_policies: page.map(shown), ...(more && { next: cursor(page.at(-1)!) }) });
  });

  app.post("/rate-limit-policies", async (c) => {
    const content = await bodyOf<Content>(c, rateLimitPolicySchema);
    checkSelector(content.consumer_selector);
    const { resource, consumer, consumer_selector } = content;
    const taken = policies
      .values()
      .some(
        (policy) =>
          policy.resource === resource &&
          policy.consumer === consumer &&
          policy.consumer_selector === consumer_selector,
      );
    if (taken) {
      const problem = "A rate limit policy with the same resource, consumer, and consumer_selector already exists.";
      throw new ServiceError(409, problem);
    }
    const moment = withMicros(store.clock());
    const policy = policies.put({
      id: rateLimitPolicyId(store.random),
      resource,
      consumer,
      consumer_selector,
      configuration: stored(content.configuration),
      created_at: moment,
      updated_at: moment,
    });
    c.env.entry.change = `created rate limit policy ${policy.id} (${consumer_selector})`;
    return json(201, shown(policy));
  });

  app.get("/rate-limit-policies/:id", (c) => json(200, shown(find(c))));

  app.patch("/rate-limit-policies/:id", async (c) => {
    const policy = find(c);
    const { configuration } = await bodyOf<Pick<Content, "configuration">>(c, rateLimitPolicyPatchSchema);
    const next = policies.put({
      ...policy,
      configuration: stored(configuration),
      updated_at: withMicros(store.clock()),
    });
    c.env.entry.change = `updated rate limit policy ${policy.id} (${policy.consumer_selector})`;
    return json(200, shown(next));
  });

  app.delete("/rate-limit-policies/:id", (c) => {
    const policy = find(c);
    policies.drop(policy.id);
    c.env.entry.change = `deleted rate limit policy ${policy.id} (${policy.consumer_selector})`;
    return noContent();
  });
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
