/** The rule of a network ACL: its schema, and the checks beyond the schema. */
import { everyFlag, type Flags } from "../auth/scope";
import { invalidBody } from "../http/body";
import { exactly, oneOf, optional, text, type Schema } from "../schema";

const list = (items: Schema): Schema => ({ type: "array", minItems: 1, maxItems: 20, uniqueItems: true, items });
const address = (...formats: NonNullable<Schema["format"]>[]): Schema => ({
  type: "string",
  oneOf: formats.map((format) => ({ type: "string", format })),
});
const ipv4List = list(address("ipv4", "cidr"));
const ipv6List = list(address("ipv6", "ipv6_cidr"));

/** The documented curated lists. */
const curatedLists = ["auth0.low_reputation", "auth0.icloud_relay_proxy", "auth0.proxy", "auth0.tor", "auth0.vpn"];

/** Assumption: the message for an unknown curated list names only the first two, as recorded, although more are accepted. */
const namedLists = curatedLists.slice(0, 2);

const matchSchema: Schema = {
  ...optional({
    asns: list({ type: "integer" }),
    geo_country_codes: list(text),
    geo_subdivision_codes: list(text),
    ipv4_cidrs: ipv4List,
    ipv6_cidrs: ipv6List,
    ja3_fingerprints: list(text),
    ja4_fingerprints: list(text),
    user_agents: list(text),
    hostnames: list({ type: "string", format: "hostname" }),
    connecting_ipv4_cidrs: ipv4List,
    connecting_ipv6_cidrs: ipv6List,
    auth0_managed: list(text),
    http_message_signature: exactly({ keys: { ...list(exactly({ id: text })), maxItems: 10 } }),
  }),
  // Assumption: an empty `match` is refused, because it could match every request.
  minProperties: 1,
};

const flag: Schema = { type: "boolean", enum: [true] };

const actionSchema = optional({
  block: flag,
  allow: flag,
  log: flag,
  redirect: flag,
  redirect_uri: { type: "string", minLength: 1, maxLength: 2000 },
});

export const ruleSchema = exactly(
  {
    action: actionSchema,
    match: matchSchema,
    not_match: matchSchema,
    match_all: flag,
    scope: oneOf("management", "authentication", "tenant", "dynamic_client_registration"),
  },
  ["match", "not_match", "match_all"],
);

/** A list for each signal, and an object for the signature. */
export type Match = { readonly [signal: string]: unknown };

export interface Rule {
  readonly action: { readonly [flag: string]: unknown };
  readonly match?: Match;
  readonly not_match?: Match;
  readonly match_all?: boolean;
  readonly scope: string;
}

const actions = ["block", "allow", "log", "redirect"];

/** Throws the 400 for a rule that the schema accepts and the service does not. */
export function checkRule({ action, match, not_match, match_all }: Rule, flags: Flags = everyFlag): void {
  const refuse = (problem: string) => invalidBody(`Payload validation error: ${problem}`);
  if (actions.filter((name) => name in action).length !== 1) {
    throw refuse("'None of the valid schemas were met' on property rule.action.");
  }
  if (action.redirect && action.redirect_uri === undefined) {
    throw refuse("Action type of `redirect` requires a `redirect_uri`");
  }
  // Assumption: actions other than `redirect` refuse a `redirect_uri` as an additional property.
  if (!action.redirect && action.redirect_uri !== undefined) {
    throw refuse("'Additional properties not allowed: redirect_uri' on property rule.action.");
  }
  if (match_all && !flags.has("tenant_acl_match_all")) {
    throw refuse("'Additional properties not allowed: match_all' on property rule.");
  }
  const narrows = match !== undefined || not_match !== undefined;
  if (narrows === (match_all === true)) throw refuse("'None of the valid schemas were met' on property rule.");
  const names = [match, not_match].flatMap((signals) => (signals?.auth0_managed ?? []) as readonly string[]);
  const unknown = names.filter((name) => !curatedLists.includes(name));
  if (unknown.length > 0) {
    const allowed = `Allowed curated list names are: ${namedLists.join(", ")}`;
    throw invalidBody(`Invalid curated list name(s): ${unknown.join(", ")}. ${allowed}`);
  }
}
