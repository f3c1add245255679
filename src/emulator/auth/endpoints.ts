/** The token endpoint, for client credentials with a secret or a signed assertion, and the public documents of the tenant. */
import { isRecord } from "../../formats/text/record";
import { timingSafeEqual } from "node:crypto";
import { ServiceError } from "../http/response";
import { operation, type Call, type Operation } from "../http/operation";
import { exactly, listOf, oneOf, text, type Schema } from "../schema";
import { requestId } from "../state/identity";
import type { Tenant } from "../tenant";
import { clientKind, type Client } from "./client";
import { catalogueOf, grant } from "./scope";
import { isOwn } from "./token";
import { decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";

/** Seconds for which a token is valid. */
const lifetime = 86_400;

const secret: Schema = { type: "string", writeOnly: true };
const requestSchema: Schema = {
  type: "object",
  required: ["grant_type", "audience"],
  properties: {
    grant_type: oneOf("client_credentials"),
    audience: text,
    scope: text,
    client_id: text,
    client_secret: secret,
    client_assertion_type: text,
    client_assertion: secret,
  },
};
const tokenShape = exactly({
  access_token: text,
  scope: text,
  expires_in: { type: "integer" },
  token_type: oneOf("Bearer"),
});

const equal = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** Client id and secret of a Basic authorization header; undefined for another header. */
export function basicCredentials(header: string | null): string[] | undefined {
  const encoded = /^basic +(\S+)$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return undefined;
  try {
    return Buffer.from(encoded, "base64").toString().split(":", 2).map(decodeURIComponent);
  } catch {
    return [];
  }
}

function checkAudience(audience: unknown, url: string): void {
  if (audience === undefined) {
    const problem = "No audience parameter was provided, and no default audience has been configured";
    throw new ServiceError(403, problem, "access_denied");
  }
  const given = String(audience);
  const full = given.startsWith("/") ? new URL(url).origin + given : given;
  if (isOwn(full, url) && /^\/api\/v2\/?$/.test(new URL(full).pathname)) return;
  throw new ServiceError(403, `Service not found: ${given}`, "access_denied");
}

type Form = Record<string, unknown>;

async function authenticate(tenant: Tenant, request: Request, form: Form): Promise<Client> {
  if (typeof form.client_assertion === "string") {
    const { url } = request;
    if (form.client_assertion_type === assertionType) {
      return clientByAssertion(tenant, form.client_assertion, { url, claimed: form.client_id });
    }
    throw new ServiceError(400, "Invalid client_assertion_type", "invalid_request");
  }
  const basic = basicCredentials(request.headers.get("authorization"));
  const [id, given] = basic ?? [form.client_id, form.client_secret];
  const client = tenant.store.of(clientKind).get(String(id));
  if (client && typeof given === "string" && equal(given, client.client_secret)) return client;
  throw new ServiceError(401, "Unauthorized", "access_denied");
}

async function respond({ tenant, request, body: form }: Call) {
  if (!isRecord(form) || form.grant_type === undefined) {
    throw new ServiceError(400, "Missing required parameter: grant_type", "invalid_request");
  }
  if (form.grant_type !== "client_credentials") {
    throw new ServiceError(403, `Unsupported grant type: ${String(form.grant_type)}`, "unsupported_grant_type");
  }
  const client = await authenticate(tenant, request, form);
  checkAudience(form.audience, request.url);
  const requested = typeof form.scope === "string" ? form.scope : undefined;
  const scope = grant(catalogueOf(tenant.flags), requested, client.scopes).join(" ");
  const { origin } = new URL(request.url);
  const issued = Math.floor(tenant.now() / 1000);
  const access_token = await tenant.tokens.sign({
    iss: `${origin}/`,
    sub: `${client.client_id}@clients`,
    aud: `${origin}/api/v2/`,
    iat: issued,
    exp: issued + lifetime,
    scope,
    gty: "client-credentials",
    azp: client.client_id,
    instance: tenant.instance,
    jti: requestId(tenant.store.random),
  });
  return { access_token, scope, expires_in: lifetime, token_type: "Bearer" };
}

export const tokenEndpoint: readonly Operation[] = ["/oauth/token", "/oauth/token/"].map((path) =>
  operation({
    method: "POST",
    path,
    body: requestSchema,
    looseBody: true,
    success: 200,
    response: tokenShape,
    headers: { "cache-control": "no-store" },
    refusals: [401, 403],
    errors: "oauth",
    handle: respond,
  }),
);

/** The keys of the tenant and its OpenID configuration. */
export const discovery: readonly Operation[] = [
  operation({
    method: "GET",
    path: "/.well-known/jwks.json",
    success: 200,
    response: { type: "object", required: ["keys"], properties: { keys: listOf({ type: "object" }) } },
    async handle({ tenant }) {
      const { publicKey } = await tenant.keys.tenant();
      return { keys: [{ ...publicKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "tenant" }] };
    },
  }),
  operation({
    method: "GET",
    path: "/.well-known/openid-configuration",
    success: 200,
    response: { type: "object", required: ["issuer", "token_endpoint", "jwks_uri"] },
    handle({ tenant, request }) {
      const { origin } = new URL(request.url);
      return {
        issuer: `${origin}/`,
        token_endpoint: `${origin}/oauth/token`,
        jwks_uri: `${origin}/.well-known/jwks.json`,
        grant_types_supported: ["client_credentials"],
        response_types_supported: ["token"],
        subject_types_supported: ["public"],
        scopes_supported: catalogueOf(tenant.flags),
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "private_key_jwt"],
        token_endpoint_auth_signing_alg_values_supported: signingAlgorithms,
        id_token_signing_alg_values_supported: ["RS256"],
      };
    },
  }),
];

// Authenticates a client by an assertion that it signed (private_key_jwt).

/** Assumption: a client assertion is accepted for 300 seconds after its `iat`. */
const longestAge = 300;
/** Assumption: the `exp` of a client assertion is at most two days from now. */
const longestLife = 2 * 86_400;
const tolerance = 10;
const signingAlgorithms = ["RS256", "RS384", "PS256"];

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const refused = () => new ServiceError(401, "Client authentication failed", "invalid_client");

/** Used assertions by client and `jti`, each with the second from which it is too old anyway. */
type Seen = Map<string, number>;
const seenBy = new WeakMap<Tenant, Seen>();

function checkFirstUse(tenant: Tenant, name: string, now: number): void {
  const seen: Seen = seenBy.get(tenant) ?? new Map();
  seenBy.set(tenant, seen);
  for (const [old, until] of seen) {
    if (until > now) break;
    seen.delete(old);
  }
  if (seen.has(name)) throw refused();
  seen.set(name, now + longestAge + 2 * tolerance);
}

/** The client that signed the assertion, or the 401. `claimed` is the client_id in the request, if any. */
async function clientByAssertion(
  tenant: Tenant,
  assertion: string,
  { url, claimed }: { readonly url: string; readonly claimed: unknown },
): Promise<Client> {
  try {
    const { alg = "" } = decodeProtectedHeader(assertion);
    const client = tenant.store.of(clientKind).get(decodeJwt(assertion).iss ?? "");
    const key = client && (await tenant.publicKeyOf(client));
    if (!key || !signingAlgorithms.includes(alg)) throw refused();
    if (claimed !== undefined && claimed !== client.client_id) throw refused();
    const now = Math.floor(tenant.now() / 1000);
    const { payload } = await jwtVerify(assertion, key, {
      algorithms: signingAlgorithms,
      issuer: client.client_id,
      subject: client.client_id,
      currentDate: new Date(tenant.now()),
      maxTokenAge: longestAge,
      clockTolerance: tolerance,
      requiredClaims: ["aud", "exp", "iat"],
    });
    if (![payload.aud].flat().some((audience) => isOwn(String(audience), url))) throw refused();
    if (payload.exp! - now > longestLife) throw refused();
    if (payload.jti !== undefined) checkFirstUse(tenant, `${client.client_id} ${payload.jti}`, now);
    return client;
  } catch {
    throw refused();
  }
}
