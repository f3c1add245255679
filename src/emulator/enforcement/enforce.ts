/** Does to a request what the tenant's network ACLs say, before the service sees it. */
import { networkAclKind } from "../api/network-acls";
import { errorAnswer, json, oauthErrorAnswer, ServiceError } from "../http/response";
import type { RequestEntry } from "../http/request-log";
import type { Store } from "../state/store";
import { decide, type Decision } from "./decide";
import { originHeader, originOf, parseOrigin } from "./origin";
import { signatureKeysOf } from "./signature";

/** The decision in words, for the record. */
function words({ outcome, by, logged }: Decision): string {
  const doers = [...logged.map(({ id }) => `logged by ${id}`), ...(by ? [`${outcome} by ${by.id}`] : [])];
  return doers.join(", ");
}

/** A choice: in which words the edge refuses is not known. */
const blocked = () => new ServiceError(403, "Access denied by a network ACL", "access_denied");

export const decisionOn = (store: Store, request: Request, said: string, path: string, keys: readonly string[]) =>
  decide(store.of(networkAclKind).values(), path, originOf(request, parseOrigin(said), keys));

/** Fit for a header; what is encoded already stays so. */
const encoded = (uri: string) => encodeURI(uri).replace(/%25([\da-f]{2})/gi, "%$1");

/** The answer to a request that does not get through; undefined when it does. */
export async function enforce(store: Store, request: Request, entry: RequestEntry): Promise<Response | undefined> {
  const isOauth = entry.path.startsWith("/oauth/");
  const refuse = isOauth ? oauthErrorAnswer : errorAnswer;
  try {
    const said = request.headers.get(originHeader) ?? "";
    const decision = decisionOn(store, request, said, entry.path, await signatureKeysOf(store, request));
    const told = words(decision);
    if (told) entry.acl = told;
    if (decision.outcome === "blocked") return refuse(blocked());
    if (decision.outcome === "allowed") return undefined;
    return json(302, {}, { location: encoded(String(decision.by?.rule.action.redirect_uri)) });
  } catch (error) {
    entry.acl = "its origin was not understood";
    if (error instanceof ServiceError) return refuse(error);
    throw error;
  }
}
