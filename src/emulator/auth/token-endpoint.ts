// The token endpoint: client credentials, by a secret or by a signed assertion, for a token.

import type { Hono } from "hono";
import { timingSafeEqual } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, importSPKI, jwtVerify } from "jose";
import { json, ServiceError, tokenError } from "../http/answer";
import { readBody } from "../http/body";
import type { Environment } from "../http/context";
import { requestId } from "../state/identity";
import { isObject } from "../http/schema";
import { grant } from "./scope";
import type { Client, Store } from "../state/store";
import { isOwn, type Tokens } from "./token";

/** An error in the token endpoint's own shape. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface TokenEndpointOptions {
  store: Store;
  tokens: Tokens;
  now: () => number;
  /** PEM of the key a client's assertions are checked with. */
  publicKeyOf(client: Client): Promise<string | undefined>;
}

/** Seconds a token is good for. */
const lifetime = 86_400;
/** A choice: seconds since its `iat` for which an assertion is taken. */
const assertionAge = 300;
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const assertionAlgorithms = ["RS256", "RS384", "PS256"];

const unknownClient = () => new Refusal(401, "access_denied", "Unauthorized");
const badAssertion = () => new Refusal(401, "invalid_client", "Client authentication failed");

const equal = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** Client id and secret out of a Basic authorization header; nothing when it is something else. */
function basicCredentials(header: string | null): string[] | undefined {
  const encoded = /^basic +(\S+)$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return undefined;
  try {
    return Buffer.from(encoded, "base64").toString().split(":", 2).map(decodeURIComponent);
  } catch {
    return [];
  }
}

const checkAudience = (audience: unknown, url: string) => {
  if (audience === undefined) {
    const problem = "No audience parameter was provided, and no default audience has been configured";
    throw new Refusal(403, "access_denied", problem);
  }
  const text = String(audience);
  const full = text.startsWith("/") ? new URL(url).origin + text : text;
  if (isOwn(full, url) && /^\/api\/v2\/?$/.test(new URL(full).pathname)) return;
  throw new Refusal(403, "access_denied", `Service not found: ${text}`);
};

export function addTokenEndpoint(app: Hono<Environment>, options: TokenEndpointOptions): void {
  const { store, tokens, now, publicKeyOf } = options;

  const byAssertion = async (assertion: string, url: string): Promise<Client> => {
    try {
      const { alg = "" } = decodeProtectedHeader(assertion);
      const client = store.clients.get(decodeJwt(assertion).iss ?? "");
      const pem = client && (await publicKeyOf(client));
      if (!pem || !assertionAlgorithms.includes(alg)) throw badAssertion();
      const { payload } = await jwtVerify(assertion, await importSPKI(pem, alg), {
        algorithms: assertionAlgorithms,
        issuer: client.client_id,
        subject: client.client_id,
        currentDate: new Date(now()),
        maxTokenAge: assertionAge,
        clockTolerance: 10,
        requiredClaims: ["aud", "exp", "iat"],
      });
      if (![payload.aud].flat().some((audience) => isOwn(String(audience), url))) throw badAssertion();
      return client;
    } catch {
      throw badAssertion();
    }
  };

  const authenticate = async (request: Request, form: Record<string, unknown>): Promise<Client> => {
    if (typeof form.client_assertion === "string") {
      if (form.client_assertion_type === assertionType) return byAssertion(form.client_assertion, request.url);
      throw new Refusal(400, "invalid_request", "Invalid client_assertion_type");
    }
    const basic = basicCredentials(request.headers.get("authorization"));
    const [id, secret] = basic ?? [form.client_id, form.client_secret];
    const client = store.clients.get(String(id));
    if (!client || typeof secret !== "string" || !equal(secret, client.client_secret)) throw unknownClient();
    return client;
  };

  const answer = async (request: Request, form: unknown): Promise<Response> => {
    if (!isObject(form) || form.grant_type === undefined) {
      throw new Refusal(400, "invalid_request", "Missing required parameter: grant_type");
    }
    if (form.grant_type !== "client_credentials") {
      throw new Refusal(403, "unsupported_grant_type", `Unsupported grant type: ${String(form.grant_type)}`);
    }
    const client = await authenticate(request, form);
    checkAudience(form.audience, request.url);
    const scope = grant(typeof form.scope === "string" ? form.scope : undefined, client.scopes).join(" ");
    const { origin } = new URL(request.url);
    const issued = Math.floor(now() / 1000);
    const access_token = await tokens.sign({
      iss: `${origin}/`,
      sub: `${client.client_id}@clients`,
      aud: `${origin}/api/v2/`,
      iat: issued,
      exp: issued + lifetime,
      scope,
      gty: "client-credentials",
      azp: client.client_id,
      jti: requestId(store.random),
    });
    const uncached = { "cache-control": "no-store" };
    return json(200, { access_token, scope, expires_in: lifetime, token_type: "Bearer" }, uncached);
  };

  for (const path of ["/oauth/token", "/oauth/token/"]) {
    app.post(path, async (c) => {
      try {
        const form = await readBody(c.req.raw, {});
        c.env.entry.body = form;
        return await answer(c.req.raw, form);
      } catch (error) {
        if (error instanceof Refusal) return json(error.status, tokenError(error.code, error.message));
        if (error instanceof ServiceError) return json(error.status, tokenError("invalid_request", error.message));
        throw error;
      }
    });
  }
}
