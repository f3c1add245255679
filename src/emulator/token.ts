// Tokens: the endpoint that grants them, and the check every request to the management API passes.

import type { Hono } from "hono";
import { timingSafeEqual } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, errors, importSPKI, jwtVerify, SignJWT, type JWTPayload } from "jose";
import { json, ServiceError } from "./answer";
import { readBody } from "./body";
import type { Environment } from "./context";
import { requestId } from "./identity";
import type { Keys } from "./key";
import { isObject } from "./schema";
import { grant } from "./scope";
import type { Client, Store } from "./store";

export interface Claims extends JWTPayload {
  /** Granted scopes, separated by blanks. */
  scope: string;
  /** The client the token was granted to. */
  azp: string;
}

const lifetime = 86_400;
/** A choice: seconds since its `iat` for which an assertion is taken. */
const assertionAge = 300;
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

class TokenError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const denied = (message = "Unauthorized") => new TokenError(401, "access_denied", message);

/** A URL of this tenant: on a loopback name, or on the host the request came to, whatever the scheme in front. */
function isOwn(text: string, requestUrl: string): boolean {
  if (!URL.canParse(text)) return false;
  const { host, hostname } = new URL(text);
  return loopback.has(hostname) || host === new URL(requestUrl).host;
}

const unauthorized = (message: string) => new ServiceError(401, message);

export interface Tokens {
  /** Signs claims with the tenant's key, for tests that need a token of a special make. */
  sign(claims: JWTPayload): Promise<string>;
  /** The claims behind an Authorization header, or the 401. */
  verify(authorization: string | null, requestUrl: string): Promise<Claims>;
}

export function createTokens(store: Store, keys: Keys, now: () => number): Tokens {
  return {
    async sign(claims) {
      const { privateKey } = await keys.tenant();
      return new SignJWT(claims).setProtectedHeader({ alg: "RS256", typ: "JWT", kid: "tenant" }).sign(privateKey);
    },
    async verify(authorization, requestUrl) {
      if (authorization === null) throw unauthorized("Missing authentication");
      const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
      if (token === undefined) throw unauthorized("Bad HTTP authentication header format");
      const { publicKey } = await keys.tenant();
      const claims = await jwtVerify<Claims>(token, publicKey, {
        algorithms: ["RS256"],
        currentDate: new Date(now()),
        requiredClaims: ["iss", "aud", "exp", "azp"],
      }).then(
        ({ payload }) => payload,
        (error: unknown) => {
          if (error instanceof errors.JWTExpired) {
            throw unauthorized("Expired token received for JSON Web Token validation");
          }
          if (error instanceof errors.JWSSignatureVerificationFailed) {
            throw unauthorized("Invalid signature received for JSON Web Token validation");
          }
          throw unauthorized("Invalid token");
        },
      );
      if (!isOwn(claims.iss!, requestUrl)) throw unauthorized("Invalid token");
      const audiences = [claims.aud!].flat();
      const fits = (audience: string) => isOwn(audience, requestUrl) && new URL(audience).pathname === "/api/v2/";
      if (!audiences.some(fits)) throw unauthorized("Invalid token");
      const client = store.clients.get(claims.azp);
      if (!client) throw unauthorized("Invalid token");
      if (!client.global) throw unauthorized("Client is not global.");
      return claims;
    },
  };
}

const equal = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

export function addTokenEndpoint(
  app: Hono<Environment>,
  store: Store,
  tokens: Tokens,
  now: () => number,
  /** PEM of the key a client's assertions are checked with. */
  publicKeyOf: (client: Client) => Promise<string | undefined>,
): void {
  const byAssertion = async (assertion: string, url: string): Promise<Client> => {
    const issuer = (() => {
      try {
        return decodeJwt(assertion).iss;
      } catch {
        throw new TokenError(400, "invalid_request", "Invalid client_assertion");
      }
    })();
    const client = store.clients.get(issuer ?? "");
    const pem = client && (await publicKeyOf(client));
    if (!pem) throw new TokenError(401, "invalid_client", "Client authentication failed");
    const { payload } = await jwtVerify(
      assertion,
      await importSPKI(pem, decodeProtectedHeader(assertion).alg ?? "RS256"),
      {
        algorithms: ["RS256", "RS384", "PS256"],
        issuer: client.client_id,
        subject: client.client_id,
        currentDate: new Date(now()),
        maxTokenAge: assertionAge,
        clockTolerance: 10,
        requiredClaims: ["aud", "exp", "iat"],
      },
    ).catch(() => {
      throw new TokenError(401, "invalid_client", "Client authentication failed");
    });
    if (![payload.aud!].flat().some((audience) => isOwn(audience, url))) {
      throw new TokenError(401, "invalid_client", "Client authentication failed");
    }
    return client;
  };

  const authenticate = async (form: Record<string, unknown>, basic: string | null, url: string): Promise<Client> => {
    if (typeof form.client_assertion === "string") {
      if (form.client_assertion_type !== assertionType) {
        throw new TokenError(400, "invalid_request", "Invalid client_assertion_type");
      }
      return byAssertion(form.client_assertion, url);
    }
    const [id, secret] = basic
      ? Buffer.from(basic.replace(/^basic /i, ""), "base64")
          .toString()
          .split(":")
          .map(decodeURIComponent)
      : [form.client_id, form.client_secret];
    const client = typeof id === "string" ? store.clients.get(id) : undefined;
    if (!client || typeof secret !== "string" || !equal(secret, client.client_secret)) throw denied();
    return client;
  };

  const answer = async (request: Request, form: unknown) => {
    if (!isObject(form)) throw new TokenError(400, "invalid_request", "Missing required parameter: grant_type");
    if (form.grant_type === undefined) {
      throw new TokenError(400, "invalid_request", "Missing required parameter: grant_type");
    }
    if (form.grant_type !== "client_credentials") {
      throw new TokenError(403, "unsupported_grant_type", `Unsupported grant type: ${String(form.grant_type)}`);
    }
    const authorization = request.headers.get("authorization");
    const basic = /^basic /i.test(authorization ?? "") ? authorization : null;
    const client = await authenticate(form, basic, request.url);
    const audience = form.audience === undefined ? "" : String(form.audience);
    const { origin } = new URL(request.url);
    const full = audience.startsWith("/") ? origin + audience : audience;
    if (!isOwn(full, request.url) || !/^\/api\/v2\/?$/.test(new URL(full).pathname)) {
      throw new TokenError(403, "access_denied", `Service not found: ${audience}`);
    }
    const asked = typeof form.scope === "string" ? form.scope : undefined;
    const scope = grant(asked, client.scopes).join(" ");
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
    return json(
      200,
      { access_token, scope, expires_in: lifetime, token_type: "Bearer" },
      { "cache-control": "no-store" },
    );
  };

  for (const path of ["/oauth/token", "/oauth/token/"]) {
    app.post(path, async (c) => {
      try {
        const form = await readBody(c.req.raw, {}).catch((error: unknown) => {
          if (!(error instanceof ServiceError)) throw error;
          throw new TokenError(error.status, "invalid_request", error.message);
        });
        c.env.entry.body = form;
        return await answer(c.req.raw, form);
      } catch (error) {
        if (!(error instanceof TokenError)) throw error;
        return json(error.status, { error: error.code, error_description: error.message });
      }
    });
  }
}
