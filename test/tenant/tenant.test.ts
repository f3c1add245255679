/** The client: ids, its end, its policies, its clock, and what it loads. */
import { getEventListeners } from "node:events";
import { join } from "node:path";
import { systemClock } from "../../src/tenant/clock";
import type { RateLimitPolicy } from "../../src/tenant/rate-limit-policies";
import type { Tenant } from "../../src/tenant/tenant";
import { succeed } from "../support/program";
import { aclBody, policyBody } from "./support/embedded";
import { gate } from "./support/gate";
import { missing, scripted } from "./support/scripted";

const idOf: Record<string, (tenant: Tenant, id: string) => Promise<unknown>> = {
  "network ACL": ({ networkAcls }, id) => networkAcls.get(id),
  "network ACL to replace": ({ networkAcls }, id) => networkAcls.replace(id, aclBody(1)),
  "network ACL to delete": ({ networkAcls }, id) => networkAcls.delete(id),
  "rate limit policy": ({ rateLimitPolicies }, id) => rateLimitPolicies.get(id),
  "rate limit policy to change": ({ rateLimitPolicies }, id) => rateLimitPolicies.update(id, { action: "allow" }),
  "rate limit policy to delete": ({ rateLimitPolicies }, id) => rateLimitPolicies.delete(id),
  organization: ({ organizationMembers }, id) => organizationMembers.list(id),
  "named organization": ({ organizations }, name) => organizations.named(name),
  "organization of new members": ({ organizationMembers }, id) => organizationMembers.add(id, ["a"]),
  "organization of old members": ({ organizationMembers }, id) => organizationMembers.remove(id, ["a"]),
};

test.each(Object.entries(idOf))(
  "checks the id of a %s against the service's limits before a request",
  async (_, use) => {
    const { tenant, lines } = scripted(() => missing);
    for (const id of ["", ".", "..", "a\nb", "\ud800", "x".repeat(51)]) {
      await expect(use(tenant, id)).rejects.toMatchObject({ code: "invalid_id" });
    }
    await expect(use(tenant, "x".repeat(51))).rejects.toThrow(
      /cannot be the (id|name) of an? .*: it has 51 characters/,
    );
    expect(lines).toEqual([]);
  },
);

test("encodes ids in paths", async () => {
  const { tenant, lines } = scripted(({ path }) =>
    path.endsWith("take=100") ? { body: { rate_limit_policies: [] } } : missing,
  );
  await tenant.rateLimitPolicies.get("a|b/c");
  expect(lines[1]).toBe("GET /rate-limit-policies/a%7Cb%2Fc");
});

test.each(["stop", "close"] as const)("ends calls that wait for the quota after %s", async (end) => {
  const arrival = gate();
  const { tenant } = scripted(
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

const moment = "2026-01-01T00:00:00.000Z";
const policy = (number: number): RateLimitPolicy => ({
  ...policyBody(number),
  id: `rlp_${number}`,
  created_at: moment,
  updated_at: moment,
});

test("requests the policies for some callers by these callers", async () => {
  const { tenant, lines } = scripted(() => ({ body: { rate_limit_policies: [policy(1)] } }));
  for await (const page of tenant.rateLimitPolicies.pages({ consumer: "client" })) expect(page).toEqual([policy(1)]);
  expect(lines).toEqual(["GET /rate-limit-policies?consumer=client&take=100"]);
});

test("reads the list once for a policy and for all", async () => {
  const { tenant, lines } = scripted(({ path }) => ({
    body: path.includes("from=a")
      ? { rate_limit_policies: [policy(9)] }
      : { rate_limit_policies: [policy(1)], next: "a" },
  }));
  const { rateLimitPolicies } = tenant;
  const read = [rateLimitPolicies.get("rlp_9"), rateLimitPolicies.list()];
  expect(await Promise.all(read)).toEqual([policy(9), [policy(1), policy(9)]]);
  expect(lines).toEqual(["GET /rate-limit-policies?take=100", "GET /rate-limit-policies?from=a&take=100"]);
});

test.each([{}, { configuration: {} }, { configuration: "allow" }, { id: 1 }])(
  "refuses an incomplete policy: %j",
  async (part) => {
    const body = { ...policy(1), ...part };
    const { tenant } = scripted(() => ({ status: 201, body }));
    const creating = tenant.rateLimitPolicies.create(policyBody(1));
    if (Object.keys(part).length === 0) expect(await creating).toEqual(body);
    else await expect(creating).rejects.toMatchObject({ code: expect.stringMatching(/unlike_service|unconfirmed/) });
  },
);

test("leaves no listener on the signal after a sleep", async () => {
  const { signal } = new AbortController();
  await systemClock.sleep(1, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("ends a sleep with the signal's reason, even if the signal aborted before", async () => {
  const controller = new AbortController();
  const sleeping = systemClock.sleep(600_000, controller.signal);
  controller.abort(new Error("enough"));
  await expect(sleeping).rejects.toThrow("enough");
  await expect(systemClock.sleep(1, controller.signal)).rejects.toThrow("enough");
});

test("does not end a sleep at once that is longer than the longest timer", async () => {
  const controller = new AbortController();
  const sleeping = systemClock.sleep(2 ** 31, controller.signal);
  await systemClock.sleep(10);
  controller.abort(new Error("enough"));
  await expect(sleeping).rejects.toThrow("enough");
});

test("does not load jose before the first request", async () => {
  const program = `
    const { createTenant } = require("./src/tenant/tenant.ts");
    const tenant = createTenant({
      endpoint: "http://127.0.0.1:1",
      credentials: { kind: "access_token", accessToken: "t" },
      userAgent: "tests/1",
    });
    tenant.close().then(() => {
      const loaded = Object.keys(require.cache).filter((name) => /tenant|jose/.test(name));
      console.log(JSON.stringify(loaded.map((name) => /jose/.exec(name)?.[0] ?? "ours")));
    });
  `;
  const cwd = join(__dirname, "../..");
  const printed = await succeed(process.execPath, ["--import", "tsx", "-e", program], { cwd });
  expect([...new Set(JSON.parse(printed))]).toEqual(["ours"]);
});
