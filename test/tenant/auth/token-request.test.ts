import { generateKeyPairSync } from "node:crypto";
import { jwtVerify, type JWTPayload } from "jose";
import type { Algorithm } from "../../../src/tenant/auth/credentials";
import { createTenant, type Tenant, type TenantOptions } from "../../../src/tenant/tenant";
import { aclBody, embed, type Embedded } from "../support/embedded";
import { serve, type Answering, type Asked, type Reply, type Server } from "../support/server";

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function embedded(...options: Parameters<typeof embed>): Promise<Embedded> {
  const one = await embed(...options);
  closing.push(() => one.close());
  return one;
}

/** A server with scripted responses of its token endpoint and API, and a client for it. */
async function start(
  tokens: (asked: Asked, count: number) => Reply,
  options: Partial<TenantOptions> = {},
  api: Answering = () => ({ body: [] }),
): Promise<{ server: Server; tenant: Tenant; tokenRequests(): Asked[] }> {
  let count = 0;
  const server = await serve((asked, response) =>
    asked.path === "/oauth/token" ? tokens(asked, ++count) : api(asked, response),
  );
  const tenant = createTenant({
    endpoint: server.endpoint,
    credentials: { kind: "client_secret", clientId: "me", clientSecret: "hush" },
    userAgent: "tests/1",
    random: () => 0,
    ...options,
  });
  closing.push(async () => {
    tenant.stop();
    await tenant.close();
    await server.close();
  });
  return { server, tenant, tokenRequests: () => server.asked.filter(({ path }) => path === "/oauth/token") };
}

const granted = (count: number): Reply => ({
  body: { access_token: `token${count}`, token_type: "Bearer", expires_in: 86400, scope: "read:network_acls" },
});

/** Reads that no snapshot serves. */
const read = (tenant: Tenant, number = 1) => tenant.organizationMembers.list(`org_${number}`);
const noMembers: Answering = () => ({ body: { members: [], total: 0 } });

test("requests nothing before the first call, then uses one token for all calls", async () => {
  const { tenant, server, tokenRequests } = await start((_, count) => granted(count), {}, noMembers);
  expect(await tenant.scopes()).toBeUndefined();
  expect(server.asked).toEqual([]);
  await Promise.all(Array.from({ length: 20 }, (_, index) => read(tenant, index)));
  expect(tokenRequests()).toHaveLength(1);
  expect(tokenRequests()[0]?.body).toEqual({
    grant_type: "client_credentials",
    audience: `${server.endpoint}/api/v2/`,
    client_id: "me",
    client_secret: "hush",
  });
  expect(await tenant.scopes()).toEqual(["read:network_acls"]);
});

test("uses the configured audience and the path of a custom root", async () => {
  const server = await serve(({ path }) => (path === "/acme/oauth/token" ? granted(1) : { body: [] }));
  const tenant = createTenant({
    endpoint: `${server.endpoint}/acme/`,
    audience: "https://acme.eu.auth0.com/api/v2/",
    credentials: { kind: "client_secret", clientId: "me", clientSecret: "hush" },
    userAgent: "tests/1",
  });
  closing.push(
    () => tenant.close(),
    () => server.close(),
  );
  await tenant.networkAcls.list();
  expect(server.asked.map(({ path }) => path)).toEqual(["/acme/oauth/token", "/acme/api/v2/network-acls"]);
  expect(server.asked[0]?.body.audience).toBe("https://acme.eu.auth0.com/api/v2/");
});

test("replaces a token again that replaced a refused one and was accepted meanwhile", async () => {
  const refused = new Set(["Bearer token1"]);
  const { tenant, tokenRequests } = await start(
    (_, count) => granted(count),
    {},
    ({ headers }) =>
      refused.has(headers.authorization!)
        ? { status: 401, body: { message: "Invalid token" } }
        : { body: { members: [], total: 0 } },
  );
  await read(tenant, 1);
  refused.add("Bearer token2");
  await read(tenant, 2);
  expect(tokenRequests()).toHaveLength(3);
});

test.each([
  [
    "of the endpoint's host",
    undefined,
    /asked for the audience http:.*custom domain, set `audience` .*TENANT.REGION.auth0.com/,
  ],
  ["of another host", "https://acme.eu.auth0.com/api/v2/", /Check the client id .* and the audience\.$/],
])("says what to set if the tenant refuses the audience %s", async (_, audience, remedy) => {
  const body = { error: "access_denied", error_description: "Service not enabled within domain" };
  const { tenant } = await start(() => ({ status: 403, body }), { audience });
  await expect(read(tenant)).rejects.toThrow(remedy);
});

test("requests no second token with wrong credentials, however many calls need one", async () => {
  const { tenant, tokenRequests } = await start(() => ({
    status: 401,
    body: { error: "access_denied", error_description: "Unauthorized" },
  }));
  const refused = { code: "token_request_failed", status: 401, message: expect.stringContaining("access_denied") };
  await Promise.all([1, 2].map((number) => expect(read(tenant, number)).rejects.toMatchObject(refused)));
  await expect(read(tenant, 3)).rejects.toMatchObject(refused);
  expect(tokenRequests()).toHaveLength(1);
});

test.each([
  [undefined, "status 401"],
  [{ error: "access_denied", error_description: { en: "Unauthorized" } }, "access_denied"],
])("quotes the error of a refusal, or else its status: %j", async (body, why) => {
  const { tenant } = await start(() => ({ status: 401, body }));
  await expect(read(tenant)).rejects.toThrow(/^127\.0\.0\.1:\d+ grants client me no token \(/);
  await expect(read(tenant)).rejects.toThrow(` no token (${why}).`);
});

test.each<[string, Awaited<ReturnType<Parameters<typeof start>[0]>>, number]>([
  ["a server without the path", { status: 404, body: "<html>Not Found</html>" }, 1],
  ["a server that takes only GET", { status: 501, body: "<html>Unsupported method</html>" }, 1],
  ["a server that shows a page for every request", { body: "<!doctype html><title>Hello</title>" }, 2],
])("says after %s that the endpoint is not the Management API", async (_, response, requests) => {
  const { tenant, tokenRequests } = await start(() => response);
  await expect(read(tenant)).rejects.toMatchObject({
    code: "unlike_service",
    message: expect.stringMatching(
      /^The endpoint is not the Management API: it responded to POST \/oauth\/token with status /,
    ),
  });
  expect(tokenRequests()).toHaveLength(requests);
});

test("reports a create without a token as never sent", async () => {
  const { tenant, server } = await start(() => ({ status: 503 }));
  await expect(tenant.networkAcls.create(aclBody(1))).rejects.toMatchObject({
    code: "service_failed",
    path: "/oauth/token",
    unsent: true,
  });
  expect(server.lines()).toEqual([]);
});

const jwt = (claims: object) =>
  ["{}", JSON.stringify(claims), "sig"].map((part) => Buffer.from(part).toString("base64url")).join(".");

test("reads the scopes of a ready token without a request, and names its expiry when it is refused", async () => {
  const exp = Math.floor(Date.parse("2026-01-02T03:04:05Z") / 1000);
  const accessToken = jwt({ scope: "read:network_acls create:network_acls", exp });
  const { tenant, server } = await start(
    () => granted(1),
    { credentials: { kind: "access_token", accessToken } },
    () => ({ status: 401, body: { message: "Expired token received" } }),
  );
  expect(await tenant.scopes()).toEqual(["read:network_acls", "create:network_acls"]);
  expect(server.asked).toEqual([]);
  await expect(read(tenant)).rejects.toMatchObject({
    code: "unauthorized",
    message: "Expired token received (the token ends at 2026-01-02T03:04:05.000Z)",
  });
  expect(server.asked).toHaveLength(1);
});

const keys = {
  RSA: generateKeyPairSync("rsa", { modulusLength: 2048 }),
  EC: generateKeyPairSync("ec", { namedCurve: "P-256" }),
};

test.each<[Algorithm, "pkcs8" | "pkcs1" | "sec1"]>([
  ["RS256", "pkcs8"],
  ["RS256", "pkcs1"],
  ["RS384", "pkcs8"],
  ["RS512", "pkcs8"],
  ["PS256", "pkcs8"],
  ["ES256", "pkcs8"],
  ["ES256", "sec1"],
])("signs an assertion with %s from %s", async (algorithm, type) => {
  const { publicKey, privateKey } = keys[algorithm === "ES256" ? "EC" : "RSA"];
  const pem = privateKey.export({ type, format: "pem" } as { type: "pkcs8"; format: "pem" }).toString();
  const { tenant, server, tokenRequests } = await start(
    (_, count) => granted(count),
    { credentials: { kind: "private_key", clientId: "me", privateKey: pem, algorithm } },
    noMembers,
  );
  await read(tenant);
  const [{ body }] = tokenRequests() as [Asked];
  expect(body).toEqual({
    grant_type: "client_credentials",
    audience: `${server.endpoint}/api/v2/`,
    client_id: "me",
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: expect.any(String),
  });
  const { payload } = await jwtVerify<JWTPayload>(body.client_assertion, publicKey, {
    algorithms: [algorithm],
    issuer: "me",
    subject: "me",
    audience: `${server.endpoint}/`,
  });
  expect(payload.exp! - payload.iat!).toBe(180);
  expect(payload.jti).toMatch(/^[0-9a-f-]{36}$/);
});

test("reports a key that cannot sign, and sends nothing", async () => {
  const rsa = keys.RSA.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  for (const [privateKey, algorithm] of [
    ["no PEM", "RS256"],
    [rsa, "ES256"],
  ] as const) {
    const { tenant, server } = await start((_, count) => granted(count), {
      credentials: { kind: "private_key", clientId: "me", privateKey, algorithm },
    });
    await expect(read(tenant)).rejects.toMatchObject({ code: "invalid_key" });
    expect(server.asked).toEqual([]);
  }
});

test("gets a token from the embedded tenant with a secret and with a key", async () => {
  const one = await embedded();
  const { emulator } = one;
  expect(await one.tenant.networkAcls.list()).toEqual([]);
  const privateKey = await emulator.clientPrivateKey();
  const byKey = one.client({ credentials: { kind: "private_key", clientId: emulator.clientId, privateKey } });
  expect(await byKey.networkAcls.list()).toEqual([]);
  expect(await byKey.scopes()).toContain("create:network_acls");
});

test("distinguishes the refusals of the embedded tenant", async () => {
  const one = await embedded({
    seed: {
      clients: [
        { client_id: "narrow", client_secret: "s", name: "n", global: true, scopes: ["read:network_acls"] },
        { client_id: "local", client_secret: "s", name: "l", global: false },
      ],
    },
  });
  const as = (clientId: string, clientSecret = "s") =>
    one.client({ credentials: { kind: "client_secret", clientId, clientSecret } });
  const narrow = as("narrow");
  expect(await narrow.networkAcls.list()).toEqual([]);
  await expect(narrow.rateLimitPolicies.delete("rlp_1")).rejects.toMatchObject({
    code: "insufficient_scope",
    message: expect.stringContaining("delete:rate_limit_policies"),
  });
  await expect(as("local").networkAcls.list()).rejects.toMatchObject({ code: "unauthorized" });
  await expect(as("narrow", "wrong").networkAcls.list()).rejects.toMatchObject({ code: "token_request_failed" });
});
