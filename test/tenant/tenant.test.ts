import { systemClock } from "../../src/tenant/clock";
import type { Tenant } from "../../src/tenant/tenant";
import { aclBody } from "./support/embedded";
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
    await expect(use(tenant, "x".repeat(51))).rejects.toThrow(/cannot be the id of an? .*: it has 51 characters/);
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
