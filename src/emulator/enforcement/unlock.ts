/** `POST /_tenantform/unlock`: the one operation that no ACL blocks, for a tenant that locks everybody out. */
import { networkAclKind } from "../api/network-acls";
import { rateLimitPolicyKind } from "../api/rate-limit-policies";
import { pathOf } from "../http/path";
import { errorResponse, noContent, ServiceError } from "../http/response";
import type { Store } from "../state/store";

export const isUnlock = (request: Request) => request.method === "POST" && pathOf(request) === "/_tenantform/unlock";

/** Deactivates all network ACLs, and lets rate limit policies only log. */
export function unlock(store: Store, request: Request): Response {
  const origin = request.headers.get("origin");
  // A browser sends requests from pages of other sites.
  if (origin !== null && origin !== new URL(request.url).origin)
    return errorResponse(new ServiceError(403, "A page of another site cannot unlock the tenant."));
  const [acls, policies] = [store.of(networkAclKind), store.of(rateLimitPolicyKind)];
  for (const acl of acls.values()) if (acl.active) acls.put({ ...acl, active: false });
  for (const policy of policies.values()) {
    const { action, limit } = policy.configuration;
    if (action === "block" || action === "redirect")
      policies.put({ ...policy, configuration: { action: "log", limit } });
  }
  return noContent();
}
