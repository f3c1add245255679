/** The kinds of credentials, the private keys that people give, and the request for a token with each of them. */
import { type KeyObject, randomUUID } from "node:crypto";
import type { Clock } from "../clock";
import { TenantError } from "../error";
import { type Decoder, type Dispatch, hasFields, isRecord, parseJson, type Request, type Send } from "../http/call";
import { codeOf, type ErrorDecoder, isBlockByAcl, unlikeService, withDecoding, withUsage } from "../http/response";
import { type RetryOptions, withRetry } from "../http/retry";
import type { Transport } from "../http/transport";
import { urlIn } from "../../formats/text/url";
import { keepSecret, legible } from "../secrets";

export type Credentials =
  | { kind: "access_token"; accessToken: string }
  | { kind: "client_secret"; clientId: string; clientSecret: string }
  | {
      kind: "private_key";
      clientId: string;
      /** PEM text of the key, in PKCS #8, PKCS #1 or SEC 1, in a form that `private-key` reads. */
      privateKey: string;
      /** Default RS256. */
      algorithm?: Algorithm;
    };

/** Credentials that fetch a token. */
export type ClientCredentials = Exclude<Credentials, { kind: "access_token" }>;

/** Seconds for which an assertion is valid. */
const assertionLifetime = 180;

/** The parameters that authenticate a client at the token endpoint. Throws invalid_key. */
export async function clientAuthentication(
  credentials: ClientCredentials,
  endpoint: string,
  clock: Clock,
): Promise<Record<string, string>> {
  const { clientId } = credentials;
  if (credentials.kind === "client_secret") return { client_id: clientId, client_secret: credentials.clientSecret };
  return {
    client_id: clientId,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: await assertion(credentials, `${endpoint}/`, clock),
  };
}

async function assertion(
  { clientId, privateKey, algorithm = "RS256" }: Extract<Credentials, { kind: "private_key" }>,
  audience: string,
  clock: Clock,
): Promise<string> {
  const { SignJWT } = await import("./sign-jwt.js");
  const issued = Math.floor(clock.now() / 1000);
  try {
    return await new SignJWT()
      .setProtectedHeader({ alg: algorithm })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(audience)
      .setJti(randomUUID())
      .setIssuedAt(issued)
      .setExpirationTime(issued + assertionLifetime)
      .sign(await signingKey(privateKey, algorithm));
  } catch (cause) {
    // Another error may hold a part of the key.
    const problem = cause instanceof KeyProblem ? cause.message : "it was refused";
    throw new TenantError("invalid_key", `The private key (sensitive) cannot sign with ${algorithm}: ${problem}.`);
  }
}

export type Algorithm = "RS256" | "RS384" | "RS512" | "PS256" | "ES256";

/** Why a text is no key that can sign. Its message follows "The private key cannot sign with RS256: ". */
class KeyProblem extends Error {}

const base64 = /^[A-Za-z\d+/]+={0,2}$/;

/** The PEM text of the only private key in a text. Throws a KeyProblem. */
export function pemIn(privateKey: string): string {
  const text = unwrapped(privateKey);
  const found = [...text.matchAll(/-----BEGIN ([A-Z\d ]+)-----(.*?)-----END \1-----/gs)];
  const keys = found.filter(([, label]) => label!.endsWith("PRIVATE KEY"));
  if (keys.length > 1) throw new KeyProblem(`it contains ${keys.length} private keys`);
  const [block] = keys;
  if (!block) throw new KeyProblem(whyNone(text, found[0]?.[1]));
  const [, label, content] = block;
  if (label!.startsWith("ENCRYPTED") || /ENCRYPTED/.test(content!)) {
    throw new KeyProblem("it is encrypted, and the provider takes no passphrase: give the decrypted key");
  }
  if (label!.startsWith("OPENSSH")) {
    throw new KeyProblem("it is in OpenSSH's format: convert a copy of it with ssh-keygen -p -m PKCS8");
  }
  const body = content!.replace(/\s/g, "");
  if (!base64.test(body)) throw new KeyProblem(whyDamaged(body));
  return `-----BEGIN ${label}-----\n${body.match(/.{1,64}/g)!.join("\n")}\n-----END ${label}-----\n`;
}

/** Without quotes, base64 around PEM, and backslashes, which PEM does not have, in place of line breaks. */
function unwrapped(text: string): string {
  const trimmed = text.trim().replace(/^(["'])(.*)\1$/s, "$2");
  const compact = trimmed.replace(/\s/g, "");
  const decoded = base64.test(compact) ? Buffer.from(compact, "base64").toString("latin1") : "";
  return (decoded.includes("-----BEGIN ") ? decoded : trimmed).replace(/(\\+r)?\\+n/g, "\n");
}

function whyNone(text: string, label: string | undefined): string {
  if (label === "CERTIFICATE") return "it is a certificate, not a private key";
  if (label?.endsWith("PUBLIC KEY")) return "it is a public key, not a private one";
  if (/-----BEGIN [A-Z\d ]*PRIVATE KEY-----/.test(text))
    return "it ends early: its line -----END … KEY----- is missing";
  return "it has no line -----BEGIN PRIVATE KEY-----";
}

function whyDamaged(body: string): string {
  if (body === "") return "nothing is between its first and its last line";
  if (body.includes("\\")) return "it contains a backslash; line breaks may be written as \\n in two characters";
  return "it contains characters that no key has";
}

/** The key, if it can sign with the algorithm. Throws a KeyProblem. */
export async function signingKey(privateKey: string, algorithm: Algorithm): Promise<KeyObject> {
  const { createPrivateKey } = await import("node:crypto");
  const key = keyFrom(pemIn(privateKey), createPrivateKey);
  const { asymmetricKeyType: type = "", asymmetricKeyDetails: { modulusLength = 0, namedCurve = "" } = {} } = key;
  const kind =
    type === "rsa" ? `RSA, ${modulusLength} bits` : `${type.toUpperCase()}${namedCurve && `, ${namedCurve}`}`;
  const [fits, needed] =
    algorithm === "ES256"
      ? [namedCurve === "prime256v1", "an EC key of the curve prime256v1"]
      : [type === "rsa" && modulusLength >= 2048, "an RSA key of at least 2048 bits"];
  if (!fits) throw new KeyProblem(`it is another kind of key (${kind}), and ${algorithm} needs ${needed}`);
  return key;
}

function keyFrom(pem: string, createPrivateKey: (pem: string) => KeyObject): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new KeyProblem("its content between the first and the last line is damaged or incomplete");
  }
}

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
