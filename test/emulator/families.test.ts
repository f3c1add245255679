/** What each family of the management API answers to valid requests, in the recorded forms. refusals.test.ts has the rest. */
import { createHash } from "node:crypto";
import { createTenant, requestToken, root, send, type Tenant } from "./client";

const rule = { scope: "tenant", action: { block: true }, match: { geo_country_codes: ["UK"], asns: [64496] } };
const acl = { description: "no robots", active: true, rule };
const policy = {
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: "client_id:abc",
  configuration: { redirect_uri: "https://a.example/", action: "redirect", limit: 0 },
};
const form = { "content-type": "application/x-www-form-urlencoded" };

let tenant: Tenant;
beforeEach(async () => void (tenant = await createTenant()));

const gone = async (path: string) => expect((await tenant.call("GET", path)).status).toBe(404);

describe("network ACLs", () => {
  test("from creation to deletion", async () => {
    const created = await tenant.call("POST", "/network-acls", acl);
    expect(created.status).toBe(201);
    const names = ["description", "active", "priority", "rule", "created_at", "updated_at", "id"];
    expect(Object.keys(created.body)).toEqual(names);
    expect(created.text).toContain(
      '"rule":{"match":{"asns":[64496],"geo_country_codes":["UK"]},"scope":"tenant","action":{"block":true}}',
    );
    const { id } = created.body;
    expect(id).toMatch(/^acl_[1-9A-HJ-NP-Za-km-z]{22}$/);
    expect(created.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const path = `/network-acls/${id}`;
    const full = { ...created.body, tenant_id: expect.any(String), deleted_at: null };
    expect((await tenant.call("GET", path)).body).toEqual(full);
    const patched = await tenant.call("PATCH", path, { priority: 7, rule: { ...rule, not_match: { asns: [1] } } });
    expect(patched.body).toMatchObject({ description: "no robots", priority: 7, rule: { not_match: { asns: [1] } } });
    expect((await tenant.call("PATCH", path, { rule })).body.rule).toEqual(rule);
    const put = await tenant.call("PUT", path, { ...acl, active: false });
    expect(put.body).toMatchObject({ active: false, priority: 50, created_at: created.body.created_at });
    expect(Date.parse(put.body.updated_at)).toBeGreaterThanOrEqual(Date.parse(created.body.updated_at));
    const deleted = await tenant.call("DELETE", path);
    expect([deleted.status, deleted.text]).toEqual([200, '{"code":204,"object":""}']);
    await gone(path);
  });

  test("return every value as it was sent, with the keys in the order of the service", async () => {
    const match = {
      ipv4_cidrs: ["10.1.2.3/8", "10.0.0.1"],
      ipv6_cidrs: ["2001:0DB8:0000:0000:0000:0000:0000:0001/32", "::1"],
      geo_country_codes: ["UK", "de"],
      http_message_signature: { keys: [{ id: "k1" }, { id: "k2" }] },
    };
    const odd = {
      scope: "authentication",
      match,
      not_match: { ipv4_cidrs: ["10.1.2.3"], hostnames: ["WWW.Example.COM"] },
      action: { redirect_uri: "not even a url", redirect: true },
    };
    const { body } = await tenant.call("POST", "/network-acls", { ...acl, rule: odd });
    expect(JSON.stringify((await tenant.call("GET", `/network-acls/${body.id}`)).body.rule)).toBe(
      JSON.stringify({
        match,
        scope: "authentication",
        action: { redirect: true, redirect_uri: "not even a url" },
        not_match: { hostnames: ["WWW.Example.COM"], ipv4_cidrs: ["10.1.2.3"] },
      }),
    );
  });

  test("keep their own priority, and take one that is free again", async () => {
    const first = await tenant.call("POST", "/network-acls", { ...acl, priority: 1 });
    const path = `/network-acls/${(await tenant.call("POST", "/network-acls", acl)).body.id}`;
    expect((await tenant.call("PATCH", path, { priority: 50 })).status).toBe(200);
    await tenant.call("DELETE", `/network-acls/${first.body.id}`);
    expect((await tenant.call("PATCH", path, { priority: 1 })).status).toBe(200);
  });

  test("are listed by page, with and without totals", async () => {
    for (let priority = 1; priority <= 7; priority++) {
      await tenant.call("POST", "/network-acls", { ...acl, description: String(priority), priority });
    }
    const names = (list: { description: string }[]) => list.map(({ description }) => description).join("");
    expect(names((await tenant.call("GET", "/network-acls")).body)).toBe("1234567");
    expect(names((await tenant.call("GET", "/network-acls?per_page=3&page=2")).body)).toBe("7");
    expect((await tenant.call("GET", "/network-acls?include_totals=false&page=9")).body).toEqual([]);
    const { body } = await tenant.call("GET", "/network-acls?include_totals=true&per_page=3&page=1");
    expect([body.total, body.start, body.limit, names(body.network_acls)]).toEqual([7, 3, 3, "456"]);
  });

  test("are read from a form with nested names as from the same JSON", async () => {
    const { body } = await tenant.call("POST", "/network-acls", acl);
    const names =
      "description=by+form&active=false&rule[scope]=management&rule[action][log]=true&rule[match][asns][]=1";
    const put = await tenant.call("PUT", `/network-acls/${body.id}`, `${names}&rule[match][asns][]=2`, form);
    const read = { scope: "management", action: { log: true }, match: { asns: [1, 2] } };
    expect(put.body).toMatchObject({ description: "by form", active: false, rule: read });
    const patch = await tenant.call("PATCH", `/network-acls/${body.id}`, "active=maybe", form);
    expect(patch.body.message).toMatch(/Expected type boolean but found type string/);
  });
});

describe("rate limit policies", () => {
  const create = (consumer_selector: string) =>
    tenant.call("POST", "/rate-limit-policies", { ...policy, consumer_selector });

  test("from creation to deletion", async () => {
    const created = await tenant.call("POST", "/rate-limit-policies", policy);
    expect(created.status).toBe(201);
    const names = ["id", "resource", "consumer", "consumer_selector", "configuration", "created_at", "updated_at"];
    expect(Object.keys(created.body)).toEqual(names);
    expect(Object.keys(created.body.configuration)).toEqual(["limit", "action", "redirect_uri"]);
    expect(created.body.id).toMatch(/^rlp_\w{21}$/);
    const path = `/rate-limit-policies/${created.body.id}`;
    expect((await tenant.call("GET", path)).body).toEqual(created.body);
    const configuration = { action: "allow" };
    const patched = await tenant.call("PATCH", path, { configuration });
    expect(patched.body).toEqual({ ...created.body, configuration, updated_at: expect.any(String) });
    const deleted = await tenant.call("DELETE", path);
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    await gone(path);
  });

  test.each([
    ["2026-08-01T10:20:30.5Z", /^2026-08-01T10:20:30\.5Z$/, /^2026-08-01T10:20:30\.500001Z$/],
    ["2026-08-01T10:20:30Z", /^2026-08-01T10:20:30Z$/, /^2026-08-01T10:20:30\.000001Z$/],
  ])("made at %s have times with up to six decimals and no trailing zeros", async (moment, first, second) => {
    tenant = await createTenant({ now: () => Date.parse(moment) });
    expect((await create("default")).body.created_at).toMatch(first);
    expect((await create("cimd_clients")).body.created_at).toMatch(second);
  });

  test("are listed by cursor, without next on the last page, even if one is deleted in between", async () => {
    for (let n = 1; n <= 5; n++) await create(`client_id:${n}`);
    const list = async (query: string) => {
      const { body } = await tenant.call("GET", `/rate-limit-policies?${query}`);
      const found: (typeof policy)[] = body.rate_limit_policies;
      return { body, found: found.map((one) => one.consumer_selector.slice(10)).join("") };
    };
    const first = await list("take=2");
    await tenant.call("DELETE", `/rate-limit-policies/${first.body.rate_limit_policies[1].id}`);
    const second = await list(`take=2&from=${first.body.next}`);
    const third = await list(`take=2&from=${second.body.next}`);
    expect([first.found, second.found, third.found]).toEqual(["12", "34", "5"]);
    expect(third.body).not.toHaveProperty("next");
    expect((await list("consumer=client&consumer_selector=client_id%3A4")).found).toBe("4");
  });
});

describe("keys of network ACLs", () => {
  const flags = ["tenant_acl_hmac_signature", "tenant_acl_match_all"] as const;
  const value = Buffer.alloc(64, 7).toString("base64");
  const key = (name: string, bytes = value) => ({ name, alg: "hmac-sha256", value: bytes });

  test("from creation to deletion, which no rule prevents any more, and the value is never returned", async () => {
    tenant = await createTenant({ flags });
    const { status, body } = await tenant.call("POST", "/keys/network-acls", key("edge", value.replace(/=+$/, "")));
    const fingerprint = createHash("sha256").update(Buffer.from(value, "base64")).digest("hex");
    const fields = { id: expect.stringMatching(/^key_/), name: "edge", alg: "hmac-sha256", fingerprint };
    expect([status, body]).toEqual([201, { ...body, ...fields }]);
    const path = `/keys/network-acls/${body.id}`;
    expect((await tenant.call("GET", path)).body).toEqual(body);
    expect((await tenant.call("GET", "/keys/network-acls")).body).toEqual({ keys: [body] });
    expect(JSON.stringify([tenant.snapshot(), tenant.requests, body])).not.toContain(value.replace(/=+$/, ""));
    const signed = { ...rule, not_match: { http_message_signature: { keys: [{ id: body.id }] } } };
    const { id } = (await tenant.call("POST", "/network-acls", { ...acl, rule: signed })).body;
    expect((await tenant.call("DELETE", path)).status).toBe(409);
    await tenant.call("DELETE", `/network-acls/${id}`);
    expect((await tenant.call("DELETE", path)).status).toBe(204);
    await gone(path);
  });

  test("are ten at most, and need the flag of the tenant", async () => {
    tenant = await createTenant({ flags });
    const create = async (name: string) => (await tenant.call("POST", "/keys/network-acls", key(name))).status;
    for (let n = 0; n < 10; n++) expect(await create(String(n))).toBe(201);
    expect([await create("10"), await create("9")]).toEqual([403, 409]);
    const bare = await createTenant();
    expect((await bare.call("GET", "/keys/network-acls")).body.message).toMatch(/^Insufficient scope/);
    const claims = { iss: `${root}/`, aud: `${root}/api/v2/`, azp: bare.clientId, exp: Date.now() };
    const token = await bare.tokens.sign({ ...claims, scope: "read:network_acl_keys" });
    const headers = { authorization: `Bearer ${token}` };
    expect((await send(bare, "GET", "/api/v2/keys/network-acls", { headers })).body.errorCode).toBe(
      "feature_not_enabled",
    );
  });

  test("match_all is only true, stands alone, and matches every request of its scope", async () => {
    tenant = await createTenant({ flags, enforce: true });
    const all = { scope: "authentication", action: { block: true }, match_all: true };
    const { body } = await tenant.call("POST", "/network-acls", { ...acl, rule: all });
    expect(body.rule).toEqual(all);
    for (const more of [{ match: { asns: [1] } }, { not_match: { asns: [1] } }, { match_all: false }]) {
      for (const method of ["PUT", "PATCH"]) {
        const sent = { ...acl, rule: { ...all, ...more } };
        expect((await tenant.call(method, `/network-acls/${body.id}`, sent)).status).toBe(400);
      }
    }
    expect((await tenant.call("GET", "/network-acls")).status).toBe(200);
    expect((await requestToken(tenant)).status).toBe(403);
  });
});

describe("organizations and users", () => {
  test("from creation to deletion, with the memberships", async () => {
    const created = await tenant.call("POST", "/organizations", { name: "acme", metadata: { a: "b" } });
    const id = expect.stringMatching(/^org_[0-9A-Za-z]{16}$/);
    expect([created.status, created.body]).toEqual([
      201,
      { id, name: "acme", display_name: "acme", metadata: { a: "b" } },
    ]);
    const path = `/organizations/${created.body.id}`;
    await tenant.call("POST", `${path}/members`, { members: ["auth0|a"] });
    const patched = await tenant.call("PATCH", path, { name: "acme", display_name: "Acme" });
    expect(patched.body).toEqual({ ...created.body, display_name: "Acme" });
    expect((await tenant.call("GET", path)).body).toEqual(patched.body);
    expect((await tenant.call("GET", `${path}/members`)).body).toHaveLength(1);
    expect((await tenant.call("DELETE", path)).status).toBe(204);
    await gone(`${path}/members`);
  });

  test("are listed by offset and by checkpoint, even if the one at the checkpoint is deleted", async () => {
    const made = Array.from({ length: 9 }, (_, n) => tenant.store.addOrganization({ name: `o${n}` }).id);
    const names = (list: { name: string }[]) => list.map(({ name }) => name);
    expect(names((await tenant.call("GET", "/organizations?per_page=2&page=1")).body)).toEqual(["o2", "o3"]);
    const totals = await tenant.call("GET", "/organizations?include_totals=true&per_page=2");
    expect(totals.body).toMatchObject({ start: 0, limit: 2, total: 9 });
    const seen: string[] = [];
    for (let from: string | undefined = ""; from !== undefined;) {
      const { body } = await tenant.call("GET", `/organizations?take=2${from && `&from=${from}`}`);
      const ids: string[] = body.organizations.map(({ id }: { id: string }) => id);
      seen.push(...ids);
      await tenant.call("DELETE", `/organizations/${ids.at(-1)}`);
      from = body.next;
    }
    expect(seen.toSorted()).toEqual(made.toSorted());
  });

  test("a user is created and read without the password, and deleted twice", async () => {
    const fields = {
      connection: "Users",
      email: "jo@a.example",
      password: "secret",
      verify_email: true,
      user_id: "jo",
    };
    const created = await tenant.call("POST", "/users", fields);
    expect([created.status, created.body]).toMatchObject([201, { user_id: "auth0|jo", name: "jo@a.example" }]);
    expect(created.text).not.toMatch(/secret|verify_email/);
    const path = "/users/auth0%7Cjo";
    expect((await tenant.call("GET", path)).body).toEqual(created.body);
    expect([(await tenant.call("DELETE", path)).status, (await tenant.call("DELETE", path)).status]).toEqual([
      204, 204,
    ]);
    await gone(path);
  });
});
