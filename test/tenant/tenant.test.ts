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
