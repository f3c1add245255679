// The shapes of the tenant's answers, exactly: what is not named here is not sent, what is required always is.

import { ruleSchema } from "../api/network-acl-check";
import { configurationSchema, consumerSchema, resourceSchema, selectorSchema } from "../api/rate-limit-policy-check";
import type { Schema } from "./schema";

const text: Schema = { type: "string" };
const number: Schema = { type: "number" };

const exactly = (properties: Record<string, Schema>, optional: string[] = []): Schema => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

const list = (items: Schema): Schema => ({ type: "array", items });

export const errorShape = exactly({ statusCode: { type: "integer" }, error: text, message: text, errorCode: text }, [
  "errorCode",
]);
export const tokenErrorShape = exactly({ error: text, error_description: text });

export const tokenShape = exactly({
  access_token: text,
  scope: text,
  expires_in: { type: "integer" },
  token_type: { type: "string", enum: ["Bearer"] },
});

const millis: Schema = {
  type: "string",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
  description: "UTC, exactly three decimals.",
};

const networkAcl: Record<string, Schema> = {
  id: {
    type: "string",
    pattern: "^(acl_[1-9A-HJ-NP-Za-km-z]{22}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$",
  },
  description: text,
  active: { type: "boolean" },
  priority: { type: "number", minimum: 1, maximum: 100 },
  rule: ruleSchema,
  created_at: millis,
  updated_at: millis,
};

export const networkAclShape = exactly(networkAcl);
export const networkAclInFullShape = exactly({ ...networkAcl, tenant_id: text, deleted_at: { type: "null" } });
export const networkAclListShape: Schema = {
  oneOf: [
    exactly({ network_acls: list(networkAclShape), start: number, limit: number, total: number }),
    list(networkAclShape),
  ],
};
/** Recorded so, although the service describes an answer without a body. */
export const networkAclDeletedShape = exactly({
  code: { type: "integer", enum: [204] },
  object: { type: "string", enum: [""] },
});

export const rateLimitPolicyShape = exactly({
  id: { type: "string", maxLength: 26, format: "rate-limit-policy-id" },
  resource: resourceSchema,
  consumer: consumerSchema,
  consumer_selector: selectorSchema,
  configuration: configurationSchema,
  created_at: { type: "string", format: "date-time", description: "UTC, up to six decimals, trailing zeros trimmed." },
  updated_at: { type: "string", format: "date-time", description: "UTC, up to six decimals, trailing zeros trimmed." },
});
export const rateLimitPolicyListShape = exactly({ rate_limit_policies: list(rateLimitPolicyShape), next: text }, [
  "next",
]);

export const memberShape = exactly(
  { user_id: text, picture: text, name: text, email: text, roles: list(exactly({ id: text, name: text })) },
  // Which of them come depends on `fields`, and on what is known of the user.
  ["user_id", "picture", "name", "email", "roles"],
);
export const memberListShape: Schema = {
  oneOf: [
    list(memberShape),
    exactly({ start: number, limit: number, total: number, members: list(memberShape) }),
    exactly({ next: text, members: list(memberShape) }, ["next"]),
  ],
};

export const organizationShape: Schema = {
  type: "object",
  additionalProperties: true,
  required: ["id", "name", "display_name"],
  properties: { id: text, name: text, display_name: text },
};
export const organizationListShape: Schema = {
  oneOf: [
    list(organizationShape),
    exactly({ start: number, limit: number, total: number, organizations: list(organizationShape) }),
    exactly({ next: text, organizations: list(organizationShape) }, ["next"]),
  ],
};

export const userShape: Schema = {
  type: "object",
  additionalProperties: true,
  required: ["user_id"],
  properties: { user_id: text, email: text, name: text, picture: text },
};
