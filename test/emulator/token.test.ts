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

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const now = () => Math.floor(Date.now() / 1000);

/** The claims of a valid token, with overrides. */
const claims = (tenant: Tenant, other: object = {}) => ({
  iss: `${root}/`,
  aud: `${root}/api/v2/`,
  azp: tenant.clientId,
  exp: now() + 60,
  scope: "read:network_acls",
  ...other,
});

const asBearer = (tenant: Tenant, token: string) =>
  send(tenant, "GET", "/api/v2/network-acls", { headers: { authorization: `Bearer ${token}` } });

test("grants all scopes by default, and the requested ones otherwise", async () => {
  const tenant = await createTenant();
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
  "accepts every spelling of the audience at %s, as JSON and as a form",
  async (path) => {
    const tenant = await createTenant();
    for (const audience of [
      "/api/v2/",
      "/api/v2",
      `${root}/api/v2/`,
      `${root}/api/v2`,
      "https://localhost:1/api/v2/",
    ]) {
      const body = new URLSearchParams(grantForm(tenant, audience));
      const response = await send(tenant, "POST", path, { body });
      expect((await asBearer(tenant, response.body.access_token)).status).toBe(200);
    }
  },
);

test("grants and accepts tokens for another host name of the tenant", async () => {
  const tenant = await createTenant({ hostNames: ["acme.tenant.example", "other.example"] });
  const origin = "https://acme.tenant.example";
  const form = grantForm(tenant, `${origin}/api/v2/`);
  const at = (url: string, init: RequestInit) => tenant.fetch(new Request(url, init)).then(read);
  const { body } = await at(`${origin}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  const headers = { authorization: `Bearer ${body.access_token}` };
  expect((await at(`${origin}/api/v2/network-acls`, { headers })).status).toBe(200);
  expect((await at("https://other.example/api/v2/network-acls", { headers })).status).toBe(401);
});

test("accepts the secret in a Basic header", async () => {
  const tenant = await createTenant();
  const basic = Buffer.from(`${tenant.clientId}:${tenant.clientSecret}`).toString("base64");
  const body = new URLSearchParams({ grant_type: "client_credentials", audience: "/api/v2/" });
  expect(
    (await send(tenant, "POST", "/oauth/token", { body, headers: { authorization: `Basic ${basic}` } })).status,
  ).toBe(200);
  expect((await send(tenant, "POST", "/oauth/token", { body, headers: { authorization: "Basic JSVF" } })).status).toBe(
    401,
  );
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
])("refuses a request with %j", async (fields, status, error) => {
  const response = await requestToken(await createTenant(), fields);
  expect([response.status, response.body]).toEqual([status, { error, error_description: expect.any(String) }]);
});

test("refuses unreadable bodies with an OAuth error", async () => {
  const tenant = await createTenant();
  const headers = { "content-type": "application/json" };
  for (const body of ["{", "[]", "", "null"]) {
    const response = await send(tenant, "POST", "/oauth/token", { body, headers });
    expect([response.status, response.body.error]).toEqual([400, "invalid_request"]);
  }
});

const ask = (tenant: Tenant, client_assertion: string, client_id?: string) =>
  requestToken(tenant, { client_id, client_secret: undefined, client_assertion, client_assertion_type: assertionType });

describe("an assertion", () => {
  const assertion = async (tenant: Tenant, other: object = {}, alg = "RS256") => {
    const key = await importPKCS8(await tenant.clientPrivateKey(), alg);
    const { clientId } = tenant;
    const usual = { iss: clientId, sub: clientId, aud: `${root}/`, iat: now(), exp: now() + 180, jti: "1", ...other };
    return new SignJWT(usual).setProtectedHeader({ alg }).sign(key);
  };

  test.each(["RS256", "RS384", "PS256"])("is accepted with a signature by %s", async (alg) => {
    const tenant = await createTenant();
    const { body } = await ask(tenant, await assertion(tenant, {}, alg));
    expect((await asBearer(tenant, body.access_token)).status).toBe(200);
  });

  test.each([
    ["signed long ago", { iat: now() - 400 }],
    ["expired", { iat: now() - 200, exp: now() - 20 }],
    ["for somebody else", { aud: "https://elsewhere.example/" }],
    ["issued by another client", { iss: "nobody" }],
    ["about another client", { sub: "nobody" }],
    ["without an expiry", { exp: undefined }],
    ["without an age", { iat: undefined }],
  ])("is refused with %s", async (_, other) => {
    const tenant = await createTenant();
    expect((await ask(tenant, await assertion(tenant, other))).body.error).toBe("invalid_client");
  });

  test("is judged by its iat, even with a long lifetime", async () => {
    const tenant = await createTenant();
    expect((await ask(tenant, await assertion(tenant, { exp: now() + 86_400 }))).status).toBe(200);
  });

  test("is refused if it expires in years, even if it is new", async () => {
    const tenant = await createTenant();
    const tenYears = now() + 10 * 365 * 86_400;
    expect((await ask(tenant, await assertion(tenant, { exp: tenYears }))).body.error).toBe("invalid_client");
  });

  test("is accepted only once", async () => {
    const tenant = await createTenant();
    const once = await assertion(tenant, { jti: "7f3a" });
    expect((await ask(tenant, once)).status).toBe(200);
    expect((await ask(tenant, once)).body.error).toBe("invalid_client");
    expect((await ask(tenant, await assertion(tenant, { jti: "7f3b" }))).status).toBe(200);
  });

  test("is refused with another client_id", async () => {
    const tenant = await createTenant({ seed: { clients: [{ client_id: "other" }] } });
    expect((await ask(tenant, await assertion(tenant, { jti: "a" }), "other")).body.error).toBe("invalid_client");
    expect((await ask(tenant, await assertion(tenant, { jti: "b" }), tenant.clientId)).status).toBe(200);
  });

  test("is refused with another key, without a signature, or in another format", async () => {
    const tenant = await createTenant();
    const { privateKey } = await generateKeyPair("RS256");
    const { clientId } = tenant;
    const usual = { iss: clientId, sub: clientId, aud: `${root}/`, iat: now(), exp: now() + 60 };
    const foreign = await new SignJWT(usual).setProtectedHeader({ alg: "RS256" }).sign(privateKey);
    for (const bad of [foreign, new UnsecuredJWT(usual).encode(), "rubbish", "a.b.c"]) {
      expect((await ask(tenant, bad)).body.error).toBe("invalid_client");
    }
  });

  test("is verified with the public key of a seeded client", async () => {
    const { privateKey, publicKey } = await generateKeyPair("RS256");
    const client = { client_id: "keyed", public_key: await exportSPKI(publicKey), scopes: ["read:network_acls"] };
    const tenant = await createTenant({ seed: { clients: [client] } });
    const usual = { iss: "keyed", sub: "keyed", aud: `${root}/`, iat: now(), exp: now() + 60 };
    const signed = await new SignJWT(usual).setProtectedHeader({ alg: "RS256" }).sign(privateKey);
    expect((await ask(tenant, signed)).body.scope).toBe("read:network_acls");
  });
});

const refused = async (tenant: Tenant, authorization: string | undefined) => {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const response = await send(tenant, "GET", "/api/v2/network-acls", { headers });
  expect(response.body).toMatchObject({ statusCode: 401, error: "Unauthorized" });
  return response.body.message;
};

describe("a bearer token", () => {
  test("is accepted if it is valid", async () => {
    const tenant = await createTenant();
    expect((await asBearer(tenant, await tenant.tokens.sign(claims(tenant)))).status).toBe(200);
    expect(
      (await asBearer(tenant, await tenant.tokens.sign(claims(tenant, { aud: ["x", `${root}/api/v2/`] })))).status,
    ).toBe(200);
  });

  test("is refused if it is missing or malformed", async () => {
    const tenant = await createTenant();
    expect(await refused(tenant, undefined)).toBe("Missing authentication");
    for (const header of ["Bearer", "Bearer a b", "Basic YTpi"]) {
      expect(await refused(tenant, header)).toBe("Bad HTTP authentication header format");
    }
    for (const token of ["x", "a.b.c", `${tenant.token}.x`])
      expect(await refused(tenant, `Bearer ${token}`)).toBe("Invalid token");
  });

  test("is refused after it has expired", async () => {
    let time = Date.now();
    const tenant = await createTenant({ now: () => time });
    expect((await tenant.call("GET", "/network-acls")).status).toBe(200);
    time += 86_401_000;
    expect(await refused(tenant, `Bearer ${tenant.token}`)).toBe(
      "Expired token received for JSON Web Token validation",
    );
  });

  test.each([
    ["another issuer", { iss: "https://elsewhere.example/" }],
    ["another audience", { aud: "https://elsewhere.example/api/v2/" }],
    ["an audience other than the API", { aud: `${root}/userinfo` }],
    ["no audience", { aud: undefined }],
    ["no expiry", { exp: undefined }],
    ["an unknown client", { azp: "nobody" }],
    ["no client", { azp: undefined }],
  ])("is refused with %s", async (_, other) => {
    const tenant = await createTenant();
    expect(await refused(tenant, `Bearer ${await tenant.tokens.sign(claims(tenant, other))}`)).toBe("Invalid token");
  });

  test("is refused without a signature, with another key, or with HS256 and the public key", async () => {
    const tenant = await createTenant();
    const none = new UnsecuredJWT(claims(tenant)).encode();
    expect(await refused(tenant, `Bearer ${none}`)).toBe("Invalid token");
    const { privateKey } = await generateKeyPair("RS256");
    const header = { alg: "RS256", kid: "tenant" };
    const foreign = await new SignJWT(claims(tenant)).setProtectedHeader(header).sign(privateKey);
    expect(await refused(tenant, `Bearer ${foreign}`)).toBe("Invalid signature received for JSON Web Token validation");
    const jwks = await read(await tenant.fetch(new Request(`${root}/.well-known/jwks.json`)));
    for (const secret of [jwks.text, jwks.body.keys[0].n]) {
      const confused = await new SignJWT(claims(tenant)).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(secret));
      expect(await refused(tenant, `Bearer ${confused}`)).toBe("Invalid token");
    }
  });

  test("is refused if its client is not global", async () => {
    const client = { client_id: "local", client_secret: "s", global: false };
    const tenant = await createTenant({ seed: { clients: [client] } });
    const { status, body } = await requestToken(tenant, client);
    expect(status).toBe(200);
    expect(await refused(tenant, `Bearer ${body.access_token}`)).toBe("Client is not global.");
  });

  test("is refused with 403 if it has no scope", async () => {
    const tenant = await createTenant();
    const response = await asBearer(tenant, await tenant.tokens.sign(claims(tenant, { scope: undefined })));
    expect(response.body.errorCode).toBe("insufficient_scope");
  });

  test("is refused by another tenant", async () => {
    const [here, there] = [await createTenant(), await createTenant()];
    expect(await refused(there, `Bearer ${here.token}`)).toBe("Invalid token");
  });
});

test("publishes the endpoints, and the keys that verify its tokens", async () => {
  const tenant = await createTenant();
  const { url, close } = await tenant.listen();
  const discovery = (await (await fetch(`${url}/.well-known/openid-configuration`)).json()) as Record<string, string>;
  expect(discovery).toMatchObject({ issuer: `${url}/`, token_endpoint: `${url}/oauth/token` });
  const form = {
    grant_type: "client_credentials",
    client_id: tenant.clientId,
    client_secret: tenant.clientSecret,
    audience: "/api/v2/",
  };
  const granted = await fetch(discovery.token_endpoint!, { method: "POST", body: new URLSearchParams(form) });
  const { access_token } = (await granted.json()) as { access_token: string };
  const keys = createRemoteJWKSet(new URL(discovery.jwks_uri!));
  const { payload } = await jwtVerify(access_token, keys, { issuer: discovery.issuer, audience: `${url}/api/v2/` });
  expect(payload.azp).toBe(tenant.clientId);
  await close();
});

test("refuses the assertion of a client that is seeded with an invalid public key", async () => {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const tenant = await createTenant({ seed: { clients: [{ client_id: "odd", public_key: pem }] } });
  const key = await importPKCS8(await tenant.clientPrivateKey(), "RS256");
  const usual = { iss: "odd", sub: "odd", aud: `${root}/`, iat: now(), exp: now() + 60 };
  const client_assertion = await new SignJWT(usual).setProtectedHeader({ alg: "RS256" }).sign(key);
  const response = await requestToken(tenant, { client_assertion, client_assertion_type: assertionType });
  expect(response.body.error).toBe("invalid_client");
});
