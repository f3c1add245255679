/** The control API and the page, on paths that the service does not have. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { script } from "../../src/emulator/page/page";
import { operations } from "../../src/emulator/api/families";
import { createTenant, read, root, type Tenant } from "./client";

const acl = {
  description: "<script>alert('&')</script>",
  active: true,
  priority: 30,
  rule: {
    scope: "tenant",
    action: { redirect: true, redirect_uri: "https://a.example/" },
    match: { asns: [1, 2, 3, 4, 5, 6] },
  },
};

const control = (tenant: Tenant, method: string, path: string, init: RequestInit = {}) =>
  tenant.fetch(new Request(root + path, { method, ...init })).then(read);
const json = (body: unknown) => ({ body: JSON.stringify(body), headers: { "content-type": "application/json" } });

test("adds, lists and removes faults over HTTP", async () => {
  const tenant = await createTenant();
  const rule = { method: "GET", path: "/api/v2/**", status: 503 };
  expect((await control(tenant, "POST", "/_tenantform/faults", json(rule))).status).toBe(204);
  expect((await control(tenant, "GET", "/_tenantform/faults")).body).toEqual([rule]);
  expect((await tenant.call("GET", "/network-acls")).status).toBe(503);
  expect((await control(tenant, "DELETE", "/_tenantform/faults")).status).toBe(204);
  expect((await tenant.call("GET", "/network-acls")).status).toBe(200);
});

test.each([
  [{ status: 99 }, "Value 99 is less than minimum 200"],
  [{ stauts: 500 }, "Additional properties not allowed: stauts"],
  [{ reset: "now" }, "No enum match for: now"],
  [{ nth: 0 }, "None of the valid schemas were met"],
  [{ status: 500, headers: { "bad name": "x" } }, "bad name"],
])("refuses the fault %j", async (rule, message) => {
  const tenant = await createTenant();
  const response = await control(tenant, "POST", "/_tenantform/faults", json(rule));
  expect([response.status, response.body.message]).toEqual([400, expect.stringContaining(message)]);
  expect(tenant.faults.rules).toEqual([]);
});

test("serves requests, snapshot and reset without faults and without logging them", async () => {
  const tenant = await createTenant({ seed: { organizations: [{ name: "acme" }] } });
  tenant.faults.add({ status: 500, path: "/**" });
  await tenant.call("GET", "/network-acls");
  const requests = (await control(tenant, "GET", "/_tenantform/requests")).body;
  expect(requests.map(({ path, status }: { path: string; status: number }) => [path, status])).toEqual([
    ["/oauth/token", 200],
    ["/api/v2/network-acls", 500],
  ]);
  await control(tenant, "DELETE", "/_tenantform/requests");
  expect(tenant.requests).toEqual([]);
  tenant.store.addOrganization({ name: "more", members: ["auth0|a"] });
  const snapshot = (await control(tenant, "GET", "/_tenantform/snapshot")).body;
  expect(snapshot).toEqual(JSON.parse(JSON.stringify(tenant.snapshot())));
  expect((await control(tenant, "POST", "/_tenantform/reset")).status).toBe(204);
  expect(tenant.store.organizations.values().map(({ name }) => name)).toEqual(["acme"]);
  const again = await createTenant({ seed: snapshot });
  expect(again.snapshot()).toMatchObject({ organizations: snapshot.organizations });
});

test("unlocks a tenant that locks everybody out, and keeps its contents", async () => {
  const tenant = await createTenant({ enforce: true });
  const rule = { scope: "tenant", action: { block: true }, match: { ipv4_cidrs: ["0.0.0.0/0"] } };
  await tenant.call("POST", "/rate-limit-policies", {
    resource: "oauth_authentication_api",
    consumer: "client",
    consumer_selector: "default",
    configuration: { action: "redirect", limit: 0, redirect_uri: "https://a.example" },
  });
  await tenant.call("POST", "/network-acls", { description: "all", active: true, priority: 7, rule });
  expect((await tenant.call("GET", "/network-acls")).status).toBe(403);
  expect((await control(tenant, "POST", "/_tenantform/unlock")).status).toBe(204);
  expect((await tenant.call("GET", "/network-acls")).body).toMatchObject([{ description: "all", active: false, rule }]);
  expect((await tenant.call("GET", "/rate-limit-policies")).body).toMatchObject({
    rate_limit_policies: [{ configuration: { action: "log", limit: 0 } }],
  });
});

test.each([["auth0.low_reputation"], ["auth0.icloud_relay_proxy"]])(
  "accepts curated lists in match and not_match, as recorded (%s)",
  async (name) => {
    const tenant = await createTenant();
    const match = { auth0_managed: ["auth0.icloud_relay_proxy"] };
    const rule = { scope: "tenant", action: { block: true }, match, not_match: { auth0_managed: [name] } };
    const { status, body } = await tenant.call("POST", "/network-acls", { description: "both", active: true, rule });
    expect([status, body.rule]).toEqual([201, rule]);
  },
);

test("says that it has no such operation, and its guide lists those that it has", async () => {
  const tenant = await createTenant();
  const message = (words: string) => ({ status: 404, body: { message: expect.stringContaining(words) } });
  expect(await tenant.call("GET", "/connections")).toMatchObject(
    message("The embedded tenant has no operation GET /api/v2/connections. Its guide lists"),
  );
  expect(await control(tenant, "GET", "/_tenantform/nothing")).toMatchObject(message("POST /_tenantform/unlock"));
  const guide = readFileSync(join(__dirname, "../../docs/guides/embedded-tenant.md"), "utf8");
  const rows = [...guide.matchAll(/^\| `(\/api\/[^`]*)`/gm)].map(([, at]) => at);
  const isListed = (at: string) => rows.includes(at) || rows.includes(at.replace(/\/\{id\}$/, ""));
  const own = operations.filter(({ path: at }) => at.startsWith("/api/"));
  expect(own.filter(({ path: at }) => !isListed(at)).map(({ method, path: at }) => `${method} ${at}`)).toEqual([]);
});

test.each([
  ["POST", "/_tenantform/unlock", "https://evil.example", 403],
  ["POST", "/_tenantform/reset", "https://evil.example", 403],
  ["GET", "/_tenantform/snapshot", "https://evil.example", 403],
  ["DELETE", "/_tenantform/faults", "https://evil.example", 403],
  ["POST", "/_tenantform/reset", root, 204],
  ["GET", "/_tenantform/nothing", undefined, 404],
  ["GET", "/_tenantformer", undefined, 404],
])("responds to %s %s from a page of %s with %d", async (method, path, origin, status) => {
  const headers = origin === undefined ? undefined : { origin };
  expect((await control(await createTenant(), method, path, { headers })).status).toBe(status);
});

describe("the page", () => {
  test("shows ACLs in evaluation order, policies, organizations and the last requests, and changes nothing", async () => {
    const tenant = await createTenant();
    await tenant.call("POST", "/network-acls", acl);
    const countries = "AD AL AT BA BE BG BY CH CZ DE DK EE ES FI FR GB GR HR HU IE".split(" ");
    const rule = { scope: "tenant", action: { block: true }, not_match: { geo_country_codes: countries } };
    await tenant.call("POST", "/network-acls", { description: "earlier", priority: 2, active: false, rule });
    await tenant.call("POST", "/rate-limit-policies", {
      resource: "oauth_authentication_api",
      consumer: "client",
      consumer_selector: "third_party_clients",
      configuration: { action: "log", limit: 77 },
    });
    tenant.store.addOrganization({ name: "acme", members: Array.from({ length: 1234 }, (_, n) => `auth0|${n}`) });
    const { text, headers } = await control(tenant, "GET", "/");
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(text.indexOf("earlier")).toBeLessThan(text.indexOf("&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"));
    const words = text.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
    for (const shown of [
      "inactive",
      "redirect to https://a.example/",
      "asns 1, 2, 3, 4, 5, 6",
      `every request except if one of these matches geo_country_codes ${countries.join(", ")}`,
      "third_party_clients",
      "77",
      "1,234",
    ]) {
      expect(words).toContain(shown);
    }
    expect(text).toMatch(/created rate limit policy rlp_\w+ \(third_party_clients\)/);
    expect(text).not.toMatch(new RegExp(`<script>alert|<form|<input|${tenant.clientSecret}`));
    expect(text).toContain('<a href="/_tenantform/snapshot" download="seed.json">');
  });

  test("looks for changes each second, and can be paused", async () => {
    const page = createPage();
    runInNewContext(script, page.globals);
    await page.look();
    expect([page.main.innerHTML, page.state.textContent]).toEqual(["<p>1</p>", "Live"]);
    page.click();
    await page.look();
    expect([page.main.innerHTML, page.state.textContent, page.pressed]).toEqual(["<p>1</p>", "Paused", "true"]);
    page.click();
    await page.look();
    expect([page.main.innerHTML, page.state.textContent, page.pressed]).toEqual(["<p>2</p>", "Live", "false"]);
    page.reachable = false;
    await page.look();
    expect([page.main.innerHTML, page.state.textContent]).toEqual([
      "<p>2</p>",
      "The tenant does not respond; trying again",
    ]);
  });
});

/** The parts of a browser that the page's script uses. */
function createPage() {
  const main = { innerHTML: "", querySelectorAll: () => [] };
  const state = { textContent: "" };
  let fetched = 0;
  const page = {
    main,
    state,
    reachable: true,
    pressed: "false",
    click: () => {},
    /** What the script does each second. */
    look: async () => {},
    globals: {},
  };
  const pause = {
    addEventListener: (_: string, listener: () => void) => void (page.click = listener),
    setAttribute: (_: string, value: string) => void (page.pressed = value),
  };
  const found: Record<string, unknown> = { main, "#state": state, "#pause": pause };
  page.globals = {
    document: { querySelector: (what: string) => found[what] },
    fetch: async (url: string) => {
      if (url !== "/_tenantform/view" || !page.reachable) throw new Error(url);
      return { ok: true, text: async () => `<p>${1 + (fetched++ >= 1 ? 1 : 0)}</p>` };
    },
    setInterval: (look: () => Promise<void>) => void (page.look = look),
  };
  return page;
}
