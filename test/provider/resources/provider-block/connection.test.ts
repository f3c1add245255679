/** The provider block and the environment select the tenant and the credentials; `allowed_domains`; what else the block reads, and warns of. */
import { rootCertificates } from "node:tls";
import { unknown } from "../../../../src/formats/cty/value";
import type { Client } from "../../../../src/provider/resources/client";
import { tenantProvider } from "../../../../src/provider/resources/provider";
import { connectionFrom } from "../../../../src/provider/resources/provider-block/connection";
import { block as config } from "../../../../src/provider/resources/provider-block/definition";
import { domainPattern } from "../../../../src/provider/resources/provider-block/root";
import { createCodec } from "../../../../src/provider/sdk/codec";
import { acl } from "../../../support/hcl";
import { openWorkspace } from "../../../support/workspace";

const secrets = { client_id: "id", client_secret: "secret" };
const fromSecrets = { kind: "client_secret", clientId: "id", clientSecret: "secret" };

const token = { kind: "access_token", accessToken: "t" };
const named = (prefix: string) => ({
  [`${prefix}DOMAIN`]: "x.example",
  [`${prefix}CLIENT_ID`]: "id",
  [`${prefix}CLIENT_SECRET`]: "secret",
  [`${prefix}AUDIENCE`]: "urn:api",
});
const x = { endpoint: "https://x.example", credentials: fromSecrets, audience: "urn:api" };
const a = { domain: "a.example" };
const secret = { TENANT_CLIENT_ID: "id", TENANT_CLIENT_SECRET: "secret" };
const url = "http://127.0.0.1:8080";
const embedded = { TENANT_EMBEDDED_ENDPOINT: url, ...secret, AUTH0_DOMAIN: "a.example" };
const acme = {
  ACME_TENANT_DOMAIN: "acme.example",
  ACME_TENANT_CLIENT_ID: "id",
  ACME_TENANT_CLIENT_SECRET: "secret",
  TENANT_AUDIENCE: "urn:other",
  AUTH0_DOMAIN: "other.example",
};

const ofAcme = { endpoint: "https://acme.example", credentials: fromSecrets, audience: undefined };

test.each<[string, object, object, object | undefined]>([
  ["the block first", { ...a, ...secrets }, { TENANT_DOMAIN: "b.example" }, { endpoint: "https://a.example" }],
  ["TENANT_*", {}, named("TENANT_"), x],
  ["AUTH0_*", {}, named("AUTH0_"), x],
  ["TENANT_* first", {}, { ...named("AUTH0_"), TENANT_DOMAIN: "y.example" }, { endpoint: "https://y.example" }],
  ["AUTH0_API_TOKEN", a, { AUTH0_API_TOKEN: "t" }, { credentials: token }],
  ["TENANT_ACCESS_TOKEN", a, { TENANT_ACCESS_TOKEN: "t" }, { credentials: token }],
  ["a secret of TENANT_* before a token", a, { AUTH0_API_TOKEN: "t", ...secret }, { credentials: fromSecrets }],
  ["block and TENANT_*", { ...a, client_id: "id" }, { TENANT_CLIENT_SECRET: "secret" }, { credentials: fromSecrets }],
  ["only variables with the prefix", { environment_prefix: "ACME" }, acme, ofAcme],
  ["nothing while the prefix is unknown", { environment_prefix: unknown, ...a }, { ...acme, ...secret }, undefined],
  ["nothing while the domain is unknown", { domain: unknown, ...secrets }, {}, undefined],
  ["nothing while the secret is unknown", { ...a, ...secrets, client_secret: unknown }, {}, undefined],
  ["nothing while the token is unknown", { ...a, access_token: unknown }, {}, undefined],
  ["nothing while an authority is unknown", { ...a, ...secrets, certificate_authority: unknown }, {}, undefined],
  ["the limits of the block for an embedded tenant", { max_retry_wait: 1 }, embedded, { maxRetryWait: 1000 }],
  ...[
    {},
    { ...a, access_token: "real", allowed_domains: ["a.example"] },
    { endpoint: "https://a.example" },
    { environment_prefix: "ACME" },
    { environment_prefix: unknown, domain: unknown },
  ].map((block): [string, object, object, object] => [
    `the embedded tenant in place of ${JSON.stringify(block)}`,
    block,
    { ...embedded, ACME_TENANT_DOMAIN: "a.example", ACME_TENANT_ACCESS_TOKEN: "real" },
    { endpoint: url, credentials: fromSecrets },
  ]),
])("takes %s", (_, block, environment, connection) => {
  const found = connectionFrom(block, environment as NodeJS.ProcessEnv);
  if (connection === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(connection);
});

const globex = { environment_prefix: "GLOBEX" };
const id = { TENANT_CLIENT_ID: "id" };

test.each<[object, object, string | RegExp]>([
  [{}, {}, "`domain` is missing"],
  [a, { ...secret, TENANT_CLIENT_ID: "  " }, "`client_id` (TENANT_CLIENT_ID) has only spaces: give a value"],
  [a, { ...secret, AUTH0_AUDIENCE: "\t" }, "`audience` (AUTH0_AUDIENCE) has only spaces"],
  [{ domain: " " }, { TENANT_DOMAIN: "a.example" }, "`domain` has only spaces"],
  ...[
    ["client_secret", "client_assertion_private_key"],
    ["client_secret", "client_assertion_private_key_file"],
    ["client_secret", "client_assertion_signing_alg"],
    ["client_assertion_private_key", "client_assertion_private_key_file"],
    ["access_token", "client_secret"],
    ["access_token", "audience"],
    ["endpoint", "domain"],
    ["certificate_authority", "certificate_authority_file"],
  ].map(([used, unused]): [object, object, string] => [
    { [used!]: "RS256", [unused!]: "RS256" },
    {},
    `\`${unused}\` has no effect beside \`${used}\`: remove one of them`,
  ]),
  [{ endpoint: "https://a.example?x=1" }, {}, '`endpoint` is "https://a.example?…": give the tenant\'s root'],
  [{ endpoint: "https://a.example@b.example" }, {}, "an https URL without user and query"],
  [{}, { AUTH0_DOMAIN: "https://a.example" }, '`domain` (AUTH0_DOMAIN) is "https://a.example": give the bare host'],
  [a, { AUTH0_API_TOKEN: "a b" }, "`access_token` (AUTH0_API_TOKEN) has spaces"],
  [a, { ...id, TENANT_CLIENT_ASSERTION_PRIVATE_KEY_FILE: "/gone.pem" }, '_KEY_FILE) is "/gone.pem": ENOENT'],
  [
    a,
    { ...secret, TENANT_CERTIFICATE_AUTHORITY: "pem" },
    "`certificate_authority` (TENANT_CERTIFICATE_AUTHORITY) holds no certificate: give",
  ],
  [{ domain: "https://a.example", ...secrets }, {}, '`domain` is "https://a.example": give the bare host name'],
  [{ endpoint: "a.example", ...secrets }, {}, '`endpoint` is "a.example"'],
  [{ endpoint: "http://a.example", ...secrets }, {}, "Plain http works only for a tenant on this machine"],
  [{ endpoint: "http://ada:hunter2@a.example", ...secrets }, {}, '`endpoint` is "http://…@a.example"'],
  [a, {}, "`client_id` and `client_secret` are missing: set TENANT_CLIENT_ID and TENANT_CLIENT_SECRET"],
  [{ ...a, client_id: "id" }, {}, "`client_secret` is missing: set TENANT_CLIENT_SECRET"],
  [globex, { ...acme, TENANT_DOMAIN: "other.example" }, "as GLOBEX_TENANT_DOMAIN (acme.eu.auth0.com)"],
  [
    { ...globex, domain: "globex.example" },
    { ...acme, ...secret },
    /set GLOBEX_TENANT_CLIENT_ID and GLOBEX_TENANT_CLIENT_SECRET in the environment.*variables without the prefix do not count/,
  ],
  [
    { ...a, client_id: "id", client_assertion_private_key: "key" },
    { TENANT_CLIENT_ASSERTION_SIGNING_ALG: "HS256" },
    '(TENANT_CLIENT_ASSERTION_SIGNING_ALG) is "HS256": choose one of RS256, RS384, RS512, PS256, ES256.',
  ],
  [{}, { ...embedded, TENANT_EMBEDDED_ENDPOINT: "https://a.example" }, '`TENANT_EMBEDDED_ENDPOINT` is "https:'],
  [a, { ...secret, TENANT_MAX_RETRY_WAIT: "abc" }, '`TENANT_MAX_RETRY_WAIT` is "abc": give a number.'],
  [a, { ...secret, TENANT_MAX_RETRY_WAIT: "0" }, '`TENANT_MAX_RETRY_WAIT` is "0": give a number above 0'],
  [a, { ...secret, TENANT_MAX_CONCURRENCY: "1.5" }, '`TENANT_MAX_CONCURRENCY` is "1.5": give a whole number.'],
  [a, { ...secret, TENANT_LOCKOUT_GUARD: "off" }, '`TENANT_LOCKOUT_GUARD` is "off", but the environment cannot set'],
  [globex, { GLOBEX_TENANT_PLAN_WARNINGS: "off" }, "`GLOBEX_TENANT_PLAN_WARNINGS` is"],
  [a, { TENANT_CLIENT_SECERT: "hunter2" }, /^(?!.*hunter2).*`TENANT_CLIENT_SECRET` is probably meant\. Rename/],
  [a, { TENANT_EMBEDED_ENDPOINT: url }, "`TENANT_EMBEDDED_ENDPOINT` is probably meant"],
])("refuses %j with %j", (written, environment, words) => {
  expect(() => connectionFrom(written, environment as NodeJS.ProcessEnv)).toThrow(words);
});

describe("through Terraform", () => {
  test("reports missing credentials as one error at the provider block", async () => {
    const workspace = await openWorkspace();
    delete workspace.environment.TENANT_CLIENT_ID;
    delete workspace.environment.TENANT_CLIENT_SECRET;
    await workspace.write(`provider "tenant" {}\n${acl("a")}`);
    const errors = await workspace.refused("plan");
    expect(errors.match(/Error: /g)).toHaveLength(1);
    expect(errors).toContain('provider "tenant"');
    expect(errors).toContain("TENANT_CLIENT_ID and TENANT_CLIENT_SECRET");
  });

  test("plans with an endpoint that is unknown until the apply", async () => {
    const workspace = await openWorkspace();
    await workspace.write(`
      resource "terraform_data" "tenant" {
        input = ${JSON.stringify(workspace.environment.TENANT_ENDPOINT)}
      }
      provider "tenant" {
        endpoint = terraform_data.tenant.output
      }
      ${acl("a")}
    `);
    delete workspace.environment.TENANT_ENDPOINT;
    expect((await workspace.plan()).changes).toHaveLength(2);
    await workspace.apply();
    expect(workspace.emulator.snapshot().network_acls).toHaveLength(1);
  });
});

describe("a file of PEM text", () => {
  const at = { domain: "a.example", client_id: "id" };
  const pem = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n";
  const own = rootCertificates[0]!;
  const read = (path: string) => {
    if (path === "/own.pem") return own;
    if (path === "/there.pem") return pem;
    throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: "ENOENT" });
  };
  const keyOf = (file: string) =>
    connectionFrom({ ...at, client_assertion_private_key_file: file }, {}, read)?.credentials;
  const authorityOf = (written: object, environment = {}) =>
    connectionFrom({ ...at, client_secret: "secret", ...written }, environment, read)?.certificateAuthority;

  test("is read from its path, or used directly when the value is PEM text", () => {
    const credentials = { kind: "private_key", clientId: "id", privateKey: pem, algorithm: undefined };
    expect(keyOf("/there.pem")).toEqual(credentials);
    expect(keyOf(pem)).toEqual(credentials);
  });

  test("is named when the file is missing, unless the value may be a key", () => {
    expect(() => keyOf("/gone.pem")).toThrow('`client_assertion_private_key_file` is "/gone.pem": ENOENT.');
    expect(() => keyOf("MIIBOgIBAAJBAK\nsecret\n")).toThrow("is (not a path): ENOENT.");
    const keys = [
      Buffer.from(pem).toString("base64"),
      `MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg${"A".repeat(60)}`,
    ];
    for (const key of keys) expect(keyOf(key)).toMatchObject({ privateKey: key });
  });

  test("sets the certificate authority, as text or file, in the provider block or the environment", () => {
    expect(authorityOf({})).toBeUndefined();
    expect(authorityOf({ certificate_authority: own })).toBe(own);
    expect(authorityOf({ certificate_authority_file: "/own.pem" })).toBe(own);
    expect(authorityOf({}, { TENANT_CERTIFICATE_AUTHORITY: own })).toBe(own);
    expect(authorityOf({}, { TENANT_CERTIFICATE_AUTHORITY_FILE: "/own.pem" })).toBe(own);
    expect(authorityOf({ certificate_authority_file: "/own.pem" }, { TENANT_CERTIFICATE_AUTHORITY: "text" })).toBe(own);
    expect(() => authorityOf({ certificate_authority_file: "/gone.pem" })).toThrow("certificate_authority_file");
  });
});

const codec = createCodec({ config, description: "" });
const check = (expectation: unknown) =>
  codec.check(codec.fromPlain({ expectation }) as Parameters<typeof codec.check>[0]);
const said = (expectation: unknown) => check(expectation).map(({ severity, detail }) => `${severity} ${detail}`);

const request = { scopes: ["authentication"], countries: ["KP", "IR"] };
const valid = {
  name: "sanctions",
  outcome: "blocked",
  request: [request],
  except: [{ ip_cidrs: ["198.51.100.0/24"] }],
};
const limit = (policy: object) => ({ name: "a", policy: { at_most: 1, ...policy } });

test.each<[string, unknown]>([
  ["a statement about requests", [valid]],
  ["unknown values", [{ name: unknown, outcome: unknown, severity: unknown, request: [{ asns: [unknown] }] }]],
  ["unknown requests", [{ name: "blocks", outcome: "blocked", request: unknown, except: unknown }]],
  ["unknown expectations", unknown],
])("accepts %s", (_what, expectations) => expect(said(expectations)).toEqual([]));

test.each<[string, object, string]>([
  ["a curated list", { ...valid, request: [{ managed: ["auth0.later"] }] }, 'the curated list "auth0.later"'],
  ["a selector", limit({ consumer: "client", consumer_selector: "partners" }), 'the `consumer_selector` "partners"'],
  ["a block with host bits", { ...valid, request: [{ ip_cidrs: ["203.0.113.7/24"] }] }, "means all 256 addresses"],
])("warns of %s", (_what, one, words) => {
  expect(said([one])).toEqual([expect.stringMatching(/^2 /)]);
  expect(said([one])[0]).toContain(words);
});

test("refuses what the reader refuses, and two expectations with one name", () => {
  expect(said([{ ...valid, outcome: "block" }])).toEqual([
    expect.stringMatching(/^1 expectation\[0\] \("sanctions"\): outcome is "block": "blocked" is probably meant/),
  ]);
  expect(said([valid, valid])).toEqual([
    expect.stringMatching(/`expectation\[1\]\.name` is "sanctions", the name of an/),
  ]);
});

test("registers each part under the name of its definition", async () => {
  const { resources, dataSources, lists } = tenantProvider("0.0.0-test", {});
  for (const parts of [resources, dataSources, lists!]) {
    const names = Object.keys(parts);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect((await parts[name]!()).definition.name).toBe(name);
  }
});

const { warnings } = tenantProvider("1.0.0", {});
const warningsAfter = (waitedMs: number, longestWaitMs: number) =>
  warnings!({ tenant: { usage: () => ({ waitedMs, longestWaitMs }) } } as unknown as Client);

test("warns after API calls waited 30 s in total, with the sum and the longest wait", () => {
  expect(warningsAfter(29_999, 29_999)).toEqual([]);
  expect(warningsAfter(37_400, 5_100)).toEqual([
    {
      severity: "warning",
      code: "TNF-QUOTA-WAITED",
      detail:
        "API calls waited 37 s in total for the quota, and one of them 6 s. The tenant's quota is small for this stack, or other clients " +
        "use it. TF_LOG_PROVIDER=info logs each wait.",
    },
  ]);
});

const credentials = { client_id: "id", client_secret: "secret" };
const connect = (located: object, allowed_domains: unknown, environment = {}) =>
  connectionFrom({ ...credentials, ...located, allowed_domains } as never, environment);

test.each([
  [{ domain: "acme.eu.auth0.com" }, ["acme.eu.auth0.com"]],
  [{ domain: "ACME.EU.Auth0.com" }, ["other.example", "acme.eu.auth0.com."]],
  [{ domain: "acme.eu.auth0.com" }, ["*.auth0.com"]],
  [{ endpoint: "https://login.example.com/base" }, ["*.Example.com"]],
  [{ endpoint: "http://127.0.0.1:4010" }, ["localhost"]],
  [{ endpoint: "http://[::1]:4010" }, ["localhost:4010"]],
  [{ endpoint: "http://[::1]:4010" }, ["[::1]:4010"]],
  [{ domain: "acme.example.com" }, ["acme.example.com:443"]],
  [{ domain: "acme.example.com" }, ["*.example.com:00443"]],
  [{ endpoint: "https://acme.example.com:443" }, ["acme.example.com:443"]],
  [{ endpoint: "https://acme.example.com:8443" }, ["acme.example.com"]],
  [{ endpoint: "http://localhost" }, ["localhost:80"]],
])("allows %j under %j", (located, patterns) => expect(connect(located, patterns)).toBeDefined());

test.each([
  [{ domain: "acme.eu.auth0.com" }, []],
  [{ domain: "acme.eu.auth0.com" }, ["auth0.com"]],
  [{ domain: "example.com" }, ["*.example.com"]],
  [{ domain: "evil-example.com" }, ["*.example.com"]],
  [{ domain: "acme.example.com.evil.example" }, ["*.example.com", "acme.example.com"]],
  [{ endpoint: "http://127.0.0.1:4010" }, ["localhost:4011"]],
  [{ endpoint: "https://acme.example.com:8443" }, ["acme.example.com:443", "*.example.com:443"]],
  [{ domain: "acme.example.com:8443" }, ["acme.example.com:443"]],
  [{ endpoint: "http://localhost" }, ["localhost:443"]],
  [{ domain: "acme.example.com" }, ["https://acme.example.com", "*", "*.", "a*.example.com"]],
])("refuses %j under %j", (located, patterns) => {
  expect(() => connect(located, patterns)).toThrow(/The tenant is not allowed.*has (only|no entry)/s);
});

test.each(["a.example:99999", "a.example:0", "a.example:", "[::1", "a:b:c", "https://a.example"])(
  "names no domain: %s",
  (pattern) => expect(domainPattern(pattern)).toBeUndefined(),
);

test.each([
  { domain: "acme.example.com:99999" },
  { domain: "acme.example.com:0" },
  { endpoint: "https://a.example:0" },
])("refuses an impossible port in %j", (located) =>
  expect(() => connect(located, undefined)).toThrow(/^Invalid (domain|endpoint)|: give the/),
);

test("counts for a domain of the environment, and the environment cannot change it", () => {
  const environment = { TENANT_DOMAIN: "production.example" };
  expect(() => connect({}, ["staging.example"], { ...environment, TENANT_ALLOWED_DOMAINS: "*.example" })).toThrow(
    '`TENANT_ALLOWED_DOMAINS` is "*.example", but the environment cannot set `allowed_domains`',
  );
  expect(() => connect({}, ["staging.example"], environment)).toThrow(
    'The tenant is "production.example", but `allowed_domains` has only "staging.example"',
  );
});

test("makes no connection while a needed entry is unknown", () => {
  expect(connect({ domain: "a.example" }, unknown)).toBeUndefined();
  expect(connect({ domain: "a.example" }, ["b.example", unknown])).toBeUndefined();
  expect(connect({ domain: "a.example" }, ["a.example", unknown])).toBeDefined();
});

test("refuses a plan before the first API call, also before that for a token", async () => {
  const workspace = await openWorkspace();
  const allow = (domain: string) =>
    workspace.write(`provider "tenant" {\n allowed_domains = ["${domain}"]\n}\ndata "tenant_network_acls" "all" {}\n`);
  await allow("*.example.com");
  expect(await workspace.refused("plan")).toContain("tenant is not allowed");
  await allow("https://example.com");
  expect(await workspace.refused("plan")).toContain("give a host name, such as");
  expect(workspace.emulator.requests).toEqual([]);
  await allow("localhost");
  await workspace.plan();
});
