/** The provider block and the environment select the tenant and the credentials. */
import { unknown } from "../../../src/cty/value";
import { connectionFrom } from "../../../src/resources/provider-block/connection";
import { openWorkspace, unwrapped } from "../../support/workspace";

const secrets = { client_id: "id", client_secret: "secret" };
const fromSecrets = { kind: "client_secret", clientId: "id", clientSecret: "secret" };

test("prefers the provider block to TENANT_*, and TENANT_* to AUTH0_*", () => {
  expect(connectionFrom({ domain: "a.example", ...secrets }, { TENANT_DOMAIN: "b.example" })).toEqual({
    endpoint: "https://a.example",
    credentials: fromSecrets,
    audience: undefined,
  });
  const names = { DOMAIN: "x.example", CLIENT_ID: "id", CLIENT_SECRET: "secret", AUDIENCE: "urn:api" };
  const prefixed = (prefix: string) =>
    Object.fromEntries(Object.entries(names).map(([name, value]) => [prefix + name, value]));
  for (const prefix of ["TENANT_", "AUTH0_"]) {
    expect(connectionFrom({}, prefixed(prefix))).toEqual({
      endpoint: "https://x.example",
      credentials: fromSecrets,
      audience: "urn:api",
    });
  }
  expect(connectionFrom({}, { ...prefixed("AUTH0_"), TENANT_DOMAIN: "y.example" })?.endpoint).toBe("https://y.example");
});

test("reads an access token from TENANT_ACCESS_TOKEN or AUTH0_API_TOKEN", () => {
  const token = { kind: "access_token", accessToken: "t" };
  expect(connectionFrom({ domain: "a.example" }, { AUTH0_API_TOKEN: "t" })?.credentials).toEqual(token);
  expect(connectionFrom({ domain: "a.example" }, { TENANT_ACCESS_TOKEN: "t" })?.credentials).toEqual(token);
});

test("prefers client credentials of TENANT_* to a token of AUTH0_*, and combines the provider block with TENANT_*", () => {
  const environment = { AUTH0_API_TOKEN: "of another tenant", TENANT_CLIENT_ID: "id", TENANT_CLIENT_SECRET: "secret" };
  expect(connectionFrom({ domain: "a.example" }, environment)?.credentials).toEqual(fromSecrets);
  expect(
    connectionFrom({ domain: "a.example", client_id: "id" }, { TENANT_CLIENT_SECRET: "secret" })?.credentials,
  ).toEqual(fromSecrets);
});

test("with TENANT_EMBEDDED_ENDPOINT, every block reaches that tenant alone", () => {
  const url = "http://127.0.0.1:8080";
  const environment = { TENANT_EMBEDDED_ENDPOINT: url, TENANT_CLIENT_ID: "id", TENANT_CLIENT_SECRET: "secret" };
  for (const block of [
    {},
    { domain: "a.example", access_token: "real", allowed_domains: ["a.example"] },
    { endpoint: "https://a.example" },
    { environment_prefix: "ACME" },
    { environment_prefix: unknown, domain: unknown },
  ] as const) {
    const real = { ACME_TENANT_DOMAIN: "a.example", ACME_TENANT_ACCESS_TOKEN: "real", AUTH0_DOMAIN: "a.example" };
    expect(connectionFrom(block, { ...real, ...environment })).toMatchObject({
      endpoint: url,
      credentials: fromSecrets,
    });
  }
  const elsewhere = { ...environment, TENANT_EMBEDDED_ENDPOINT: "https://a.example" };
  expect(() => connectionFrom({}, elsewhere)).toThrow(
    '`TENANT_EMBEDDED_ENDPOINT` is "https://a.example": give the URL',
  );
});

test("with a prefix, reads only variables that begin with it", () => {
  const environment = {
    ACME_TENANT_DOMAIN: "acme.example",
    ACME_TENANT_CLIENT_ID: "id",
    ACME_TENANT_CLIENT_SECRET: "secret",
    ACME_TENANT_ALLOWED_DOMAINS: "other.example",
    TENANT_AUDIENCE: "urn:other",
    AUTH0_DOMAIN: "other.example",
  };
  expect(connectionFrom({ environment_prefix: "ACME" }, environment)).toMatchObject({
    endpoint: "https://acme.example",
    credentials: fromSecrets,
    audience: undefined,
  });
  const missing = { environment_prefix: "GLOBEX" };
  expect(() => connectionFrom(missing, { ...environment, TENANT_DOMAIN: "other.example" })).toThrow(
    "as GLOBEX_TENANT_DOMAIN (acme.eu.auth0.com)",
  );
  const named = { ...missing, domain: "globex.example" };
  expect(() => connectionFrom(named, { ...environment, TENANT_CLIENT_ID: "a", TENANT_CLIENT_SECRET: "b" })).toThrow(
    /set GLOBEX_TENANT_CLIENT_ID and GLOBEX_TENANT_CLIENT_SECRET in the environment.*variables without the prefix do not count/,
  );
  expect(connectionFrom({ ...named, environment_prefix: unknown }, environment)).toBeUndefined();
});

test("returns no connection while a value is unknown", () => {
  expect(connectionFrom({ domain: unknown, ...secrets }, {})).toBeUndefined();
  expect(connectionFrom({ domain: "a.example", ...secrets, client_secret: unknown }, {})).toBeUndefined();
  expect(connectionFrom({ domain: "a.example", access_token: unknown }, {})).toBeUndefined();
});

test.each([
  [{}, "`domain` is missing"],
  [{ domain: "https://a.example", ...secrets }, '`domain` is "https://a.example": give the bare host name'],
  [{ endpoint: "a.example", ...secrets }, '`endpoint` is "a.example"'],
  [{ endpoint: "http://a.example", ...secrets }, "Plain http works only for a tenant on this machine"],
  [
    { domain: "a.example" },
    "`client_id` and `client_secret` are missing: set TENANT_CLIENT_ID and TENANT_CLIENT_SECRET",
  ],
  [{ domain: "a.example", client_id: "id" }, "`client_secret` is missing: set TENANT_CLIENT_SECRET"],
])("refuses %j with a message", (written, words) => {
  expect(() => connectionFrom(written, {})).toThrow(words);
});

describe("through Terraform", () => {
  const acl = `
    resource "tenant_network_acl" "a" {
      description = "A"
      rule {
        action { block = true }
        match { asns = [1] }
        scope  = "tenant"
      }
    }
  `;

  test("reports missing credentials as one error at the provider block", async () => {
    const workspace = await openWorkspace();
    try {
      delete workspace.environment.TENANT_CLIENT_ID;
      delete workspace.environment.TENANT_CLIENT_SECRET;
      await workspace.write(`provider "tenant" {}\n${acl}`);
      const { code, stderr } = await workspace.terraform("plan");
      expect(code).toBe(1);
      expect(stderr.match(/Error: /g)).toHaveLength(1);
      expect(stderr).toContain('provider "tenant"');
      expect(unwrapped(stderr)).toContain("TENANT_CLIENT_ID and TENANT_CLIENT_SECRET");
    } finally {
      await workspace.close();
    }
  });

  test("plans with an endpoint that is unknown until the apply", async () => {
    const workspace = await openWorkspace();
    try {
      await workspace.write(`
        resource "terraform_data" "tenant" {
          input = ${JSON.stringify(workspace.environment.TENANT_ENDPOINT)}
        }
        provider "tenant" {
          endpoint = terraform_data.tenant.output
        }
        ${acl}
      `);
      delete workspace.environment.TENANT_ENDPOINT;
      expect((await workspace.plan()).changes).toHaveLength(2);
      await workspace.apply();
      expect(workspace.emulator.snapshot().network_acls).toHaveLength(1);
    } finally {
      await workspace.close();
    }
  });
});

describe("a file of PEM text", () => {
  const at = { domain: "a.example", client_id: "id" };
  const pem = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n";
  const read = (path: string) => {
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
    expect(authorityOf({ certificate_authority: "text" })).toBe("text");
    expect(authorityOf({ certificate_authority_file: "/there.pem" })).toBe(pem);
    expect(authorityOf({}, { TENANT_CERTIFICATE_AUTHORITY: "text" })).toBe("text");
    expect(authorityOf({}, { TENANT_CERTIFICATE_AUTHORITY_FILE: "/there.pem" })).toBe(pem);
    expect(connectionFrom({ ...at, client_secret: "s", certificate_authority: unknown }, {})).toBeUndefined();
    expect(() => authorityOf({ certificate_authority_file: "/gone.pem" })).toThrow("certificate_authority_file");
  });
});

test("does not print a password of the endpoint", () => {
  expect(() => connectionFrom({ endpoint: "http://ada:hunter2@a.example", ...secrets }, {})).toThrow(
    '`endpoint` is "http://…@a.example"',
  );
});
