/** The way back into a tenant that locks everybody out, and the operations that the tenant has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "../../src/emulator/api/families";
import { createTenant, read, root, type Tenant } from "./client";

const control = (tenant: Tenant, method: string, path: string, init: RequestInit = {}) =>
  tenant.fetch(new Request(root + path, { method, ...init })).then(read);

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
  const guide = readFileSync(join(__dirname, "../../docs/guides/embedded-tenant.md"), "utf8");
  const rows = [...guide.matchAll(/^\| `(\/api\/[^`]*)`/gm)].map(([, at]) => at);
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
