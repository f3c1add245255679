/** Requests a token from the token endpoint, and translates its errors. */
import type { Clock } from "../clock";
import { TenantError } from "../error";
import type { Decoder, Dispatch, Request, Send } from "../http/call";
import { codeOf, isBlockByAcl, unlikeService, withDecoding, withUsage, type ErrorDecoder } from "../http/response";
import { withRetry, type RetryOptions } from "../http/retry";
import { hasFields, isRecord, parseJson } from "../http/json";
import type { Transport } from "../http/transport";
import { urlIn } from "../../formats/text/url";
import { keepSecret, legible } from "../secrets";
import { clientAuthentication, type ClientCredentials } from "./credentials";

export interface TokenOptions extends RetryOptions {
  /** Root URL of the tenant, without a slash at the end. */
  readonly endpoint: string;
  /** Path of the token endpoint from the origin. */
  readonly path: string;
  readonly audience: string;
  readonly userAgent: string;
  readonly transport: Pick<Transport, "exchange">;
}

export interface TokenResponse {
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in?: number;
  readonly scope?: string;
}

/** Throws token_request_failed, blocked_by_acl, token_quota_exceeded or invalid_key. Then the call that needs the token was not sent. */
export function createTokenRequest(
  options: TokenOptions,
  credentials: ClientCredentials,
): () => Promise<TokenResponse> {
  const { path, userAgent, transport, clock } = options;
  const account = withUsage(options)((request) => transport.exchange(request));
  const decoding = withDecoding(tokenErrorFor(options, credentials), clock);
  const send = withRetry(options)(withAuthentication(options, credentials)(decoding(withoutPages(account))));
  const headers = { "content-type": "application/json", accept: "application/json", "user-agent": userAgent };
  return async () => {
    const request: Request<TokenResponse> = {
      method: "POST",
      path,
      name: path,
      headers,
      bucket: "global",
      idempotent: true,
      decoders: { 200: decodeToken },
      attempts: { count: 0, waitedMs: 0 },
    };
    try {
      return (await send(request)).body;
    } catch (error) {
      if (!(error instanceof TenantError)) throw error;
      const { code, message, status, method, retryAfter, cause } = error;
      throw new TenantError(code, message, { status, method, path, retryAfter, cause, unsent: true });
    }
  };
}

/** Gives each attempt a new assertion, because an assertion is valid once and for minutes. */
function withAuthentication(
  { endpoint, audience, clock }: { endpoint: string; audience: string; clock: Clock },
  credentials: ClientCredentials,
): (next: Send) => Send {
  return (next) => async (request) => {
    const authentication = await clientAuthentication(credentials, endpoint, clock);
    keepSecret(authentication.client_assertion);
    return next({
      ...request,
      body: JSON.stringify({ grant_type: "client_credentials", audience, ...authentication }),
    });
  };
}

const decodeToken: Decoder<TokenResponse> = (body) => {
  if (!hasFields(body, { access_token: "string" })) return undefined;
  const { access_token, expires_in, scope } = body;
  // A header cannot carry other characters.
  if (!/^[\x21-\x7e]+$/.test(access_token)) return undefined;
  return {
    access_token,
    expires_in: typeof expires_in === "number" && expires_in > 0 ? expires_in : undefined,
    scope: typeof scope === "string" ? scope : undefined,
  };
};

/** A proxy may send one page of HTML by accident. A second one comes from another server. */
function withoutPages(next: Dispatch): Dispatch {
  let pages = 0;
  return async (request) => {
    const response = await next(request);
    const { status, text } = response;
    pages = status < 300 && /^\s*</.test(text) ? pages + 1 : 0;
    if (pages < 2) return response;
    throw unlikeService(`status ${status} and a page of HTML`, { status, method: request.method, path: request.name });
  };
}

/** Statuses that a proxy before the token endpoint may send without the error of the endpoint. */
const proxied: ReadonlySet<number> = new Set([400, 401, 403, 408, 429, 500, 502, 503, 504]);

/** A custom domain finds the tenant, but Auth0 knows the Management API only by the tenant's own name. */
function audienceRemedy({ endpoint, audience }: TokenOptions, status: number, error: unknown): string | undefined {
  const { host, hostname } = new URL(endpoint);
  const isOwn = hostname.endsWith(".auth0.com") || urlIn(audience)?.host !== host;
  if (status !== 403 || error !== "access_denied" || isOwn) return undefined;
  return (
    `It asked for the audience ${legible(audience)}. If ${host} is a custom domain, set \`audience\` (TENANT_AUDIENCE) to the one of the ` +
    "tenant's own name: https://TENANT.REGION.auth0.com/api/v2/, such as https://acme.eu.auth0.com/api/v2/."
  );
}

/** What to check, by the kind of the credentials. A secret is never shown. */
function credentialsRemedy(credentials: ClientCredentials): string {
  const rest = "that the client can use the client credentials grant, and the audience.";
  if (credentials.kind === "private_key")
    return (
      "Check the client id, that the application has the public key that belongs to this private key, and the algorithm " +
      `(${credentials.algorithm ?? "RS256"}), ${rest}`
    );
  const { clientSecret } = credentials;
  if (/[\r\n]$/.test(clientSecret))
    return `The client secret ends in a line break, which a file or a pipe often adds: remove it. Also check the client id, ${rest}`;
  if (clientSecret.trim() !== clientSecret)
    return `The client secret begins or ends with a blank: remove it. Also check the client id, ${rest}`;
  return `Check the client id and its secret, ${rest}`;
}

function tokenErrorFor(options: TokenOptions, credentials: ClientCredentials): ErrorDecoder {
  const { endpoint } = options;
  const { clientId } = credentials;
  return ({ status, text }, details) => {
    const body = parseJson(text)?.json;
    const { error, error_description } = isRecord(body) ? body : {};
    if (typeof error !== "string" && !proxied.has(status)) {
      return unlikeService(`status ${status} but without an error of OAuth 2.0`, details);
    }
    const why = [error, error_description].filter((word) => typeof word === "string").join(": ");
    const client = `client ${legible(clientId)}`;
    const message = `${new URL(endpoint).host} grants ${client} no token (${legible(why) || `status ${status}`}).`;
    if (status === 429) return new TenantError("token_quota_exceeded", message, details);
    // The token endpoint also says access_denied for a wrong audience.
    if (isBlockByAcl(status, undefined, error_description)) return new TenantError("blocked_by_acl", message, details);
    if (codeOf(status) === "service_failed") return new TenantError("service_failed", message, details);
    const remedy = audienceRemedy(options, status, error) ?? credentialsRemedy(credentials);
    return new TenantError("token_request_failed", `${message} ${remedy}`, details);
  };
}
