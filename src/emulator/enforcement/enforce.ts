/** Applies the tenant's network ACLs to a request before the service handles it. */
import { networkAclKind } from "../api/network-acls";
import type { RequestEntry } from "../http/request-log";
import { errorResponse, json, oauthErrorResponse, ServiceError } from "../http/response";
import type { Store } from "../state/store";
import { decide, type Decision } from "./decide";
import { originHeader, originOf, parseOrigin } from "./origin";
import { signatureKeysOf } from "./signature";

/** The decision in words, for the request log. */
function describe({ outcome, by, logged }: Decision): string {
  return [...logged.map(({ id }) => `logged by ${id}`), ...(by ? [`${outcome} by ${by.id}`] : [])].join(", ");
}

export const decisionOn = (store: Store, request: Request, stated: string, path: string, keys: readonly string[]) =>
  decide(store.of(networkAclKind).values(), path, originOf(request, parseOrigin(stated), keys));

/** Encodes a URI for a header, and keeps existing escapes. */
const encoded = (uri: string) => encodeURI(uri).replace(/%25([\da-f]{2})/gi, "%$1");

/** The response to a request that is not allowed; undefined for an allowed one. */
export async function enforce(store: Store, request: Request, entry: RequestEntry): Promise<Response | undefined> {
  const refuse = entry.path.startsWith("/oauth/") ? oauthErrorResponse : errorResponse;
  try {
    const stated = request.headers.get(originHeader) ?? "";
    const decision = decisionOn(store, request, stated, entry.path, await signatureKeysOf(store, request));
    const description = describe(decision);
    if (description) entry.acl = description;
    // A choice: the message of the service is not known.
    if (decision.outcome === "blocked") {
      return refuse(new ServiceError(403, "Access denied by a network ACL", "access_denied"));
    }
    if (decision.outcome === "allowed") return undefined;
    return json(302, {}, { location: encoded(String(decision.by?.rule.action.redirect_uri)) });
  } catch (error) {
    entry.acl = `the header ${originHeader} is invalid`;
    if (error instanceof ServiceError) return refuse(error);
    throw error;
  }
}
