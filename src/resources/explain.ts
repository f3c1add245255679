/** The client's errors in words for people: what happened, whose fault it is, what to do. The one place that does this. */
import { attributePath } from "../cty/path";
import type { Explanation } from "../sdk/resource";
import { TenantError, type TenantErrorCode } from "../tenant/error";
import { hideSecrets } from "../tenant/secrets";

type Words = Omit<Explanation, "detail"> & { readonly remedy: string };

const credentials =
  "TENANT_CLIENT_ID and TENANT_CLIENT_SECRET, or client_id and client_secret of the provider's configuration";

const words: Record<TenantErrorCode, Words> = {
  invalid_id: { summary: "Impossible id", remedy: "Correct the id; nothing was asked of the service." },
  invalid_key: {
    summary: "Unusable private key",
    remedy: "Give the key as PEM text, of a kind that fits the algorithm.",
  },
  invalid_body: {
    summary: "The service refuses the configuration",
    remedy: "Correct what the message names.",
  },
  invalid_uri: { summary: "The service refuses the id", remedy: "Correct the id." },
  unauthorized: {
    summary: "The token is not accepted",
    remedy:
      "Give another access_token (TENANT_ACCESS_TOKEN), or client credentials, which renew themselves. " +
      "The client must be authorized for the Management API of this very tenant.",
  },
  insufficient_scope: {
    summary: "The token lacks a scope",
    remedy: "Grant the scope to the client (Applications > APIs > Management API), then try again.",
  },
  forbidden: {
    summary: "The tenant does not allow this",
    remedy: "See the message; an entitlement of the subscription may be missing.",
  },
  not_found: {
    summary: "Not found on the tenant",
    remedy: "Check the id, and that domain or endpoint names the right tenant.",
  },
  conflict: {
    summary: "Already there",
    remedy: "Import the object that exists, or give this one other values (priority, consumer_selector, name).",
  },
  priority_taken: {
    summary: "The priority is taken",
    remedy: "If this configuration moves or removes that list, apply again; otherwise choose another priority.",
  },
  rate_limited: {
    summary: "The tenant's quota is used up",
    remedy: "Try again later, or with less in parallel (terraform apply -parallelism=2, pulumi up --parallel 2).",
  },
  token_request_failed: { summary: "No token for these credentials", remedy: `Check ${credentials}, and audience.` },
  token_quota_exceeded: {
    summary: "The token quota is used up",
    remedy: "Wait until then, or give a ready token (TENANT_ACCESS_TOKEN).",
  },
  service_failed: { summary: "The service fails", remedy: "Its fault, not the configuration's: try again in a while." },
  unexpected_status: { summary: "The service refuses the request", remedy: "See the message." },
  redirected: {
    summary: "The endpoint redirects",
    remedy: "Give the tenant's own root as domain or endpoint; a portal or a proxy may also stand in between.",
  },
  unlike_service: {
    summary: "The endpoint answers unlike the service",
    remedy: "Check domain or endpoint, and what stands between here and the service, such as a proxy or a portal.",
  },
  connection_failed: {
    summary: "No connection to the tenant",
    remedy:
      "Check domain or endpoint, the network, and HTTPS_PROXY where one is needed. A certificate of an authority of your own, as " +
      "of `tenantform emulate --tls`, wants certificate_authority_file (TENANT_CERTIFICATE_AUTHORITY_FILE), NODE_EXTRA_CA_CERTS or " +
      "SSL_CERT_FILE.",
  },
  timeout: { summary: "The tenant does not answer in time", remedy: "Try again in a while." },
  unconfirmed: {
    summary: "Not known whether it took effect",
    remedy: "Look at the tenant before the next apply, and import the object if it is there.",
  },
  unreadable_answer: {
    summary: "The answer cannot be read",
    remedy: "Something between here and the service may have changed it. Try again; if it stays, report it.",
  },
  stopped: { summary: "Stopped", remedy: "Apply again to go on where it stopped." },
};

/** What goes wrong whatever is asked. */
const common: ReadonlySet<TenantErrorCode> = new Set([
  "unauthorized",
  "token_request_failed",
  "token_quota_exceeded",
  "connection_failed",
  "redirected",
  "invalid_key",
] as const);

/** What goes wrong with every object of a kind in the same way, where the words are the same. */
const shared: ReadonlySet<TenantErrorCode> = new Set([
  "insufficient_scope",
  "forbidden",
  "service_failed",
  "timeout",
  "rate_limited",
  "unlike_service",
  "unreadable_answer",
] as const);

/** The attribute at fault, by what the request was about. */
const attributes: readonly [code: TenantErrorCode, path: RegExp, attribute: string][] = [
  ["not_found", /^\/organizations\//, "organization_id"],
  ["conflict", /^\/network-acls/, "priority"],
  ["priority_taken", /^\/network-acls/, "priority"],
  ["conflict", /^\/keys\/network-acls/, "name"],
  ["conflict", /^\/rate-limit-policies/, "consumer_selector"],
];

export function explain(error: unknown): Explanation {
  if (!(error instanceof TenantError)) return defect(error);
  const { summary, remedy } = words[error.code];
  const request = error.method ? `${error.method} ${error.path}` : undefined;
  const facts = [request, error.status && `status ${error.status}`, error.requestId && `request id ${error.requestId}`];
  const told = facts.filter(Boolean).join(", ");
  const named = attributes.find(([code, path]) => code === error.code && path.test(error.path ?? ""))?.[2];
  return {
    summary,
    detail: `${sentence(error.message)} ${remedy}${told ? `\n\n(${told})` : ""}`,
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
    detail: `This should not happen, whatever the configuration says. Please report it with these lines:\n${hideSecrets(String(stack))}`,
  };
}
