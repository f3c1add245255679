/** Applies network ACLs and rate limit policies to a request before the service handles it. */
import { isRecord } from "../../formats/text/record";
import { networkAclKind } from "../api/network-acls";
import { rateLimitPolicyKind } from "../api/rate-limit-policies";
import { basicCredentials } from "../auth/endpoints";
import { readBody } from "../http/body";
import { errorResponse, json, oauthErrorResponse, ServiceError, tokenError } from "../http/response";
import type { RequestState } from "../http/router";
import type { Store } from "../state/store";
import type { Tenant } from "../tenant";
import { decide, type Decision } from "./decide";
import { originHeader, originOf, parseOrigin, type Origin } from "./origin";
import { isCounted, type Consumed, type RateLimits } from "./rate-limit";
import { createHmac, timingSafeEqual } from "node:crypto";
import { httpbis } from "http-message-signatures";
import { bytesOf, networkAclKeyKind } from "../api/network-acl-keys";

/** The claims of an assertion, unverified. */
function subjectOf(assertion: unknown): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(String(assertion).split(".")[1]!, "base64url").toString());
    return isRecord(claims) && typeof claims.sub === "string" ? claims.sub : undefined;
  } catch {
    return undefined;
  }
}

/** The application that a request names, before any operation has verified it. Leaves the body of the request unread. */
async function clientOf(request: Request): Promise<string | undefined> {
  const inQuery = new URL(request.url).searchParams.get("client_id") ?? undefined;
  if (request.method !== "POST") return inQuery;
  // The operation itself reports an invalid body.
  const value = await readBody(request.clone(), {}).catch(() => undefined);
  const form = isRecord(value) ? value : {};
  const inForm = typeof form.client_id === "string" && form.client_id !== "" ? form.client_id : undefined;
  const [basic] = basicCredentials(request.headers.get("authorization")) ?? [];
  return basic ?? inForm ?? subjectOf(form.client_assertion) ?? inQuery;
}

/** The effect of ACLs and policies in words, for the request log. */
function describe({ outcome, by, logged }: Decision, consumed: Consumed | undefined): string {
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
  readonly rateLimits: RateLimits;
  serve(request: Request, state: RequestState): Promise<Response>;
}

export function createEnforcement({ tenant, rateLimits, serve }: EnforceOptions) {
  const { store, now } = tenant;

  return async (request: Request, state: RequestState): Promise<Response> => {
    const { entry } = state;
    const { path } = entry;
    const refuse = path.startsWith("/oauth/") ? oauthErrorResponse : errorResponse;
    let origin: Origin;
    try {
      origin = await originIn(store, request, now());
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      entry.acl = `the header ${originHeader} is invalid`;
      return refuse(error);
    }
    const decision = decide(store.of(networkAclKind).values(), path, origin);
    // Assumption: a request that a network ACL stops does not count toward a rate limit policy.
    const client = decision.outcome === "allowed" && isCounted(path) ? await clientOf(request) : undefined;
    const policies = store.of(rateLimitPolicyKind).values();
    const consumed = client === undefined ? undefined : rateLimits.consume(policies, client, now());
    entry.acl = describe(decision, consumed) || undefined;
    // Assumption: a request that a network ACL blocks gets 403 with `access_denied`, and the words of this response.
    if (decision.outcome === "blocked") {
      return refuse(new ServiceError(403, "Access denied by a network ACL", "access_denied"));
    }
    if (decision.outcome === "redirected") return moved(decision.by?.rule.action.redirect_uri);
    const isRejected = consumed?.exceeded && consumed.policy.configuration.action !== "log";
    const response = isRejected ? rejection(path, consumed) : await serve(request, state);
    for (const [name, value] of Object.entries(consumed ? quota(consumed) : {})) response.headers.set(name, value);
    return response;
  };
}

// HTTP message signatures (RFC 9421) of requests, verified with the tenant's keys by the rules of Auth0's documentation: one signature, by
// hmac-sha256, with `created`, `expires` and `keyid`.
//
// Assumption: a request with several signature labels, which the documentation calls rejected, matches no key; `alg` of a signature may be
// left out; and a signature may cover every component of the RFC.

const algorithm = "hmac-sha256";
const longestLifetime = 3600;
/** The seconds by which clocks may differ, at both ends. */
const skew = 60;

interface Parameters {
  readonly keyid?: unknown;
  /** The library makes a date of `created`, and leaves `expires` in seconds. */
  readonly created?: Date | null | undefined;
  readonly expires?: unknown;
}

/** `now`: seconds since 1970. */
function isCurrent({ created, expires }: Parameters, now: number): boolean {
  const from = created ? created.getTime() / 1000 : undefined;
  if (!Number.isInteger(from) || !Number.isInteger(expires)) return false;
  const [first, last] = [from as number, expires as number];
  return last - first <= longestLifetime && first <= now + skew && now <= last + skew;
}

/** The id of the key that made the only signature of a request; undefined if the signature does not match. `now`: milliseconds since 1970. */
async function signatureKeyOf(store: Store, request: Request, now: number): Promise<string | undefined> {
  const { method, url, headers } = request;
  // No label and no byte sequence has a comma, so a comma in this header separates labels.
  if (!headers.has("signature-input") || headers.get("signature")?.includes(",")) return undefined;
  const labels: unknown[] = [];
  const keyLookup = async (parameters: Parameters) => {
    labels.push(parameters.keyid);
    const { id, value } = store.of(networkAclKeyKind).get(String(parameters.keyid)) ?? {};
    const bytes = value === undefined ? undefined : bytesOf(value);
    if (bytes === undefined || !isCurrent(parameters, Math.floor(now / 1000))) return null;
    const verify = async (signed: Buffer, signature: Buffer) => {
      const expected = createHmac("sha256", bytes).update(signed).digest();
      return signature.length === expected.length && timingSafeEqual(signature, expected);
    };
    return { id, algs: [algorithm], verify };
  };
  const message = { method, url, headers: Object.fromEntries(headers) };
  try {
    // The clock of the library is not the one of the tenant, so its own checks of times are off.
    const isValid = await httpbis.verifyMessage({ keyLookup, tolerance: Infinity }, message);
    return isValid && labels.length === 1 ? String(labels[0]) : undefined;
  } catch {
    return undefined; // malformed, or of another algorithm
  }
}
