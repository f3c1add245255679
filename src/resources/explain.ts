/** Explains the client's errors with their cause and remedy. */
import { attributePath } from "../cty/path";
import type { Explanation } from "../sdk/resource";
import { TenantError, type TenantErrorCode } from "../tenant/error";
import { hideSecrets } from "../tenant/secrets";

type Words = Omit<Explanation, "detail"> & { readonly remedy: string };

const credentials =
  "TENANT_CLIENT_ID and TENANT_CLIENT_SECRET (after the environment_prefix of the provider, if there is one), or client_id and " +
  "client_secret of the provider's configuration";

const words: Record<TenantErrorCode, Words> = {
  invalid_id: { summary: "The id is invalid", remedy: "Correct the id. The provider sent no API call." },
  invalid_key: {
    summary: "Unusable private key",
    remedy: "Give the key as PEM text, or as base64 of it.",
  },
  invalid_body: {
    summary: "The service refuses the configuration",
    remedy: "Correct the attribute that the service names.",
  },
  invalid_uri: { summary: "The service refuses the id", remedy: "Correct the id." },
  unauthorized: {
    summary: "The token is not accepted",
    remedy:
      "Give another access_token (TENANT_ACCESS_TOKEN), or client credentials, with which the provider gets new tokens. " +
      "The client must be authorized for the Management API of this tenant.",
  },
  other_tenant: {
    summary: "The domain leads to another tenant",
    remedy:
      "Nothing was changed. Run the command again to compare the state with this tenant. For a saved plan, plan again.",
  },
  insufficient_scope: {
    summary: "The token lacks a scope",
    remedy: "Grant the scope to the client (Applications > APIs > Management API), then try again.",
  },
  blocked_by_acl: {
    summary: "A network ACL of the tenant blocks Terraform",
    remedy:
      "The tenant refuses API calls from this machine, so Terraform cannot undo this from here. Deactivate the ACL in the dashboard, " +
      "or run Terraform from an address that the ACLs allow. The tenant's logs name the ACL.",
  },
  forbidden: {
    summary: "The tenant does not allow this",
    remedy:
      "Your Auth0 plan may not include the feature (network ACLs need an Enterprise plan), or it may be disabled for this tenant. If every API call fails like this, a network ACL or a " +
      "proxy may block this machine.",
  },
  not_found: {
    summary: "Not found on the tenant",
    remedy:
      "If somebody deleted the object after the plan, plan again. Otherwise check the id, and check that domain or endpoint names the " +
      "right tenant.",
  },
  conflict: {
    summary: "The object exists already",
    remedy: "Import the existing object, or change this one (priority, consumer_selector, name).",
  },
  priority_taken: {
    summary: "The priority is taken",
    remedy: "If this configuration moves or removes that ACL, apply again. Otherwise choose another priority.",
  },
  rate_limited: {
    summary: "The tenant's quota is used up",
    remedy:
      "Try again later, or with fewer calls in parallel (terraform apply -parallelism=2, pulumi up --parallel 2).",
  },
  token_request_failed: { summary: "No token for these credentials", remedy: `Check ${credentials}, and audience.` },
  token_quota_exceeded: {
    summary: "The token endpoint limits this client",
    remedy:
      "Either the client's quota of tokens is used up, or a rate limit policy of the tenant blocks this client, so that Terraform " +
      "cannot undo it. If the message names a time, try again after it. Otherwise change or delete the policy in the dashboard, or use " +
      `another client (${credentials}), or a token that is still valid (TENANT_ACCESS_TOKEN).`,
  },
  service_failed: {
    summary: "The tenant responds with a server error",
    remedy:
      "Try again later. If it fails again, look at the status page of Auth0, and at the values that this change sends.",
  },
  unexpected_status: {
    summary: "The service refuses the request",
    remedy: "If this response does not say what to correct, report it with these facts.",
  },
  redirected: {
    summary: "The endpoint redirects",
    remedy:
      "Give the root URL of the tenant as domain or endpoint. A portal, a proxy or a network ACL may also redirect.",
  },
  unlike_service: {
    summary: "The endpoint is not the Management API",
    remedy: "Check domain or endpoint. A proxy or a portal on the way to the service may also respond.",
  },
  connection_failed: {
    summary: "No connection to the tenant",
    remedy:
      "Check domain or endpoint, the network, and HTTPS_PROXY if you need a proxy. For a certificate of your own authority, or of " +
      "`tenantform emulate --tls`, set certificate_authority_file (TENANT_CERTIFICATE_AUTHORITY_FILE), NODE_EXTRA_CA_CERTS or " +
      "SSL_CERT_FILE.",
  },
  timeout: { summary: "The tenant does not respond in time", remedy: "Try again later." },
  unconfirmed: {
    summary: "It is not known whether the change was made",
    remedy: "Before the next apply, look for the object on the tenant, and import it if it exists.",
  },
  unreadable_response: {
    summary: "The response cannot be read",
    remedy: "A proxy on the way may have changed it. Try again. If the error stays, report it.",
  },
  stopped: { summary: "The run was stopped", remedy: "Apply again to continue." },
};

/** For a host name that has no address. */
const unknownHost =
  "Check the spelling of domain or endpoint, and the DNS of this machine. If you need a proxy, set HTTPS_PROXY.";

/** Errors that every API call would meet. */
const common: ReadonlySet<TenantErrorCode> = new Set([
  "unauthorized",
  "blocked_by_acl",
  "other_tenant",
  "token_request_failed",
  "token_quota_exceeded",
  "connection_failed",
  "redirected",
  "invalid_key",
] as const);

/** Errors that every object of a kind meets in the same way, if the message is the same. */
const shared: ReadonlySet<TenantErrorCode> = new Set([
  "insufficient_scope",
  "forbidden",
  "service_failed",
  "timeout",
  "rate_limited",
  "unlike_service",
  "unreadable_response",
] as const);

/** The attribute that causes the error, by the path of the API call. */
const attributes: readonly [code: TenantErrorCode, path: RegExp, attribute: string][] = [
  ["not_found", /^\/organizations\//, "organization_id"],
  ["conflict", /^\/network-acls/, "priority"],
  ["priority_taken", /^\/network-acls/, "priority"],
  ["conflict", /^\/keys\/network-acls/, "name"],
  ["conflict", /^\/rate-limit-policies/, "consumer_selector"],
];

export function explain(error: unknown): Explanation {
  if (!(error instanceof TenantError)) return defect(error);
  const { summary } = words[error.code];
  const remedy = /ENOTFOUND|EAI_AGAIN/.test(error.message) ? unknownHost : words[error.code].remedy;
  const request = error.method ? `${error.method} ${error.path}` : undefined;
  const facts = [request, error.status && `status ${error.status}`, error.requestId && `request id ${error.requestId}`];
  const shown = facts.filter(Boolean).join(", ");
  const named = attributes.find(([code, path]) => code === error.code && path.test(error.path ?? ""))?.[2];
  return {
    summary,
    detail: `${sentence(error.message)} ${remedy}${shown ? `\n\n(${shown})` : ""}`,
    ...(named ? { path: attributePath(named) } : {}),
    isCommon: common.has(error.code),
    ...(shared.has(error.code) && { topic: `${error.code} ${error.message}` }),
  };
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function defect(error: unknown): Explanation {
  const stack = error instanceof Error ? error.stack : String(error);
  return {
    summary: "A defect of the provider",
    detail: `No configuration should cause this. Please report it with these lines:\n${hideSecrets(String(stack))}`,
  };
}
