/** The rule of a network ACL: what the service accepts as one. */
import { everyFlag, type Flags } from "../flag";
import { invalidBody } from "../http/body";
import type { Schema } from "../schema/schema";

const list = (items: Schema): Schema => ({ type: "array", minItems: 1, maxItems: 20, uniqueItems: true, items });
const text: Schema = { type: "string" };
const oneOf = (...formats: NonNullable<Schema["format"]>[]): Schema => ({
  type: "string",
  oneOf: formats.map((format) => ({ type: "string", format })),
});

/** The curated lists that are documented; the service's own list grows. */
const curatedLists = ["auth0.low_reputation", "auth0.icloud_relay_proxy", "auth0.proxy", "auth0.tor", "auth0.vpn"];

/** What the recorded refusal lists as allowed. A choice: it stays so here, although more are documented and taken. */
const toldLists = curatedLists.slice(0, 2);

export const matchSchema: Schema = {
  type: "object",
  description: "Signals of a request; every one that is present has to agree.",
  additionalProperties: false,
  // A choice: what an empty match gets is not known. It could match everything, so it is refused.
  minProperties: 1,
  properties: {
    asns: list({ type: "integer" }),
    geo_country_codes: list(text),
    geo_subdivision_codes: list(text),
    ipv4_cidrs: list(oneOf("ipv4", "cidr")),
    ipv6_cidrs: list(oneOf("ipv6", "ipv6_cidr")),
    ja3_fingerprints: list(text),
    ja4_fingerprints: list(text),
    user_agents: list(text),
    hostnames: list({ type: "string", format: "hostname" }),
    connecting_ipv4_cidrs: list(oneOf("ipv4", "cidr")),
    connecting_ipv6_cidrs: list(oneOf("ipv6", "ipv6_cidr")),
    auth0_managed: list(text),
    http_message_signature: {
      type: "object",
      additionalProperties: false,
      required: ["keys"],
      properties: {
        keys: {
          ...list({ type: "object", additionalProperties: false, required: ["id"], properties: { id: text } }),
          maxItems: 10,
        },
      },
    },
  },
};

const flag = (description: string): Schema => ({ type: "boolean", enum: [true], description });

export const actionSchema: Schema = {
  type: "object",
  description: "What happens to a request the rule holds for: exactly one of block, allow, log and redirect.",
  additionalProperties: false,
  properties: {
    block: flag("Refuse the request."),
    allow: flag("Let the request pass and look no further."),
    log: flag("Record the request and go on to the next ACL."),
    redirect: flag("Send the client to redirect_uri."),
    redirect_uri: { type: "string", minLength: 1, maxLength: 2000, description: "Where redirect sends the client." },
  },
};

export const ruleSchema: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["action", "scope"],
  properties: {
    action: actionSchema,
    match: matchSchema,
    not_match: matchSchema,
    match_all: flag("Every request of the scope, in the place of match and not_match; with tenant_acl_match_all."),
    scope: { type: "string", enum: ["management", "authentication", "tenant", "dynamic_client_registration"] },
  },
};

/** The criteria of a rule: a list for each signal, an object for the signature. */
export type Match = { readonly [signal: string]: unknown };

export interface Rule {
  readonly action: { readonly [flag: string]: unknown };
  readonly match?: Match;
  readonly not_match?: Match;
  readonly match_all?: boolean;
  readonly scope: string;
}

const actions = ["block", "allow", "log", "redirect"];

/** The rules about a rule that no schema says. */
export function checkRule({ action, match, not_match, match_all }: Rule, flags: Flags = everyFlag): void {
  if (actions.filter((name) => name in action).length !== 1) {
    throw invalidBody("Payload validation error: 'None of the valid schemas were met' on property rule.action.");
  }
  if (action.redirect && action.redirect_uri === undefined) {
    throw invalidBody("Payload validation error: Action type of `redirect` requires a `redirect_uri`");
  }
  // A choice: a redirect_uri beside another action is refused as a property that is not allowed there.
  if (!action.redirect && action.redirect_uri !== undefined) {
    throw invalidBody(
      "Payload validation error: 'Additional properties not allowed: redirect_uri' on property rule.action.",
    );
  }
  if (match_all && !flags.has("tenant_acl_match_all")) {
    throw invalidBody("Payload validation error: 'Additional properties not allowed: match_all' on property rule.");
  }
  const narrows = match !== undefined || not_match !== undefined;
  if (narrows === (match_all === true)) {
    throw invalidBody("Payload validation error: 'None of the valid schemas were met' on property rule.");
  }
  const names = [match, not_match].flatMap((criteria) => (criteria?.auth0_managed ?? []) as readonly string[]);
  const unknown = names.filter((name) => !curatedLists.includes(name));
  if (unknown.length > 0) {
    throw invalidBody(
      `Invalid curated list name(s): ${unknown.join(", ")}. Allowed curated list names are: ${toldLists.join(", ")}`,
    );
  }
}
