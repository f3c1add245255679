/** The schema of network ACLs, which block, allow, log or redirect requests. */
import * as z from "zod";
import {
  countries,
  type CriterionName,
  criterionRows,
  curatedLists as curated,
  rowOf,
} from "../../../judge/access/access";
import { attributePath } from "../../../formats/cty/path";
import { unknown } from "../../../formats/cty/value";
import { attribute, type AttributeOptions, rule, setOf } from "../../sdk/attribute";
import { type Computed, type Config, define } from "../../sdk/definition";
import {
  countryCodes,
  each,
  hostname,
  ipv4Cidr,
  ipv6Cidr,
  knownText,
  prose,
  subdivisionCodes,
  visible,
} from "../schemas";
import { cidrBlocks, redirectUri, reportContradictions, reportDuplicates, userAgents } from "./criteria";
import type { NetworkAclBody } from "../../../tenant/network-acls";

const text = visible(z.string().min(1, "give a text that is not empty"));

const knownLists = each((name) =>
  curated.includes(name)
    ? undefined
    : `This version does not know the curated list "${name}". It knows ${curated.join(", ")}. The provider sends the name unchanged.`,
);

const optionsOf: { readonly [property in CriterionName]?: AttributeOptions } = {
  geo_country_codes: { values: countries, rules: [countryCodes] },
  geo_subdivision_codes: { rules: [subdivisionCodes] },
  ipv4_cidrs: { rules: [cidrBlocks] },
  ipv6_cidrs: { rules: [cidrBlocks] },
  connecting_ipv4_cidrs: { rules: [cidrBlocks] },
  connecting_ipv6_cidrs: { rules: [cidrBlocks] },
  user_agents: { rules: [userAgents] },
  auth0_managed: { values: curated, rules: [knownLists] },
};

type Row = (typeof criterionRows)[number];

function elementOf({ fact, family, plural }: Row): z.ZodType {
  const [min, max] = rowOf(fact).bounds ?? [];
  if (min !== undefined && max !== undefined) {
    return z.int("give whole numbers").min(min, `${plural} start at ${min}`).max(max, `${plural} end at ${max}`);
  }
  if (family !== undefined) return family === 4 ? ipv4Cidr : ipv6Cidr;
  return fact === "hostname" ? hostname : text;
}

function listed(row: Row): z.ZodType {
  const { property, help, example, plural, of = plural } = row;
  return attribute(
    setOf(elementOf(row), { min: 1, max: 20, of }).optional(),
    `${help} At most 20; one of them must match.`,
    { mayBeBlank: true, example: [example], ...optionsOf[property] },
  );
}

const keysIn = ({ help, example: id }: Row) =>
  attribute(
    z
      .object({
        keys: attribute(
          setOf(z.object({ id: attribute(text, "Id of the key.", { example: id }) }), { min: 1, max: 10, of: "keys" }),
          "The ids of the keys, at most 10.",
          { alsoBlocks: true, example: [{ id }] },
        ),
      })
      .optional(),
    help,
    { block: true, example: { keys: [{ id }] } },
  );

type Signature = "http_message_signature";
type Criteria = {
  readonly [P in Exclude<CriterionName, Signature>]: z.ZodOptional<
    z.ZodArray<P extends "asns" ? z.ZodInt : z.ZodString>
  >;
} & { readonly [P in Signature]: ReturnType<typeof keysIn> };

const criteria = () =>
  z.object(
    Object.fromEntries(
      criterionRows.map((row) => [row.property, row.property === "http_message_signature" ? keysIn(row) : listed(row)]),
    ) as unknown as Criteria,
  );

const flag = (description: string) =>
  attribute(z.boolean().optional(), description, { mayBeBlank: true, example: true });

const action = z.object({
  block: flag("Blocks the request."),
  allow: flag("Allows the request. Later ACLs are not evaluated."),
  log: flag("Records the request in the tenant's log and continues with the next ACL."),
  redirect: flag("Redirects the client to `redirect_uri`."),
  redirect_uri: attribute(
    visible(z.string().min(1, "give a URL").max(2000, "use at most 2000 characters")).optional(),
    "URL to which `redirect` sends the client.",
    { mayBeBlank: true, example: "https://example.com/blocked", rules: [redirectUri] },
  ),
});

const flags = ["block", "allow", "log", "redirect"] as const;

const oneAction = rule(action, (value, report) => {
  const chosen = flags.filter((name) => value[name] === true);
  if (chosen.length > 1) {
    report(`\`rule.action\` sets ${chosen.join(" and ")} together: set exactly one of ${flags.join(", ")} to true.`);
    return;
  }
  const undecided = flags.some((name) => value[name] === unknown);
  if (chosen.length === 0 && !undecided) {
    report(`\`rule.action\` sets no action: set exactly one of ${flags.join(", ")} to true.`);
  }
  if (chosen.includes("redirect") && value.redirect_uri === undefined) {
    report(
      "`rule.action.redirect_uri` is missing: `redirect = true` needs the URL to send clients to.",
      attributePath("redirect_uri"),
    );
  }
  if (
    chosen.length > 0 &&
    !chosen.includes("redirect") &&
    value.redirect !== unknown &&
    value.redirect_uri !== undefined
  ) {
    report(
      `\`rule.action.redirect_uri\` is set, but the action is ${chosen.join(" and ")}: remove it, or set \`redirect = true\` instead.`,
      attributePath("redirect_uri"),
    );
  }
});

const scopes = ["management", "authentication", "tenant", "dynamic_client_registration"];

const ruleSchema = z.object({
  action: attribute(
    action,
    "Action for each request that the rule matches. Set exactly one of `allow`, `block`, `log` and `redirect`.",
    { block: true, rules: [oneAction], example: { block: true } },
  ),
  match: attribute(
    criteria().optional(),
    "The rule matches a request if every signal in this block matches. `ipv4_cidrs` and `ipv6_cidrs` are one signal, and so are the two lists of " +
      "connecting hosts: an address in one of the two lists is enough.",
    { block: true, example: { geo_country_codes: ["KP"] } },
  ),
  not_match: attribute(
    criteria().optional(),
    "The rule does not match a request if one of the signals in this block matches. If a list may be empty, write the list here, not a `dynamic` block.",
    {
      block: true,
      mayBeBlank: true, // an empty match is refused instead, because without it the rule would match more
      example: { ipv4_cidrs: ["203.0.113.0/24"] },
    },
  ),
  match_all: attribute(
    z.boolean().optional(),
    "The rule matches every request of its scope. Replaces `match` and `not_match`. Early Access.",
    { mayBeBlank: true, example: true },
  ),
  scope: attribute(
    visible(z.string().min(1, "name a scope")),
    "Requests that the rule covers: `management` (`/api/v2` and `/scim`), `authentication` (all other paths, also `/oidc/register`), `dynamic_client_registration` (only `/oidc/register`) or `tenant` (all).",
    { rules: [knownText("rule.scope", scopes)], values: scopes, example: "authentication" },
  ),
});

const someCriterion = rule(ruleSchema, (value, report) => {
  const narrowing = (["match", "not_match"] as const).filter((side) => value[side] !== undefined);
  if (value.match_all === undefined && narrowing.length === 0) {
    report(
      "`rule` has none of `match`, `not_match` and `match_all`. Describe the requests in `match` or `not_match`, or set " +
        "`match_all = true` to match every request of the scope.",
    );
  } else if (value.match_all === true && narrowing.length > 0) {
    const sides = narrowing.map((side) => `\`rule.${side}\``).join(" and ");
    report(
      `\`rule.match_all\` matches every request and excludes other criteria: remove it, or remove ${sides}.`,
      attributePath("match_all"),
    );
  }
  const { match } = value;
  if (match === undefined || match === unknown || Object.keys(match).length > 0) return;
  report(
    `\`rule.match\` is empty (an empty list counts as left out): give at least one signal, or leave it out. The signals are ${Object.keys(criteria().shape).join(", ")}.`,
    attributePath("match"),
  );
});

const distinct = rule(ruleSchema, (value, report) => {
  reportDuplicates(value, report);
  reportContradictions(value, report);
});

const config = z.object({
  description: attribute(
    prose(z.string().max(255, "use at most 255 characters")),
    "Purpose of the ACL, at most 255 characters.",
    { example: "No sign-in from sanctioned countries" },
  ),
  active: attribute(z.boolean().default(true), "Whether Auth0 evaluates the ACL. Default: true.", { example: false }),
  priority: attribute(
    z
      .int("use a whole number from 1 to 100")
      .min(1, "use a whole number from 1 to 100; the lowest is evaluated first")
      .max(100, "use a whole number from 1 to 100; the lowest is evaluated first")
      .default(50),
    "Priority, from 1 (evaluated first) to 100, unique in the tenant. Default: 50.",
    { example: 10 },
  ),
  rule: attribute(ruleSchema, "Matching requests and the action for them.", {
    block: true,
    rules: [someCriterion, distinct],
    example: { action: { block: true }, match: { geo_country_codes: ["KP"] }, scope: "authentication" },
  }),
});

const computed = z.object({
  id: attribute(z.string(), "Id of the ACL."),
  created_at: attribute(z.string(), "Time of creation, in UTC."),
  updated_at: attribute(z.string(), "Time of the last change, in UTC.", { volatile: true }),
});

export const networkAcl = define({
  name: "network_acl",
  description: "A network ACL (Auth0: Tenant ACL), which blocks, allows, logs or redirects requests to the tenant.",
  config,
  computed,
  identity: computed.pick({ id: true }),
});

type Definition = typeof networkAcl;

/** The attributes carry the names of Auth0, so what is written is what is sent. The definition lets no flag be false. */
export const toWire = ({ description, active, priority, rule: written }: Config<Definition>): NetworkAclBody =>
  ({ description, active, priority, rule: written }) as NetworkAclBody;

export const computedOf = ({ id, created_at, updated_at }: Computed<Definition>) => ({ id, created_at, updated_at });
