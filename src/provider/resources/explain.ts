/** Explains the client's errors with their cause and remedy. */
import { codeOf, rows, type Titled } from "../../judge/codes/codes";
import { attributePath } from "../../formats/cty/path";
import { kinds } from "../../judge/kinds/kinds";
import type { Explanation } from "../sdk/resource";
import { TenantError, type TenantErrorCode } from "../../tenant/error";
import { hideSecrets } from "../../tenant/secrets";

const codes: Record<TenantErrorCode, Titled> = {
  invalid_id: "TNF-IMPOSSIBLE-ID",
  invalid_key: "TNF-PRIVATE-KEY",
  invalid_body: "TNF-CONFIGURATION-REFUSED",
  invalid_uri: "TNF-ID-REFUSED",
  unauthorized: "TNF-TOKEN-REFUSED",
  other_tenant: "TNF-ADDRESS-MOVED",
  insufficient_scope: ["TNF-SCOPE-MISSING", "a scope"],
  blocked_by_acl: "TNF-BLOCKED-BY-ACL",
  forbidden: "TNF-FORBIDDEN",
  not_found: "TNF-NOT-FOUND",
  conflict: ["TNF-ALREADY-THERE", "object"],
  priority_taken: ["TNF-TAKEN", "priority"],
  rate_limited: "TNF-QUOTA-USED-UP",
  token_request_failed: "TNF-CREDENTIALS-REFUSED",
  token_quota_exceeded: "TNF-TOKEN-LIMIT",
  service_failed: "TNF-SERVICE-FAILED",
  unexpected_status: "TNF-REQUEST-REFUSED",
  redirected: "TNF-REDIRECTED",
  unlike_service: "TNF-NOT-THE-SERVICE",
  connection_failed: "TNF-NO-CONNECTION",
  timeout: "TNF-TIMEOUT",
  unconfirmed: "TNF-NOT-KNOWN-WHETHER",
  unreadable_response: "TNF-UNREADABLE-RESPONSE",
  stopped: "TNF-STOPPED",
};

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

/** The attribute that causes the error, if the object's key does. The key of a member set names an organization that must exist. */
function attributeOf({ code, path = "" }: TenantError): string | undefined {
  const kind = kinds.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  const isOfKey = kind?.list ? code === "not_found" : code === "conflict" || code === "priority_taken";
  return isOfKey ? kind?.uniqueKey.at(-1) : undefined;
}

export function explain(error: unknown): Explanation {
  if (!(error instanceof TenantError)) return defect(error);
  const code = codes[error.code];
  const request = error.method ? `${error.method} ${error.path}` : undefined;
  const facts = [request, error.status && `status ${error.status}`, error.requestId && `request id ${error.requestId}`];
  const shown = facts.filter(Boolean).join(", ");
  const named = attributeOf(error);
  return {
    code,
    detail: `${sentence(error.message)} ${remedyOf(error, code)}${shown ? `\n\n(${shown})` : ""}`,
    ...(named ? { path: attributePath(named) } : {}),
    isCommon: common.has(error.code),
    ...(shared.has(error.code) && { topic: `${error.code} ${error.message}` }),
  };
}

/** For a host name that has no address. */
const unknownHost =
  "Check the spelling of domain or endpoint, and the DNS of this machine. If you need a proxy, set HTTPS_PROXY.";

/** For an address of this machine where nothing listens. */
const endedTenant =
  "Nothing listens there. Start the embedded tenant again with `tenantform emulate`. For another tenant, unset TENANT_EMBEDDED_ENDPOINT and TENANT_ENDPOINT.";

/** For an attribute that a tenant does not know. */
const missingFeature =
  "This tenant does not know the attribute. If it is Early Access, ask Auth0 to enable the feature for the tenant; otherwise remove it.";

const isEnded = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\]):\d+ .*ECONNREFUSED/;

function remedyOf({ message }: TenantError, code: Titled): string | undefined {
  if (code === "TNF-NO-CONNECTION" && /ENOTFOUND|EAI_AGAIN/.test(message)) return unknownHost;
  if (code === "TNF-NO-CONNECTION" && isEnded.test(message)) return endedTenant;
  if (code === "TNF-CONFIGURATION-REFUSED" && /Additional properties not allowed/.test(message)) return missingFeature;
  return rows[codeOf(code)].remedy;
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function defect(error: unknown): Explanation {
  const stack = error instanceof Error ? error.stack : String(error);
  return {
    code: "TNF-DEFECT",
    detail: `No configuration should cause this. Please report it with these lines:\n${hideSecrets(String(stack))}`,
  };
}
