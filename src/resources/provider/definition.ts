/** The provider block: which tenant, with which credentials, at which pace, and what to guard. */
import * as z from "zod";
import { attribute, listOf, type AttributeOptions } from "../../sdk/attribute";
import { ipAddress } from "../address";
import { visible } from "../characters";
import { countries } from "../country";
import { readable } from "../fact";
import { single } from "../plausible";

const text = () => z.string().min(1, "give a value, or leave it out").optional();
const positive = () => z.number().positive("give a number above 0, or leave it out").optional();
export const algorithms = ["RS256", "RS384", "RS512", "PS256", "ES256"] as const;

const fact = (description: string, example: string, options: AttributeOptions = {}) =>
  attribute(z.string().min(1, "give a text that is not empty").optional(), description, { example, ...options });

const slash = single((written) =>
  written.startsWith("/")
    ? undefined
    : `\`path\` is ${JSON.stringify(written)}, without the leading slash: ${JSON.stringify(`/${written}`)} is probably meant, and ` +
      "is what is judged.",
);

const protectedRequest = z.object({
  name: attribute(
    visible(z.string().min(1, "give a text that is not empty")).optional(),
    "How messages call the request, such as `our CI`.",
    { example: "our CI" },
  ),
  path: fact(
    "Path of the request, such as `/api/v2/clients`. Default: both requests of Terraform itself, to the Management API and for its token.",
    "/oauth/token",
    { rules: [slash, readable("path")] },
  ),
  ip: attribute(ipAddress.optional(), "Address of the end user, IPv4 or IPv6.", { example: "203.0.113.7" }),
  connecting_ip: attribute(ipAddress.optional(), "Address of the host that connects, such as a proxy. Default: `ip`.", {
    example: "198.51.100.7",
  }),
  asn: attribute(z.int("give a whole number").optional(), "AS number of the network.", {
    example: 64500,
    rules: [readable("asn")],
  }),
  country: fact("ISO 3166-1 alpha-2 code of the country.", "DE", {
    values: countries,
    rules: [readable("country", "warning")],
  }),
  subdivision: fact("ISO 3166-2 code of the region.", "US-CA", { rules: [readable("subdivision", "warning")] }),
  user_agent: fact("User agent.", "HashiCorp Terraform/1.11.4", { rules: [readable("user_agent")] }),
  hostname: fact("Host name that is asked for.", "acme.eu.auth0.com", { rules: [readable("hostname")] }),
  ja3: fact("JA3 fingerprint of the TLS client.", "e7d705a3286e19ea42f587b344ee6865", { rules: [readable("ja3")] }),
  ja4: fact("JA4 fingerprint of the TLS client.", "t13d1516h2_8daaf6152771_02713d6af862", { rules: [readable("ja4")] }),
});

const noteLevels = ["all", "dangerous", "off"] as const;
const strengths = ["error", "warn", "off"] as const;

export const block = z.object({
  domain: attribute(
    text(),
    "Domain of the tenant, such as `acme.eu.auth0.com`. Else from `TENANT_DOMAIN`, `AUTH0_DOMAIN`.",
    { example: "acme.eu.auth0.com" },
  ),
  endpoint: attribute(
    text(),
    "Root URL of the tenant in place of `https://<domain>`, for custom domains and the embedded tenant. Else from `TENANT_ENDPOINT`.",
    { example: "https://login.example.com" },
  ),
  access_token: attribute(
    text(),
    "A ready token for the Management API. Else from `TENANT_ACCESS_TOKEN`, `AUTH0_API_TOKEN`.",
    { sensitive: true },
  ),
  client_id: attribute(
    text(),
    "Client id of a machine-to-machine application. Else from `TENANT_CLIENT_ID`, `AUTH0_CLIENT_ID`.",
    { example: "tvRyQID7mJMDPVmGFHYJeWaV3QttDxzU" },
  ),
  client_secret: attribute(text(), "Its secret. Else from `TENANT_CLIENT_SECRET`, `AUTH0_CLIENT_SECRET`.", {
    sensitive: true,
  }),
  client_assertion_private_key: attribute(
    text(),
    "In place of a secret: the private key, as PEM text, that signs the client's assertions (private_key_jwt). Else from " +
      "`TENANT_CLIENT_ASSERTION_PRIVATE_KEY`, `AUTH0_CLIENT_ASSERTION_PRIVATE_KEY`.",
    { sensitive: true },
  ),
  client_assertion_private_key_file: attribute(
    text(),
    "The file that holds this key. Else from `TENANT_CLIENT_ASSERTION_PRIVATE_KEY_FILE`.",
    { example: "/run/secrets/tenant.pem" },
  ),
  client_assertion_signing_alg: attribute(
    z.enum(algorithms, `choose one of ${algorithms.join(", ")}`).optional(),
    `How assertions are signed: ${algorithms.join(", ")}. Default: RS256. Else from ` +
      "`TENANT_CLIENT_ASSERTION_SIGNING_ALG`, `AUTH0_CLIENT_ASSERTION_SIGNING_ALG`.",
    { example: "PS256" },
  ),
  certificate_authority: attribute(
    text(),
    "PEM text of the authorities, besides those that the machine trusts, that may vouch for the tenant's certificate. Else from " +
      "`TENANT_CERTIFICATE_AUTHORITY`.",
    { example: "-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n" },
  ),
  certificate_authority_file: attribute(
    text(),
    "The file that holds them. Else from `TENANT_CERTIFICATE_AUTHORITY_FILE`.",
    { example: "/etc/ssl/acme-root.pem" },
  ),
  audience: attribute(
    text(),
    "Audience of the token to ask for. Default: `https://<domain>/api/v2/`. Else from `TENANT_AUDIENCE`, `AUTH0_AUDIENCE`.",
    { example: "https://acme.eu.auth0.com/api/v2/" },
  ),
  max_retry_wait: attribute(
    positive(),
    "Seconds that one request may wait in all for the tenant's quota. Default: 600. Else from `TENANT_MAX_RETRY_WAIT`.",
    { example: 120 },
  ),
  max_requests_per_second: attribute(
    positive(),
    "No more requests a second than this, to leave quota to others. Default: what the tenant allows. Else from " +
      "`TENANT_MAX_REQUESTS_PER_SECOND`.",
    { example: 2 },
  ),
  max_concurrency: attribute(
    z.int("give a whole number").min(1, "give 1 or more").optional(),
    "No more requests at a time than this. Else from `TENANT_MAX_CONCURRENCY`.",
    { example: 4 },
  ),
  protected_requests: attribute(
    listOf(protectedRequest).optional(),
    "Requests that no network ACL may block, such as those of the machine that runs Terraform. Facts that you leave out are not " +
      "known: the plan warns of an ACL that may match. A request for the Management API that says where it comes from (`ip`, " +
      "`connecting_ip`, `asn`, `country` or `subdivision`) stands for Terraform's own. Without one, most of the Management API must get through.",
    { block: true, example: [{ name: "our CI", ip: "203.0.113.7", country: "DE" }] },
  ),
  lockout_guard: attribute(
    z.enum(strengths, `choose one of ${strengths.join(", ")}`).optional(),
    "What happens to a plan that would block a protected request, Terraform's token request or most of the Management API: `error` " +
      "refuses it, `warn` warns, and `off` warns only of what `error` would refuse. Default: `error`.",
    { example: "warn" },
  ),
  early_access: attribute(
    z.boolean().optional(),
    "Whether features in Early Access, which the service may still change, are used on purpose: with true nothing is said of them. " +
      "Default: plans say it once.",
    { example: true },
  ),
  plan_notes: attribute(
    z.enum(noteLevels, `choose one of ${noteLevels.join(", ")}`).optional(),
    "Which changes of existing objects a plan tells in words: `all`, those that are `dangerous`, as a block that is turned into an " +
      "allow, or none (`off`). Default: `dangerous`.",
    { example: "all" },
  ),
});

export type ProtectedRequest = z.output<typeof protectedRequest>;
export type PlanNotes = (typeof noteLevels)[number];
