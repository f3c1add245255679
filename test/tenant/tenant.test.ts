import { systemClock } from "../../src/tenant/clock";
import { createTenant, type Tenant, type TenantOptions } from "../../src/tenant/tenant";
import { gate } from "./support/gate";
import { serve, type Answering, type Server } from "./support/server";

let server: Server;
let tenant: Tenant;

async function start(answering: Answering, options: Partial<TenantOptions> = {}) {
  server = await serve(answering);
  tenant = createTenant({
    endpoint: server.endpoint,
    credentials: { kind: "access_token", accessToken: "ready" },
    userAgent: "tests/1",
    clock: { now: () => Date.now(), sleep: async () => {} },
    timeouts: { stop: 0 },
    ...options,
  });
}

afterEach(async () => {
  tenant.stop();
  await tenant.close();
  await server.close();
});

const acl = {
  description: "d",
  active: true,
  priority: 7,
  rule: { action: { block: true as const }, match: { geo_country_codes: ["UK"] }, scope: "tenant" },
};

const stored = { ...acl, id: "acl_1", created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };

test("creates, reads, replaces and deletes a network ACL with one request each", async () => {
  await start(({ method, body }) => {
    if (method === "POST") return { status: 201, body: { ...stored, ...body } };
    if (method === "PUT") return { body: { ...stored, ...body } };
    if (method === "DELETE") return { body: { code: 204, object: "" } };
    return { body: [stored] };
  });
  const { networkAcls } = tenant;
  expect(await networkAcls.create(acl)).toEqual(stored);
  expect(await networkAcls.replace("acl_1", { ...acl, description: "e" }, acl)).toMatchObject({ description: "e" });
  expect(await networkAcls.list()).toEqual([stored]);
  await networkAcls.delete("acl_1");
  expect(server.lines()).toEqual([
    "POST /api/v2/network-acls",
    "PUT /api/v2/network-acls/acl_1",
    "GET /api/v2/network-acls?page=0&per_page=100",
    "DELETE /api/v2/network-acls/acl_1",
  ]);
  expect(server.asked[0]?.headers).toMatchObject({ authorization: "Bearer ready", "user-agent": "tests/1" });
  const json = "application/json";
  expect(server.asked.map(({ headers }) => headers["content-type"])).toEqual([json, json, undefined, undefined]);
});

test("returns undefined for a deleted object, and treats its deletion as done", async () => {
  await start(({ path }) => {
    if (path.endsWith("policies")) return { body: { rate_limit_policies: [] } };
    return { status: 404, body: { statusCode: 404, error: "Not Found", message: path } };
  });
  expect(await tenant.rateLimitPolicies.get("rlp_1")).toBeUndefined();
  await tenant.rateLimitPolicies.delete("rlp_1");
  await tenant.networkAcls.delete("acl_1");
});

test("checks ids against the service's limits before a request, and encodes them", async () => {
  const missing = { status: 404, body: { statusCode: 404, error: "Not Found", message: "" } };
  await start(({ path }) => (path.endsWith("policies") ? { body: { rate_limit_policies: [] } } : missing));
  await expect(tenant.rateLimitPolicies.get("x".repeat(27))).rejects.toMatchObject({ code: "invalid_id" });
  await expect(tenant.networkAcls.delete("x".repeat(37))).rejects.toMatchObject({ code: "invalid_id" });
  await expect(tenant.organizationMembers.list("x".repeat(51))).rejects.toMatchObject({
    code: "invalid_id",
    message: expect.stringContaining("cannot be the id of an organization: it has 51 characters"),
  });
  for (const id of ["", ".", "..", "a\nb", "\ud800"]) {
    await expect(tenant.networkAcls.delete(id)).rejects.toMatchObject({ code: "invalid_id" });
    await expect(tenant.networkAcls.get(id)).rejects.toMatchObject({ code: "invalid_id" });
    await expect(tenant.networkAcls.replace(id, acl)).rejects.toMatchObject({ code: "invalid_id" });
    await expect(tenant.rateLimitPolicies.get(id)).rejects.toMatchObject({ code: "invalid_id" });
    await expect(tenant.rateLimitPolicies.update(id, { action: "allow" })).rejects.toMatchObject({
      code: "invalid_id",
    });
    await expect(tenant.rateLimitPolicies.delete(id)).rejects.toMatchObject({ code: "invalid_id" });
    await expect(tenant.organizationMembers.list(id)).rejects.toMatchObject({ code: "invalid_id" });
    await expect(tenant.organizationMembers.add(id, ["a"])).rejects.toMatchObject({ code: "invalid_id" });
    await expect(tenant.organizationMembers.remove(id, ["a"])).rejects.toMatchObject({ code: "invalid_id" });
  }
  expect(server.asked).toEqual([]);
  await tenant.rateLimitPolicies.get("a|b/c");
  expect(server.lines()[1]).toBe("GET /api/v2/rate-limit-policies/a%7Cb%2Fc");
});

test("writes ten members at a time and reads all, whether or not the last page names a next page", async () => {
  await start(({ method, query }) => {
    if (method !== "GET") return { status: 204 };
    if (!query.has("from")) return { body: { members: [{ user_id: "a|1" }, { user_id: "a|2" }], next: "x" } };
    return { body: query.get("from") === "x" ? { members: [{ user_id: "a|3" }], next: "y" } : { members: [] } };
  });
  const ids = Array.from({ length: 23 }, (_, index) => `a|${index}`);
  const added: string[] = [];
  await tenant.organizationMembers.add("org_1", ids, (done) => added.push(...done));
  await tenant.organizationMembers.remove("org_1", ids.slice(0, 3));
  expect(added).toEqual(ids);
  expect(server.asked.map(({ method, body }) => `${method} ${body.members.length}`)).toEqual([
    "POST 10",
    "POST 10",
    "POST 3",
    "DELETE 3",
  ]);
  expect(await tenant.organizationMembers.list("org_1")).toEqual(["a|1", "a|2", "a|3"]);
});

test("sends nothing after a stop, and ends requests under way at once", async () => {
  const arrival = gate();
  await start(() => {
    arrival.open();
    return undefined;
  });
  const reading = tenant.networkAcls.list();
  await arrival.opened;
  tenant.stop();
  await expect(reading).rejects.toMatchObject({ code: "stopped" });
  await expect(tenant.networkAcls.list()).rejects.toMatchObject({ code: "stopped" });
  expect(server.asked).toHaveLength(1);
});

test.each(["stop", "close"] as const)("ends calls that wait for the quota after %s", async (end) => {
  const arrival = gate();
  await start(
    () => {
      arrival.open();
      return { status: 429, headers: { "retry-after": "60" }, body: {} };
    },
    { clock: systemClock },
  );
  const reading = tenant.networkAcls.list();
  await arrival.opened;
  const other = tenant.networkAcls.get("acl_1");
  await tenant[end]();
  for (const waiting of [reading, other]) await expect(waiting).rejects.toMatchObject({ code: "stopped" });
});
