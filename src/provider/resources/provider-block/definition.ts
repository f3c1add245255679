/** The schema of the provider block. */
import * as z from "zod";
import { levels } from "../../../judge/codes/row";
import {
  canonicalPath,
  countries,
  type FactName,
  type FactTable,
  hasForm,
  isAddress,
  problemOf,
  protectable,
  rowOf,
} from "../../../judge/access/access";
import {
  attribute,
  listOf,
  number,
  type Rule,
  string,
  type AttributeOptions,
  type Report,
  rule,
} from "../../sdk/attribute";
import { isObject } from "../../../formats/cty/value";
import { single, strangeCountryCode, visible } from "../schemas";
import { expectations } from "./expectation";
import { readableDomains } from "./root";

const someText = string.min(1, "give a value, or leave it out");
const text = () => someText.optional();
const someNumber = number.positive("give a number above 0, or leave it out");
const positive = () => someNumber.optional();
const algorithms = ["RS256", "RS384", "RS512", "PS256", "ES256"] as const;

const slash = single((written) =>
  /^(?:\/|$)/.test(written)
    ? undefined
    : `\`path\` is ${JSON.stringify(written)}, without a leading slash. The provider assumes ${JSON.stringify(canonicalPath(written))}.`,
);

interface FactOptions extends Pick<AttributeOptions, "rules" | "values"> {
  /** Default: the description of the fact. */
  readonly help?: string;
  /** Severity for a value that has the right form but no meaning, such as the country UK. Default: error. */
  readonly ofDoubtful?: Parameters<Report>[2];
}

const optionsOf: { readonly [name in FactName]?: FactOptions } = {
  path: {
    help:
      "Path of the request, such as `/api/v2/clients`. Default: both of Terraform's own requests, to the Management API and for its " +
      "token.",
    rules: [slash],
  },
  country: { values: countries, rules: [strangeCountryCode], ofDoubtful: "warning" },
  subdivision: { ofDoubtful: "warning" },
};

/** A request has one country, and a subdivision of it. */
const sameCountry: Rule = (value, report) => {
  for (const [index, one] of (value as readonly unknown[]).entries()) {
    const { country, subdivision } = isObject(one) ? one : {};
    const isKnown = typeof country === "string" && typeof subdivision === "string";
    if (!isKnown || subdivision.slice(0, 2).toUpperCase() === country.toUpperCase()) continue;
    const words = `\`protected_request[${index}].subdivision\` is ${JSON.stringify(subdivision)}, which is not in the country ${JSON.stringify(country)}, so no request has both: leave one of them out.`;
    report(words, [{ index }, { attribute: "subdivision" }]);
  }
};

const kinds: Readonly<Record<FactTable[FactName]["kind"], z.ZodType>> = {
  text: string.min(1, "give a text that is not empty"),
  address: string.refine(isAddress, "give an IPv4 or IPv6 address"),
  number: z.int("give a whole number"),
  list: listOf(string),
};

/** The attribute for a fact of a request. Values that cannot be read are refused. */
function fact(name: FactName): z.ZodOptional<z.ZodType> {
  const { kind, example, help: usual } = rowOf(name);
  const { help = usual, ofDoubtful, rules = [], values }: FactOptions = optionsOf[name] ?? {};
  const readable = rule(z.unknown(), (value, report) => {
    for (const one of [value].flat() as unknown[]) {
      const problem = typeof one === "string" || typeof one === "number" ? problemOf(name, one) : undefined;
      if (problem === undefined) continue;
      report(`\`${name}\`: ${problem}`, [], hasForm(name, one as string | number) ? ofDoubtful : undefined);
    }
  });
  return attribute(kinds[kind].optional(), help, {
    example: kind === "list" ? [example] : example,
    rules: [...rules, ...(kind === "address" ? [] : [readable])],
    ...(values && { values }),
  });
}

const protectedRequest = z.object({
  name: attribute(
    visible(string.min(1, "give a text that is not empty")).optional(),
    "Name of the request in messages, such as `our CI`.",
    { example: "our CI" },
  ),
  ...(Object.fromEntries(protectable.map((name) => [name, fact(name)])) as Record<
    (typeof protectable)[number],
    ReturnType<typeof fact>
  >),
});

const warningLevels = [...levels.toReversed(), "off"] as const;
const strengths = ["error", "warn", "off"] as const;

export const block = z.object({
  domain: attribute(
    text(),
    "Domain of the tenant, such as `acme.eu.auth0.com`. Environment: `TENANT_DOMAIN`, `AUTH0_DOMAIN`.",
    { example: "acme.eu.auth0.com" },
  ),
  endpoint: attribute(
    text(),
    "Root URL of the tenant in place of `https://<domain>`, for custom domains and the embedded tenant. Environment: `TENANT_ENDPOINT`, unless the block has a `domain`.",
    { example: "https://login.example.com" },
  ),
  allowed_domains: attribute(
    listOf(string).optional(),
    "Domains that the provider may use: exact names, or `*.example.com` for all names below. Any other domain or endpoint is an error " +
      "before the first API call. Default: every domain.",
    { rules: [readableDomains], example: ["acme.eu.auth0.com", "*.example.com"] },
  ),
  environment_prefix: attribute(
    z
      .string()
      .regex(/^[A-Za-z_]\w*$/, "give letters, digits and underscores, and no digit first")
      .optional(),
    "Prefix of the environment variables for this tenant: with `ACME`, `ACME_TENANT_CLIENT_ID` replaces `TENANT_CLIENT_ID`, and so on. " +
      "Variables without the prefix then do not count. Default: no prefix.",
    { example: "ACME" },
  ),
  access_token: attribute(
    text(),
    "A token for the Management API, used instead of client credentials. Environment: `TENANT_ACCESS_TOKEN`, `AUTH0_API_TOKEN`.",
    { sensitive: true },
  ),
  client_id: attribute(
    text(),
    "Client id of a machine-to-machine application. Environment: `TENANT_CLIENT_ID`, `AUTH0_CLIENT_ID`.",
    { example: "tvRyQID7mJMDPVmGFHYJeWaV3QttDxzU" },
  ),
  client_secret: attribute(
    text(),
    "Secret of the application. Environment: `TENANT_CLIENT_SECRET`, `AUTH0_CLIENT_SECRET`.",
    { sensitive: true },
  ),
  client_assertion_private_key: attribute(
    text(),
    "Private key, as PEM text, that signs the client's assertions (private_key_jwt). Used if there is no `client_secret`. Environment: " +
      "`TENANT_CLIENT_ASSERTION_PRIVATE_KEY`, `AUTH0_CLIENT_ASSERTION_PRIVATE_KEY`.",
    { sensitive: true },
  ),
  client_assertion_private_key_file: attribute(
    text(),
    "File with the private key in PEM. Environment: `TENANT_CLIENT_ASSERTION_PRIVATE_KEY_FILE`.",
    { example: "/run/secrets/tenant.pem" },
  ),
  client_assertion_signing_alg: attribute(
    z.enum(algorithms, `choose one of ${algorithms.join(", ")}`).optional(),
    `Algorithm that signs assertions with a private key: ${algorithms.join(", ")}. Default: RS256. Environment: ` +
      "`TENANT_CLIENT_ASSERTION_SIGNING_ALG`, `AUTH0_CLIENT_ASSERTION_SIGNING_ALG`.",
    { example: "PS256" },
  ),
  certificate_authority: attribute(
    text(),
    "Certificate authorities, as PEM text, that the provider trusts in addition to those of the machine. Environment: " +
      "`TENANT_CERTIFICATE_AUTHORITY`.",
    { example: "-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n" },
  ),
  certificate_authority_file: attribute(
    text(),
    "File with the certificate authorities in PEM. Environment: `TENANT_CERTIFICATE_AUTHORITY_FILE`.",
    { example: "/etc/ssl/acme-root.pem" },
  ),
  audience: attribute(
    text(),
    "Audience of the token. Default: `https://<domain>/api/v2/`. Environment: `TENANT_AUDIENCE`, `AUTH0_AUDIENCE`.",
    { example: "https://acme.eu.auth0.com/api/v2/" },
  ),
  max_retry_wait: attribute(
    positive(),
    "Seconds that one API call may wait in total for the tenant's quota. Default: 600. Environment: `TENANT_MAX_RETRY_WAIT`.",
    { example: 120 },
  ),
  max_requests_per_second: attribute(
    positive(),
    "Maximum number of API calls per second, to leave quota for other clients. Default: the limit of the tenant. Environment: " +
      "`TENANT_MAX_REQUESTS_PER_SECOND`.",
    { example: 2 },
  ),
  max_concurrency: attribute(
    z.int("give a whole number").min(1, "give 1 or more").optional(),
    "Maximum number of API calls at the same time. Environment: `TENANT_MAX_CONCURRENCY`.",
    { example: 4 },
  ),
  protected_request: attribute(
    listOf(protectedRequest).optional(),
    "Requests that no network ACL may block, such as those of the machines that run Terraform: list them with `ip`, and with `country` if " +
      "rules use countries. An attribute that you leave out is unknown: the plan warns about an ACL that may match it. If no block is for " +
      "the Management API, the plan only checks that at least half of all addresses still reach this API.",
    { block: true, rules: [sameCountry], example: [{ name: "our CI", ip: "203.0.113.7", country: "DE" }] },
  ),
  expectation: expectations,
  lockout_guard: attribute(
    z.enum(strengths, `choose one of ${strengths.join(", ")}`).optional(),
    "Reaction to a plan that would block a protected request, Terraform's token request or most of the Management API. `error` " +
      "refuses the plan, `warn` warns, and `off` switches the check off in plans and applies. With `access_token`, Terraform requests no token. `tenantform review` reports any value other " +
      "than `error`. Default: `error`.",
    { example: "warn" },
  ),
  hide_early_access_warning: attribute(
    z.boolean().optional(),
    "Silences the warning about features in Early Access, which Auth0 may still change. It enables nothing. Default: plans mention " +
      "them once.",
    { example: true },
  ),
  plan_warnings: attribute(
    z.enum(warningLevels, `choose one of ${warningLevels.join(", ")}`).optional(),
    "Lowest level of the effects that a plan explains in a warning: `critical`, `high`, `medium`, `low` or `info`. `off` explains none. " +
      "Default: `medium`.",
    { example: "high" },
  ),
});

export type PlanWarnings = (typeof warningLevels)[number];
