/** `allowed_domains` keeps a configuration away from all other tenants. */
import { unknown } from "../../../../src/formats/cty/value";
import { connectionFrom } from "../../../../src/provider/resources/provider-block/connection";
import { domainPattern } from "../../../../src/provider/resources/provider-block/root";
import { openWorkspace, unwrapped } from "../../../support/workspace";

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
])("allows %j under %j", (located, patterns) => {
  expect(connect(located, patterns)).toBeDefined();
});

test.each([
  [{ domain: "acme.eu.auth0.com" }, []],
  [{ domain: "acme.eu.auth0.com" }, ["auth0.com"]],
  [{ domain: "example.com" }, ["*.example.com"]],
  [{ domain: "evil-example.com" }, ["*.example.com"]],
  [{ domain: "acme.example.com.evil.example" }, ["*.example.com", "acme.example.com"]],
  [{ endpoint: "https://acme.example.com@evil.example" }, ["acme.example.com"]],
  [{ endpoint: "http://127.0.0.1:4010" }, ["localhost:4011"]],
  [{ endpoint: "https://acme.example.com:8443" }, ["acme.example.com:443", "*.example.com:443"]],
  [{ domain: "acme.example.com:8443" }, ["acme.example.com:443"]],
  [{ endpoint: "http://localhost" }, ["localhost:443"]],
  [{ domain: "acme.example.com" }, ["https://acme.example.com", "*", "*.", "a*.example.com"]],
])("refuses %j under %j", (located, patterns) => {
  expect(() => connect(located, patterns)).toThrow("The tenant is not allowed");
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
  const environment = { TENANT_DOMAIN: "production.example", TENANT_ALLOWED_DOMAINS: "production.example" };
  expect(() => connect({}, ["staging.example"], environment)).toThrow(
    'names the tenant "production.example", but `allowed_domains` has only "staging.example"',
  );
});

test("makes no connection while a needed entry is unknown", () => {
  expect(connect({ domain: "a.example" }, unknown)).toBeUndefined();
  expect(connect({ domain: "a.example" }, ["b.example", unknown])).toBeUndefined();
  expect(connect({ domain: "a.example" }, ["a.example", unknown])).toBeDefined();
});

test("refuses a plan before the first API call, also before that for a token", async () => {
  const workspace = await openWorkspace();
  const plan = async (allowed: string) => {
    await workspace.write(
      `provider "tenant" {\n  allowed_domains = ["${allowed}"]\n}\ndata "tenant_network_acls" "all" {}\n`,
    );
    return workspace.terraform("plan");
  };
  try {
    const refused = await plan("*.example.com");
    expect([refused.code, unwrapped(refused.stderr)]).toEqual([
      1,
      expect.stringContaining("The tenant is not allowed"),
    ]);
    expect(unwrapped((await plan("https://example.com")).stderr)).toContain("give a host name, such as");
    expect(workspace.emulator.requests).toEqual([]);
    expect(await plan("localhost")).toMatchObject({ code: 0 });
  } finally {
    await workspace.close();
  }
});
