/** Enforcement of network ACLs, compared with the impact analysis of plans; the way back into a tenant that locks everybody out. */
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { operations } from "../../src/emulator/api/families";
import type { NetworkAcl } from "../../src/emulator/api/network-acls";
import { decide } from "../../src/emulator/enforcement/decide";
import { parseOrigin } from "../../src/emulator/enforcement/origin";
import { type Acl, apiOf, decide as judge } from "../../src/judge/access/access";
import fc from "../support/random";
import { expectSeen } from "../support/seed";
import { createTenant, read, requestToken, root, send, type Tenant } from "./client";

const rule = { scope: "management", action: { block: true }, match: { geo_country_codes: ["DE"] } };
const from = (spelled: string) => ({ "x-tenantform-origin": spelled });

async function enforcing(given: object, more: object = {}) {
  const tenant = await createTenant({ enforce: true });
  const created = await tenant.call("POST", "/network-acls", { description: "d", active: true, rule: given, ...more });
  expect(created.status).toBe(201);
  return { tenant, id: created.body.id as string };
}

test("refuses a blocked request, logs it, and leaves the tenant unchanged", async () => {
  const { tenant, id } = await enforcing(rule);
  const blocked = await tenant.call("DELETE", `/network-acls/${id}`, undefined, from("country=de"));
  expect([blocked.status, blocked.body.error]).toEqual([403, "Forbidden"]);
  expect(tenant.requests.at(-1)).toMatchObject({ status: 403, acl: `blocked by ${id}` });
  expect((await tenant.call("GET", "/network-acls", undefined, from("country=FR"))).status).toBe(200);
  expect((await requestToken(tenant)).status).toBe(200);
  expect((await tenant.call("DELETE", `/network-acls/${id}`)).status).toBe(200);
  const everybody = { scope: "authentication", action: { block: true }, match: { ipv4_cidrs: ["0.0.0.0/0"] } };
  const token = await requestToken((await enforcing(everybody)).tenant);
  expect([token.status, token.body.error]).toEqual([403, "access_denied"]);
});

test.each([
  ["https://a.example/ü \n", "https://a.example/%C3%BC%20%0A"],
  ["https://a.example/?reason=no%20access&a=%252f", "https://a.example/?reason=no%20access&a=%252f"],
  ["https://a.example/100%?b=%zz", "https://a.example/100%25?b=%25zz"],
])("redirects to %j and keeps existing escapes", async (redirect_uri, location) => {
  const { tenant } = await enforcing({
    scope: "authentication",
    action: { redirect: true, redirect_uri },
    match: { ipv4_cidrs: ["0.0.0.0/0"] },
  });
  const moved = await send(tenant, "GET", "/authorize");
  expect([moved.status, moved.headers.get("location")]).toEqual([302, location]);
});

test("logs a request and evaluates the next ACL", async () => {
  const { tenant, id } = await enforcing({ ...rule, action: { log: true } }, { priority: 1 });
  const { body } = await tenant.call("POST", "/network-acls", { description: "", active: true, priority: 2, rule });
  expect((await tenant.call("GET", "/network-acls", undefined, from("country=DE"))).status).toBe(403);
  expect(tenant.requests.at(-1)!.acl).toBe(`logged by ${id}, blocked by ${body.id}`);
});

test("lets a locked-out client in again after a reset, and blocks nothing without enforcement", async () => {
  const { tenant } = await enforcing({ ...rule, match: { ipv4_cidrs: ["127.0.0.0/8"] } });
  expect((await tenant.call("GET", "/network-acls")).status).toBe(403);
  tenant.reset();
  expect((await tenant.call("GET", "/network-acls")).status).toBe(200);
  const lax = await createTenant();
  lax.store.networkAcls.put((await enforcing(rule)).tenant.store.networkAcls.values()[0]!);
  expect((await lax.call("GET", "/network-acls", undefined, from("country=DE"))).status).toBe(200);
});

test("uses the user agent and host name of the request if its origin states none", async () => {
  const { tenant } = await enforcing({ ...rule, match: { user_agents: ["bad; bot"], hostnames: ["LOCALHOST"] } });
  const ask = (headers: Record<string, string>, host = "localhost") =>
    tenant.fetch(new Request(`http://${host}/api/v2/network-acls`, { headers })).then(({ status }) => status);
  expect(await ask({ "user-agent": "bad; bot" })).toBe(403);
  expect(await ask({ "user-agent": "good" })).toBe(401);
  expect(await ask({ "user-agent": "bad; bot" }, "127.0.0.1")).toBe(401);
  expect(await ask({ "user-agent": "good", ...from('user_agent="bad; bot"') })).toBe(403);
  expect(await ask({ "user-agent": "bad; bot", ...from("hostname=a.example") })).toBe(401);
});

test.each([
  "ip=x",
  "country=Germany",
  "ja3=x",
  "hostname=a/b",
  "land=DE",
  "country",
  "country=DE;;",
  'user_agent="a',
  "ip=1.2.3.4/8",
  "ip=fe80::1%eth0",
])("refuses the origin %j and names the problem", async (origin) => {
  const tenant = await createTenant({ enforce: true });
  const response = await tenant.call("GET", "/network-acls", undefined, from(origin));
  expect([response.status, response.body.message]).toEqual([400, expect.stringContaining("x-tenantform-origin")]);
});

test.each([
  "203.0.113.7",
  "::ffff:203.0.113.7",
  "::FFFF:cb00:7107",
  "0:0:0:0:0:ffff:cb00:7107",
  "0000:0000:0000:0000:0000:ffff:203.0.113.7",
])("blocks an IPv4 address that is written %s", async (ip) => {
  const { tenant } = await enforcing({ ...rule, match: { ipv4_cidrs: ["203.0.113.0/24"] } });
  expect((await tenant.call("GET", "/network-acls", undefined, from(`ip=${ip}`))).status).toBe(403);
  expect((await tenant.call("GET", "/network-acls", undefined, from("ip=::cb00:7107"))).status).toBe(200);
});

test("parses an origin with and without quotes", () => {
  const value = fc.string({ unit: "grapheme-ascii" });
  fc.assert(
    fc.property(value, (agent) => {
      const quoted = `"${agent.replace(/["\\]/g, "\\$&")}"`;
      expect(parseOrigin(`country=DE; user_agent=${quoted} ;asn=1`)).toEqual({
        country: "DE",
        user_agent: agent,
        asn: "1",
      });
    }),
  );
});

/** Sends a request target as written, which `fetch` would normalize. */
function raw(port: number, target: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", path: target, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode!));
    });
    sent.on("error", reject).end();
  });
}

const everyCharacter = (path: string) =>
  path.replace(/[^/]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
const spellings = `
  /%61pi/v2/network-acls /%61%70%69/%76%32/network-acls /api/v2/network%2Dacls /api/v2/network%2dacls?per_page=5
  /./api/v2/network-acls /%2e/api/v2/network-acls /x/../api/v2/network-acls /x/%2E%2e/api/v2/network-acls
  /x/.%2e/%61pi/v2/network-acls ${everyCharacter("/api/v2/network-acls")}`;
const others = `
  /%2561pi/v2/network-acls /%25%36%31pi/v2/network-acls //api/v2/network-acls /api//v2/network-acls
  /api%2Fv2/network-acls /api%5cv2/network-acls /API/V2/network-acls /api;x=1/v2/network-acls /api/v2;x/network-acls
  /api/v2/network-acls/ /api%00/v2/network-acls /api/v2%20/network-acls /\uff41pi/v2/network-acls`;
const paths = (text: string) => text.trim().split(/\s+/);

test("blocks every spelling of a path that the service serves, and serves no other", async () => {
  const { tenant } = await enforcing(rule);
  const { port, url, close } = await tenant.listen();
  const headers = { authorization: `Bearer ${tenant.token}` };
  const absolute = ["/api/v2/network-acls", "/%61pi/v2/network-acls"].map((path) => url + path);
  for (const target of [...paths(spellings), ...absolute]) {
    expect([target, await raw(port, target, headers)]).toEqual([target, 200]);
    expect([target, await raw(port, target, { ...headers, ...from("country=DE") })]).toEqual([target, 403]);
    expect(tenant.requests.at(-1)!.path).toBe("/api/v2/network-acls");
  }
  for (const target of paths(others)
    .map(encodeURI)
    .map((path) => path.replace(/%25(?=[\da-f]{2})/gi, "%"))) {
    const known = [403, 404];
    expect(known).toContain(await raw(port, target, { ...headers, ...from("country=DE") }));
    expect([target, await raw(port, target, headers)]).toEqual([target, 404]);
  }
  await close();
});

test.each(["/api/v2/%", "/api/v2/%zz", "/%6/v2", "/api/v2/network-acls/%ff", "/_tenantform/%c3%28"])(
  "refuses the path %s, whose encoding is none",
  async (target) => {
    const tenant = await createTenant({ enforce: true });
    const { port, close } = await tenant.listen();
    expect(await raw(port, target, {})).toBe(400);
    await close();
  },
);

test("decodes an id in a path once", async () => {
  const tenant = await createTenant({ seed: { users: [{ user_id: "auth0|a" }, { user_id: "auth0|%7C" }] } });
  const readUser = async (encoded: string) => (await tenant.call("GET", `/users/${encoded}`)).body.user_id;
  for (const encoded of ["auth0%7Ca", "auth0%7ca", "%61uth0%7C%61", "auth0|a"])
    expect(await readUser(encoded)).toBe("auth0|a");
  expect(await readUser("auth0%7C%257C")).toBe("auth0|%7C");
});

const octet = fc.constantFrom(0, 1, 127, 128, 255);
const address4 = fc.tuple(octet, octet, octet, octet).map((parts) => parts.join("."));
const address6 = fc.constantFrom("::1", "2001:db8::1", "2001:DB8:0::1", "2001:db8:8000::", "fe80::1", "ff00::");
const block = (address: fc.Arbitrary<string>, bits: number) =>
  fc.oneof(
    address,
    fc.tuple(address, fc.integer({ min: 0, max: bits })).map(([first, length]) => `${first}/${length}`),
  );
const listOf = (entry: fc.Arbitrary<unknown>) => fc.array(entry, { minLength: 1, maxLength: 3 });
const words = {
  asn: fc.constantFrom(1, 2, 64500),
  country: fc.constantFrom("DE", "FR", "UK"),
  subdivision: fc.constantFrom("DE-BE", "US-CA"),
  agent: fc.constantFrom("curl/8", "Mozilla", "x"),
  host: fc.constantFrom("a.example", "A.example", "b.example."),
  print: fc.constantFrom("aa", "bb"),
  managed: fc.constantFrom("auth0.tor", "auth0.vpn"),
  key: fc.constantFrom("key_1", "key_2"),
};
const criteria = fc.record(
  {
    asns: listOf(words.asn),
    geo_country_codes: listOf(words.country),
    geo_subdivision_codes: listOf(words.subdivision),
    ipv4_cidrs: listOf(block(address4, 32)),
    ipv6_cidrs: listOf(block(address6, 128)),
    ja3_fingerprints: listOf(words.print),
    ja4_fingerprints: listOf(words.print),
    user_agents: listOf(words.agent),
    hostnames: listOf(words.host),
    connecting_ipv4_cidrs: listOf(block(address4, 32)),
    connecting_ipv6_cidrs: listOf(block(address6, 128)),
    auth0_managed: listOf(words.managed),
    http_message_signature: fc.record({ keys: listOf(fc.record({ id: words.key })) }),
  },
  { requiredKeys: [] },
);
const some = criteria.filter((match) => Object.keys(match).length > 0);
const action = fc.constantFrom({ block: true }, { allow: true }, { log: true }, { redirect: true, redirect_uri: "/" });
const scope = fc.constantFrom("management", "authentication", "tenant", "dynamic_client_registration");
const acl = fc.record({
  active: fc.boolean(),
  rule: fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({ action, scope, match: some, not_match: some }, { requiredKeys: ["action", "scope"] }),
    },
    { weight: 1, arbitrary: fc.record({ action, scope, match_all: fc.constant(true) }) },
  ),
});
const origins = fc.record({
  ip: fc.oneof(address4, address6),
  connecting_ip: fc.oneof(address4, address6),
  asn: words.asn,
  // Auth0 takes "UK" in a list, but finds "GB" for a request.
  country: fc.constantFrom("DE", "FR", "GB"),
  subdivision: words.subdivision,
  user_agent: words.agent,
  hostname: words.host,
  ja3: words.print,
  ja4: words.print,
  managed: fc.uniqueArray(words.managed),
  signature_key: fc.oneof(words.key, fc.constant("")),
});
const path = fc.constantFrom("/api/v2/users", "/scim/v2", "/oauth/token", "/oidc/register", "/api/v2", "/api/v3", "/");

test("has the outcome of the impact analysis wherever that analysis is certain", () => {
  let certain = 0;
  fc.assert(
    fc.property(fc.array(acl, { minLength: 1, maxLength: 4 }), origins, path, (lists, known, at) => {
      const acls = lists.map((one, index) => ({ ...one, priority: index + 1, id: `acl_${index}` }));
      const verdict = judge(acls as unknown as Acl[], { ...known, api: apiOf(at) });
      const { asn, signature_key, ...facts } = known;
      const keys = signature_key === "" ? [] : [signature_key];
      const decision = decide(acls as unknown as NetworkAcl[], at, {
        ...facts,
        asn: String(asn),
        signature_keys: keys,
      });
      if (!verdict.certain) return;
      certain++;
      expect(decision.outcome).toBe(verdict.outcome);
      if (verdict.endings.length === 1) expect(decision.by).toBe(verdict.by);
    }),
    { numRuns: 3000 },
  );
  expectSeen(certain, 1500);
});

const control = (tenant: Tenant, method: string, at: string, init: RequestInit = {}) =>
  tenant.fetch(new Request(root + at, { method, ...init })).then(read);

test("unlocks a tenant that locks everybody out, and keeps its contents", async () => {
  const tenant = await createTenant({ enforce: true });
  const wall = { scope: "tenant", action: { block: true }, match: { ipv4_cidrs: ["0.0.0.0/0"] } };
  await tenant.call("POST", "/rate-limit-policies", {
    resource: "oauth_authentication_api",
    consumer: "client",
    consumer_selector: "default",
    configuration: { action: "redirect", limit: 0, redirect_uri: "https://a.example" },
  });
  await tenant.call("POST", "/network-acls", { description: "all", active: true, priority: 7, rule: wall });
  expect((await tenant.call("GET", "/network-acls")).status).toBe(403);
  expect((await control(tenant, "POST", "/_tenantform/unlock")).status).toBe(204);
  expect((await tenant.call("GET", "/network-acls")).body).toMatchObject([
    { description: "all", active: false, rule: wall },
  ]);
  expect((await tenant.call("GET", "/rate-limit-policies")).body).toMatchObject({
    rate_limit_policies: [{ configuration: { action: "log", limit: 0 } }],
  });
});

test.each([["auth0.low_reputation"], ["auth0.icloud_relay_proxy"]])(
  "accepts curated lists in match and not_match, as recorded (%s)",
  async (name) => {
    const tenant = await createTenant();
    const match = { auth0_managed: ["auth0.icloud_relay_proxy"] };
    const both = { scope: "tenant", action: { block: true }, match, not_match: { auth0_managed: [name] } };
    const { status, body } = await tenant.call("POST", "/network-acls", {
      description: "both",
      active: true,
      rule: both,
    });
    expect([status, body.rule]).toEqual([201, both]);
  },
);

test("says that it has no such operation, and its guide lists those that it has", async () => {
  const tenant = await createTenant();
  const message = (begin: string) => ({ status: 404, body: { message: expect.stringContaining(begin) } });
  expect(await tenant.call("GET", "/connections")).toMatchObject(
    message("The embedded tenant has no operation GET /api/v2/connections. Its guide lists"),
  );
  const guide = readFileSync(join(__dirname, "../../docs/guides/embedded-tenant.md"), "utf8");
  const rows = [...guide.matchAll(/^\| `(\/api\/[^`]*)`/gm)].map(([, at]) => at!.replace("{name}", "{id}"));
  const isListed = (at: string) => rows.includes(at) || rows.includes(at.replace(/\/\{id\}$/, ""));
  const own = operations.filter(({ path: at }) => at.startsWith("/api/"));
  expect(own.filter(({ path: at }) => !isListed(at)).map(({ method, path: at }) => `${method} ${at}`)).toEqual([]);
});

test.each([
  ["POST", "https://evil.example", 403],
  ["POST", root, 204],
  ["GET", undefined, 404],
])("responds to %s of the unlock from a page of %s with %d", async (method, origin, status) => {
  const headers = origin === undefined ? undefined : { origin };
  expect((await control(await createTenant(), method, "/_tenantform/unlock", { headers })).status).toBe(status);
});
