/** The requests of a token, and what its responses say. */
import { jwtVerify, type JWTPayload } from "jose";
import { generateKeyPairSync } from "node:crypto";
import type { Algorithm } from "../../../src/tenant/auth/credentials";
import { pemIn, signingKey } from "../../../src/tenant/auth/credentials";
import type { Tenant, TenantOptions } from "../../../src/tenant/tenant";
import { aclBody } from "../support/embedded";
import { scripted, type Reply } from "../support/scripted";

const noMembers: Reply = { body: { members: [], total: 0 } };
const granted: Reply = { body: { access_token: "token", expires_in: 86400, scope: "read:network_acls" } };

/** A client with these responses of the token endpoint, and one of the API. */
const start = (token: Reply, options: Partial<TenantOptions> = {}, api = noMembers) =>
  scripted(({ path }) => (path.endsWith("/oauth/token") ? token : api), {
    credentials: { kind: "client_secret", clientId: "me", clientSecret: "hush" },
    ...options,
  });

/** Reads that no snapshot serves. */
const read = (tenant: Tenant, number = 1) => tenant.organizationMembers.list(`org_${number}`);

test("requests nothing before the first call, then uses one token for all calls", async () => {
  const { tenant, tokenRequests } = start(granted);
  expect(await tenant.tokens.scopes()).toBeUndefined();
  expect(tokenRequests).toEqual([]);
  await Promise.all(Array.from({ length: 20 }, (_, index) => read(tenant, index)));
  const body = {
    grant_type: "client_credentials",
    audience: "https://acme.example/api/v2/",
    client_id: "me",
    client_secret: "hush",
  };
  expect(tokenRequests).toEqual([{ path: "/oauth/token", body }]);
  expect(await tenant.tokens.scopes()).toEqual(["read:network_acls"]);
});

test("uses the configured audience and the path of a custom root", async () => {
  const audience = "https://acme.eu.auth0.com/api/v2/";
  const { tenant, tokenRequests } = start(granted, { endpoint: "https://acme.example/acme/", audience });
  await read(tenant);
  expect(tokenRequests).toMatchObject([{ path: "/acme/oauth/token", body: { audience } }]);
});

const denied = (error_description: unknown) => ({ error: "access_denied", error_description });
const own = "https://acme.eu.auth0.com/api/v2/";

const disabled: Reply = { status: 403, body: denied("Service not enabled within domain") };
const notTheApi = /^The endpoint is not the Management API/;
const domain = /asked for the audience https:.*custom domain, set `audience` .*TENANT.REGION.auth0.com/;

test.each<[string, Reply, RegExp, string?]>([
  ["what to set if the audience of the endpoint's host is refused", disabled, domain, ""],
  ["what to check if another audience is refused", disabled, /Check the client id .* and the audience\.$/],
  ["the error", { status: 401, body: denied({}) }, /^acme\.example grants client me no token \(access_denied\)/],
  ["the status without an error", { status: 401 }, / no token \(status 401\)\./],
  ["that the server has no such path", { status: 404, body: "<html>" }, notTheApi],
  ["that the server takes only GET", { status: 501, body: "<html>" }, notTheApi],
  ["that the server shows a page for every request", { body: "<!doctype html>" }, /API: it responded to POST/],
])("says %s, and asks no more, however many calls need a token", async (_, token, words, audience = own) => {
  const { tenant, tokenRequests } = start(token, { audience: audience || undefined });
  await Promise.all([1, 2].map((number) => expect(read(tenant, number)).rejects.toThrow(words)));
  expect(tokenRequests).toHaveLength(token.status === undefined ? 2 : 1);
});

const keys = {
  RSA: generateKeyPairSync("rsa", { modulusLength: 2048 }),
  EC: generateKeyPairSync("ec", { namedCurve: "P-256" }),
};
const pkcs8 = (pair: typeof keys.RSA) => pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();

test.each<[string, TenantOptions["credentials"], RegExp]>([
  [
    "a secret that ends in a line break",
    { kind: "client_secret", clientId: "me", clientSecret: "hush\n" },
    /The client secret ends in a line break, which a file or a pipe often adds: remove it\./,
  ],
  [
    "a secret with a blank",
    { kind: "client_secret", clientId: "me", clientSecret: " hush" },
    /The client secret begins or ends with a blank/,
  ],
  [
    "a private key",
    { kind: "private_key", clientId: "me", privateKey: pkcs8(keys.RSA), algorithm: "PS256" },
    /Check .*the public key that belongs to this private key, and the algorithm \(PS256\)/,
  ],
])("says what to check with %s, and shows no secret", async (_, credentials, words) => {
  const { tenant } = start({ status: 401, body: denied("Unauthorized") }, { credentials });
  const error = await read(tenant).catch((problem: Error) => problem);
  expect((error as Error).message).toMatch(words);
  expect((error as Error).message).not.toMatch(/hush|PRIVATE/);
});

test("names the network ACL that the run wrote last if an ACL then blocks the run, and sends no later call", async () => {
  const stamps = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
  const created = { ...aclBody(7), id: "acl_1111111111111111111111", ...stamps };
  const body = { statusCode: 403, error: "Forbidden", message: "Denied by a network ACL.", errorCode: "access_denied" };
  let isWalled = false;
  const { tenant, lines } = scripted(({ method }) => {
    if (isWalled) return { status: 403, body };
    return method === "POST" ? { status: 201, body: created } : { body: [] };
  });
  await tenant.networkAcls.create(aclBody(7));
  isWalled = true;
  await expect(read(tenant)).rejects.toThrow(/wrote the network ACL .* \(priority 7\) last: it probably blocks/);
  const sent = [...lines];
  const later = { code: "blocked_by_acl", unsent: true, status: undefined };
  await expect(tenant.networkAcls.create(aclBody(8))).rejects.toMatchObject(later);
  await expect(tenant.organizations.get("org_1")).rejects.toThrow(/^Not sent, because an ACL refused GET .*: Denied/);
  expect(lines).toEqual(sent);
});

test("reports a create without a token as never sent, after seven requests of the token", async () => {
  const { tenant, lines, tokenRequests } = start({ status: 503 });
  const unsent = { code: "service_failed", path: "/oauth/token", unsent: true };
  await expect(tenant.networkAcls.create(aclBody(1))).rejects.toMatchObject(unsent);
  expect(lines).toEqual([]);
  expect(tokenRequests).toHaveLength(7);
});

const jwt = (claims: object) =>
  ["{}", JSON.stringify(claims), "sig"].map((part) => Buffer.from(part).toString("base64url")).join(".");

test("reads the scopes of a ready token without a request, and names its expiry when it is refused", async () => {
  const exp = Math.floor(Date.parse("2026-01-02T03:04:05Z") / 1000);
  const accessToken = jwt({ scope: "read:network_acls create:network_acls", exp });
  const expired = { status: 401, body: { message: "Expired token received" } };
  const { tenant, lines } = start(granted, { credentials: { kind: "access_token", accessToken } }, expired);
  expect(await tenant.tokens.scopes()).toEqual(["read:network_acls", "create:network_acls"]);
  expect(lines).toEqual([]);
  await expect(read(tenant)).rejects.toMatchObject({
    code: "unauthorized",
    message: "Expired token received (the token ends at 2026-01-02T03:04:05.000Z)",
  });
  expect(lines).toHaveLength(1);
});

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
  const { tenant, tokenRequests } = start(granted, {
    credentials: { kind: "private_key", clientId: "me", privateKey: pem, algorithm },
  });
  await read(tenant);
  const [{ body } = { body: {} }] = tokenRequests;
  expect(body).toEqual({
    grant_type: "client_credentials",
    audience: "https://acme.example/api/v2/",
    client_id: "me",
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: expect.any(String),
  });
  const { payload } = await jwtVerify<JWTPayload>(body.client_assertion, publicKey, {
    algorithms: [algorithm],
    issuer: "me",
    subject: "me",
    audience: "https://acme.example/",
  });
  expect(payload.exp! - payload.iat!).toBe(180);
  expect(payload.jti).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([
  ["no PEM", "RS256"],
  [pkcs8(keys.RSA), "ES256"],
] as const)("reports a key that cannot sign, and sends nothing: %#", async (privateKey, algorithm) => {
  const credentials = { kind: "private_key", clientId: "me", privateKey, algorithm } as const;
  const { tenant, tokenRequests } = start(granted, { credentials });
  await expect(read(tenant)).rejects.toMatchObject({ code: "invalid_key" });
  expect(tokenRequests).toEqual([]);
});

describe("a private key in the forms in which CI systems store it", () => {
  const { RSA: rsa, EC: ec } = keys;
  const short = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const other = generateKeyPairSync("ec", { namedCurve: "P-384" });
  const pem = pkcs8(rsa);
  const encoded = (text: string) => Buffer.from(text).toString("base64");
  const inLines = (text: string) => text.replace(/.{76}/g, "$&\n");

  test.each([
    ["PEM text", pem],
    ["PEM text of PKCS #1", rsa.privateKey.export({ type: "pkcs1", format: "pem" }).toString()],
    ["Windows line ends", pem.replaceAll("\n", "\r\n")],
    ["spaces around it", `\n  ${pem}  \n`],
    ["\\n in two characters", pem.replaceAll("\n", "\\n")],
    ["\\r\\n in four characters", pem.replaceAll("\n", "\\r\\n")],
    ["\\\\n, escaped twice", pem.replaceAll("\n", "\\\\n")],
    ["one line with blanks", pem.trim().replaceAll("\n", " ")],
    ["one line without blanks", pem.replaceAll("\n", "")],
    ["double quotes", JSON.stringify(pem)],
    ["single quotes", `'${pem}'`],
    ["base64 of PEM text", encoded(pem)],
    ["base64 of PEM text, in lines", inLines(encoded(pem))],
    ["base64 of one line with \\n, in quotes", `"${encoded(pem.replaceAll("\n", "\\n"))}"`],
    ["a certificate before the key", `-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n${pem}`],
  ])("reads a key with %s", async (_, text) => {
    expect((await signingKey(text, "PS256")).equals(rsa.privateKey)).toBe(true);
  });

  test("reads an EC key of SEC 1, with its parameters before it", async () => {
    const sec1 = ec.privateKey.export({ type: "sec1", format: "pem" }).toString();
    const parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
    expect((await signingKey(parameters + sec1, "ES256")).equals(ec.privateKey)).toBe(true);
  });

  const cipher = { cipher: "aes-256-cbc", passphrase: "correct horse" } as const;
  const body = pem.split("\n").slice(1, -2);
  test.each([
    ["is encrypted", rsa.privateKey.export({ type: "pkcs8", format: "pem", ...cipher }).toString(), "it is encrypted"],
    [
      "is encrypted in the older format",
      rsa.privateKey.export({ type: "pkcs1", format: "pem", ...cipher }).toString(),
      "it is encrypted",
    ],
    ["is OpenSSH's", pem.replaceAll("PRIVATE", "OPENSSH PRIVATE"), "it is in OpenSSH's format"],
    ["is public", rsa.publicKey.export({ type: "spki", format: "pem" }).toString(), "it is a public key"],
    ["is a certificate", pem.replaceAll("PRIVATE KEY", "CERTIFICATE"), "it is a certificate"],
    ["has no first line", body.join("\n"), "it has no line -----BEGIN PRIVATE KEY-----"],
    ["is its first line alone", "-----BEGIN PRIVATE KEY-----", "it ends early"],
    ["has no last line", pem.split("\n").slice(0, -2).join("\n"), "it ends early"],
    ["is empty", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----", "nothing is between"],
    ["misses a line", pem.replace(`${body[3]}\n`, ""), "is damaged or incomplete"],
    ["has a backslash", pem.replace(body[3]!, `${body[3]!.slice(1)}\\`), "contains a backslash"],
    ["has another character", pem.replace(body[3]!, `${body[3]!.slice(1)}*`), "contains characters that no key has"],
    ["is there twice", pem + pkcs8(short), "it contains 2 private keys"],
    ["is too short", pkcs8(short), "another kind of key (RSA, 1024 bits), and RS256 needs an RSA key of at least 2048"],
    ["is an EC key", pkcs8(ec as never), "another kind of key (EC, prime256v1), and RS256 needs an RSA key"],
  ])("refuses a key that %s, and shows nothing of it", async (_, text, problem) => {
    const error = await signingKey(text, "RS256").then(String, ({ message }: Error) => message);
    expect(error).toContain(problem);
    for (const line of body) expect(error).not.toContain(line.slice(0, 12));
    expect(error).not.toMatch(/openssl|asn1|decoder|DECODER|error:/);
  });

  test("refuses an EC key of another curve for ES256", async () => {
    await expect(signingKey(pkcs8(other as never), "ES256")).rejects.toThrow(
      "(EC, secp384r1), and ES256 needs an EC key",
    );
  });

  test("writes the key in lines of 64 characters, so that each of them can be hidden", () => {
    expect(pemIn(pem.replaceAll("\n", "\\n"))).toBe(pem);
  });
});
