/** The token endpoint, client assertions, bearer tokens, and the public documents of the tenant. */
import { generateKeyPairSync } from "node:crypto";
import {
  createRemoteJWKSet,
  decodeJwt,
  exportSPKI,
  generateKeyPair,
  importPKCS8,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { grantForm } from "../support/token";
import { createTenant, read, requestToken, root, send, type Tenant } from "./client";

let tenant: Tenant;
beforeEach(async () => void (tenant = await createTenant()));

const now = () => Math.floor(Date.now() / 1000);

const asBearer = (token: string) =>
  send(tenant, "GET", "/api/v2/network-acls", { headers: { authorization: `Bearer ${token}` } });

describe("the token endpoint", () => {
  test("grants all scopes by default, and the requested ones otherwise", async () => {
    const { body, headers } = await requestToken(tenant);
    expect(body).toMatchObject({ token_type: "Bearer", expires_in: 86400 });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body.scope.split(" ")).toHaveLength(245);
    expect(decodeJwt(body.access_token)).toMatchObject({
      iss: `${root}/`,
      aud: `${root}/api/v2/`,
      sub: `${tenant.clientId}@clients`,
      gty: "client-credentials",
      scope: body.scope,
    });
    const narrow = await requestToken(tenant, { scope: "read:users  read:nonsense create:network_acls" });
    expect(narrow.body.scope.split(" ").toSorted()).toEqual(["create:network_acls", "read:users"]);
  });

  test.each(["/oauth/token", "/oauth/token/"])(
    "accepts every spelling of the audience at %s, in a form",
    async (path) => {
      for (const host of ["", root, "https://localhost:1"]) {
        for (const audience of [`${host}/api/v2/`, `${host}/api/v2`]) {
          const body = new URLSearchParams(grantForm(tenant, audience));
          const response = await send(tenant, "POST", path, { body });
          expect((await asBearer(response.body.access_token)).status).toBe(200);
        }
      }
    },
  );

  test("grants and accepts tokens for another host name of the tenant", async () => {
    tenant = await createTenant({ hostNames: ["acme.tenant.example", "other.example"] });
    const origin = "https://acme.tenant.example";
    const body = new URLSearchParams(grantForm(tenant, `${origin}/api/v2/`));
    const at = (url: string, init: RequestInit) => tenant.fetch(new Request(url, init)).then(read);
    const granted = await at(`${origin}/oauth/token`, { method: "POST", body });
    const headers = { authorization: `Bearer ${granted.body.access_token}` };
    expect((await at(`${origin}/api/v2/network-acls`, { headers })).status).toBe(200);
    expect((await at("https://other.example/api/v2/network-acls", { headers })).status).toBe(401);
  });

  test.each([
    ["with the secret", () => `${tenant.clientId}:${tenant.clientSecret}`, 200],
    ["that is not encoded text", () => "%%E", 401],
  ])("responds to a Basic header %s", async (_, text, status) => {
    const authorization = `Basic ${Buffer.from(text()).toString("base64")}`;
    const body = new URLSearchParams({ grant_type: "client_credentials", audience: "/api/v2/" });
    expect((await send(tenant, "POST", "/oauth/token", { body, headers: { authorization } })).status).toBe(status);
  });

  test.each([
    [{ client_secret: "wrong" }, 401, "access_denied"],
    [{ client_id: "nobody" }, 401, "access_denied"],
    [{ client_secret: undefined }, 401, "access_denied"],
    [{ grant_type: "password" }, 403, "unsupported_grant_type"],
    [{ grant_type: undefined }, 400, "invalid_request"],
    [{ audience: "https://elsewhere.example/api/v2/" }, 403, "access_denied"],
    [{ audience: `${root}/userinfo` }, 403, "access_denied"],
    [{ audience: undefined }, 403, "access_denied"],
    [{ client_assertion: "x", client_assertion_type: "y" }, 400, "invalid_request"],
    ["{", 400, "invalid_request"],
    ["[]", 400, "invalid_request"],
    ["", 400, "invalid_request"],
    ["null", 400, "invalid_request"],
  ])("refuses a request with %j", async (fields, status, error) => {
    const headers = { "content-type": "application/json" };
    const response = await (typeof fields === "string"
      ? send(tenant, "POST", "/oauth/token", { body: fields, headers })
      : requestToken(tenant, fields));
    expect([response.status, response.body]).toEqual([status, { error, error_description: expect.any(String) }]);
  });
});

const ask = (client_assertion: string, client_id?: string) =>
  requestToken(tenant, {
    client_id,
    client_secret: undefined,
    client_assertion,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  });

const keyOf = async (alg = "RS256") => importPKCS8(await tenant.clientPrivateKey(), alg);

/** The claims of a valid assertion, and other ones. */
const claimsOf = (client: string, other: object = {}) => ({
  iss: client,
  sub: client,
  aud: `${root}/`,
  iat: now(),
  exp: now() + 180,
  jti: "1",
  ...other,
});

describe("an assertion", () => {
  const assertion = async (other: object = {}, alg = "RS256") =>
    new SignJWT(claimsOf(tenant.clientId, other)).setProtectedHeader({ alg }).sign(await keyOf(alg));

  test.each(["RS256", "RS384", "PS256"])("is accepted with a signature by %s", async (alg) => {
    const { body } = await ask(await assertion({}, alg));
    expect((await asBearer(body.access_token)).status).toBe(200);
  });

  test.each([
    ["signed long ago", 401, { iat: now() - 400 }],
    ["expired", 401, { iat: now() - 200, exp: now() - 20 }],
    ["for somebody else", 401, { aud: "https://elsewhere.example/" }],
    ["issued by another client", 401, { iss: "nobody" }],
    ["about another client", 401, { sub: "nobody" }],
    ["without an expiry", 401, { exp: undefined }],
    ["without an age", 401, { iat: undefined }],
    ["with a lifetime of a day", 200, { exp: now() + 86_400 }],
    ["that expires in years", 401, { exp: now() + 10 * 365 * 86_400 }],
  ])("%s gets %d", async (_, status, other) => {
    const response = await ask(await assertion(other));
    expect([response.status, response.body.error]).toEqual([status, status === 401 ? "invalid_client" : undefined]);
  });

  test("is accepted only once, and only for its own client", async () => {
    tenant = await createTenant({ seed: { clients: [{ client_id: "other" }] } });
    const once = await assertion({ jti: "a" });
    expect((await ask(once)).status).toBe(200);
    expect((await ask(once)).body.error).toBe("invalid_client");
    expect((await ask(await assertion({ jti: "b" }), "other")).body.error).toBe("invalid_client");
    expect((await ask(await assertion({ jti: "c" }), tenant.clientId)).status).toBe(200);
  });

  test("is refused with another key, without a signature, or in another format", async () => {
    const { privateKey } = await generateKeyPair("RS256");
    const claims = claimsOf(tenant.clientId);
    const foreign = await new SignJWT(claims).setProtectedHeader({ alg: "RS256" }).sign(privateKey);
    for (const bad of [foreign, new UnsecuredJWT(claims).encode(), "rubbish", "a.b.c"]) {
      expect((await ask(bad)).body.error).toBe("invalid_client");
    }
  });

  test("is verified with the public key of a seeded client, which must be an RSA key", async () => {
    const { privateKey, publicKey } = await generateKeyPair("RS256");
    const odd = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "pem" });
    const clients = [
      { client_id: "keyed", public_key: await exportSPKI(publicKey), scopes: ["read:network_acls"] },
      { client_id: "odd", public_key: String(odd) },
    ];
    tenant = await createTenant({ seed: { clients } });
    const signed = (client: string) =>
      new SignJWT(claimsOf(client)).setProtectedHeader({ alg: "RS256" }).sign(privateKey);
    expect((await ask(await signed("keyed"))).body.scope).toBe("read:network_acls");
    expect((await ask(await signed("odd"))).body.error).toBe("invalid_client");
  });
});

describe("a bearer token", () => {
  /** The claims of a valid token, and other ones. */
  const claims = (other: object = {}) => ({
    iss: `${root}/`,
    aud: `${root}/api/v2/`,
    azp: tenant.clientId,
    exp: now() + 60,
    scope: "read:network_acls",
    ...other,
  });
  const messageFor = async (authorization: string | undefined, at = tenant) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const { status, body } = await send(at, "GET", "/api/v2/network-acls", { headers });
    return status === 200 ? "fine" : [status, body.message ?? body].join(" ");
  };

  test.each([
    ["missing", undefined, "401 Missing authentication"],
    ["empty", "Bearer", "401 Bad HTTP authentication header format"],
    ["two", "Bearer a b", "401 Bad HTTP authentication header format"],
    ["a Basic header", "Basic YTpi", "401 Bad HTTP authentication header format"],
    ["no JWT", "Bearer x", "401 Invalid token"],
    ["rubbish", "Bearer a.b.c", "401 Invalid token"],
  ])("that is %s is refused", async (_, header, message) => {
    expect(await messageFor(header)).toBe(message);
  });

  test.each([
    ["valid claims", "fine", {}],
    ["two audiences", "fine", { aud: ["x", `${root}/api/v2/`] }],
    ["another issuer", "401 Invalid token", { iss: "https://elsewhere.example/" }],
    ["another audience", "401 Invalid token", { aud: "https://elsewhere.example/api/v2/" }],
    ["an audience other than the API", "401 Invalid token", { aud: `${root}/userinfo` }],
    ["no audience", "401 Invalid token", { aud: undefined }],
    ["no expiry", "401 Invalid token", { exp: undefined }],
    ["an unknown client", "401 Invalid token", { azp: "nobody" }],
    ["no client", "401 Invalid token", { azp: undefined }],
    ["a client that is not global", "401 Client is not global.", { azp: "local" }],
    ["no scope", "403 Insufficient scope, expected any of: read:network_acls", { scope: undefined }],
  ])("with %s: %s", async (_, message, other) => {
    tenant = await createTenant({ seed: { clients: [{ client_id: "local", global: false }] } });
    expect(await messageFor(`Bearer ${await tenant.tokens.sign(claims(other))}`)).toBe(message);
  });

  test("is refused after it has expired, and by another tenant", async () => {
    let time = Date.now();
    tenant = await createTenant({ now: () => time });
    expect(await messageFor(`Bearer ${tenant.token}`)).toBe("fine");
    expect(await messageFor(`Bearer ${tenant.token}`, await createTenant())).toBe("401 Invalid token");
    time += 86_401_000;
    const expired = "401 Expired token received for JSON Web Token validation";
    expect(await messageFor(`Bearer ${tenant.token}`)).toBe(expired);
  });

  test("is refused without a signature, with another key, or with HS256 and the public key", async () => {
    expect(await messageFor(`Bearer ${new UnsecuredJWT(claims()).encode()}`)).toBe("401 Invalid token");
    const { privateKey } = await generateKeyPair("RS256");
    const header = { alg: "RS256", kid: "tenant" };
    const foreign = await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey);
    const invalid = "401 Invalid signature received for JSON Web Token validation";
    expect(await messageFor(`Bearer ${foreign}`)).toBe(invalid);
    const jwks = await read(await tenant.fetch(new Request(`${root}/.well-known/jwks.json`)));
    for (const secret of [jwks.text, jwks.body.keys[0].n]) {
      const confused = await new SignJWT(claims()).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(secret));
      expect(await messageFor(`Bearer ${confused}`)).toBe("401 Invalid token");
    }
  });
});

test("publishes the endpoints, and the keys that verify its tokens", async () => {
  const { url, close } = await tenant.listen();
  const discovery = (await (await fetch(`${url}/.well-known/openid-configuration`)).json()) as Record<string, string>;
  expect(discovery).toMatchObject({ issuer: `${url}/`, token_endpoint: `${url}/oauth/token` });
  const body = new URLSearchParams(grantForm(tenant, "/api/v2/"));
  const granted = await fetch(discovery.token_endpoint!, { method: "POST", body });
  const { access_token } = (await granted.json()) as { access_token: string };
  const keys = createRemoteJWKSet(new URL(discovery.jwks_uri!));
  const { payload } = await jwtVerify(access_token, keys, { issuer: discovery.issuer, audience: `${url}/api/v2/` });
  expect(payload.azp).toBe(tenant.clientId);
  await close();
});
