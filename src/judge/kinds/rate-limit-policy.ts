/** Rate limit policies. */
import { textOf, type Kind } from "./kind";

export const rateLimitPolicy: Kind = {
  name: "rate_limit_policy",
  type: "tenant_rate_limit_policy",
  goProvider: [{ type: "auth0_rate_limit_policy" }],
  deployCli: "rateLimitPolicies",
  construct: "RateLimitPolicy",
  noun: "rate limit policy",
  plural: "rate limit policies",
  shortNoun: "policy",
  family: "rate_limit_policies",
  path: "/rate-limit-policies",
  scopes: { create: ["create"], update: ["update"], delete: ["delete"] },
  identity: { attribute: "id", noun: "rate limit policy", prefix: "rlp_" },
  uniqueKey: ["resource", "consumer", "consumer_selector"],
  dataSource: {
    type: "tenant_rate_limit_policies",
    objects: "rate_limit_policies",
    filters: ["resource", "consumer", "consumer_selector"],
  },
  attributes: ["resource", "consumer", "consumer_selector", "configuration"],
  blocks: { configuration: ["action", "limit", "redirect_uri"] },
  earlyAccess: "rate limit policies",
  adoption: {
    option: "policies",
    file: ["rate", "limit", "policies"],
    head: "Rate limit policies. They are in Early Access: Auth0 may change them.",
    suggest({ resource, consumer, consumer_selector: selector }) {
      const marks = [textOf(consumer), textOf(resource)];
      const client = /^client_id:(?:https?:)?(.+)$/s.exec(textOf(selector))?.[1];
      if (client === undefined) return { texts: [textOf(selector)], marks };
      return { texts: [`client ${client}`], keepsCase: true, marks };
    },
  },
};
