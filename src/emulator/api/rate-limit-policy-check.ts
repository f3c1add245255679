// What the service accepts as a rate limit policy.

import { invalidBody } from "../http/body";
import type { Schema } from "../http/schema";

const limit: Schema = { type: "integer", minimum: 0, maximum: 10000, description: "Requests a second; 0 blocks all." };

export const configurationSchema: Schema = {
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

export const resourceSchema: Schema = { type: "string", enum: ["oauth_authentication_api"] };
export const consumerSchema: Schema = { type: "string", enum: ["client"] };
export const selectorSchema: Schema = {
  type: "string",
  maxLength: 255,
  description: "client_id:<id>, client_id:<uri>, cimd_clients, third_party_clients or default.",
};

export const rateLimitPolicySchema: Schema = {
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

export const rateLimitPolicyPatchSchema: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["configuration"],
  properties: { configuration: configurationSchema },
};

const selectors = /^(client_id:.+|cimd_clients|third_party_clients|default)$/su;

/** A choice: a selector of none of the documented forms is refused; in which words is not known. */
export function checkSelector(selector: string): void {
  if (selectors.test(selector)) return;
  throw invalidBody(
    `Payload validation error: 'String does not match pattern: ${selectors.source}' on property consumer_selector.`,
  );
}
