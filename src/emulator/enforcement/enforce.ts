/** Applies network ACLs and rate limit policies to a request before the service handles it. */
import { networkAclKind } from "../api/network-acls";
import { rateLimitPolicyKind } from "../api/rate-limit-policies";
import { basicCredentials } from "../auth/endpoints";
import { readBody } from "../http/body";
import { errorResponse, json, oauthErrorResponse, ServiceError, tokenError } from "../http/response";
import type { RequestState } from "../http/router";
import { isObject } from "../schema";
import type { Store } from "../state/store";
import type { Tenant } from "../tenant";
import type { Edge, Passage } from "./edge";
import { originHeader, originOf, parseOrigin, type Origin } from "./origin";
import { isCounted, type Consumed } from "./rate-limit";
import { signatureKeyOf } from "./signature";

/** The claims of an assertion, unverified. */
function subjectOf(assertion: unknown): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(String(assertion).split(".")[1]!, "base64url").toString());
    return isObject(claims) && typeof claims.sub === "string" ? claims.sub : undefined;
  } catch {
    return undefined;
  }
}

/** The application that a request names, before any operation has verified it. Leaves the body of the request unread. */
async function clientOf(request: Request): Promise<string | undefined> {
  const inQuery = new URL(request.url).searchParams.get("client_id") ?? undefined;
  if (request.method !== "POST") return inQuery;
  // The operation itself reports an invalid body.
  const { value } = await readBody(request.clone(), {}).catch(() => ({ value: undefined }));
  const form = isObject(value) ? value : {};
  const inForm = typeof form.client_id === "string" && form.client_id !== "" ? form.client_id : undefined;
  const [basic] = basicCredentials(request.headers.get("authorization")) ?? [];
  return basic ?? inForm ?? subjectOf(form.client_assertion) ?? inQuery;
}

/** The effect of ACLs and policies in words, for the request log. */
function describe({ decision: { outcome, by, logged }, consumed }: Passage): string {
  const action = consumed?.policy.configuration.action;
  return [
    ...logged.map(({ id }) => `logged by ${id}`),
    ...(by ? [`${outcome} by ${by.id}`] : []),
    ...(consumed?.exceeded ? [`${action === "log" ? "logged" : "rejected"} by ${consumed.policy.id}`] : []),
  ].join(", ");
}

/** Encodes a URI for a header, and keeps existing escapes. */
const encoded = (uri: string) => encodeURI(uri).replace(/%25([\da-f]{2})/gi, "%$1");

const moved = (uri: unknown) => json(302, {}, { location: encoded(String(uri)) });

const quota = ({ limit, remaining }: Consumed) => ({ "auth0-ratelimit": `client;q=${limit};t=1;r=${remaining}` });

/** The rejection of a policy. Assumption: only `/authorize` redirects, because no other path has a browser. */
function rejection(path: string, consumed: Consumed): Response {
  const { configuration } = consumed.policy;
  if (path.startsWith("/authorize")) {
    if (configuration.action === "redirect") return moved(configuration.redirect_uri);
    const headers = { "content-type": "text/html; charset=utf-8", "retry-after": "1" };
    return new Response("<!doctype html><title>Too many requests</title>", { status: 429, headers });
  }
  return json(429, tokenError("too_many_requests", "Rate limit exceeded."), { "retry-after": "1" });
}

async function originIn(store: Store, request: Request, now: number): Promise<Origin> {
  const header = parseOrigin(request.headers.get(originHeader) ?? "");
  const key = await signatureKeyOf(store, request, now);
  return originOf(request, header, key === undefined ? [] : [key]);
}

export interface EnforceOptions {
  readonly tenant: Tenant;
  readonly edge: Edge;
  serve(request: Request, state: RequestState): Promise<Response>;
}

export function createEnforcement({ tenant, edge, serve }: EnforceOptions) {
  const { store, now } = tenant;

  return async (request: Request, state: RequestState): Promise<Response> => {
    const { entry } = state;
    const { method, path } = entry;
    const refuse = path.startsWith("/oauth/") ? oauthErrorResponse : errorResponse;
    let origin: Origin;
    try {
      origin = await originIn(store, request, now());
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      entry.acl = `the header ${originHeader} is invalid`;
      return refuse(error);
    }
    const client = isCounted(path) ? await clientOf(request) : undefined;
    const acls = store.of(networkAclKind).values();
    const policies = store.of(rateLimitPolicyKind).values();
    const passage = edge.admit({ method, path, origin, client, at: now() }, acls, policies);
    const { decision, consumed, passes } = passage;
    entry.acl = describe(passage) || undefined;
    // Assumption: a request that a network ACL blocks gets 403 with `access_denied`, and the words of this response.
    if (decision.outcome === "blocked") {
      return refuse(new ServiceError(403, "Access denied by a network ACL", "access_denied"));
    }
    if (decision.outcome === "redirected") return moved(decision.by?.rule.action.redirect_uri);
    const response = passes ? await serve(request, state) : rejection(path, consumed!);
    for (const [name, value] of Object.entries(consumed ? quota(consumed) : {})) response.headers.set(name, value);
    return response;
  };
}
