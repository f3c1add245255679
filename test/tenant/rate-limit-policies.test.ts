import type { RateLimitPolicy } from "../../src/tenant/rate-limit-policies";
import { policyBody } from "./support/embedded";
import { scripted } from "./support/scripted";

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

test("reads the list once for each policy and for the policies of callers", async () => {
  const { tenant, lines } = scripted(({ path }) => ({
    body: path.includes("from=a")
      ? { rate_limit_policies: [policy(9)] }
      : { rate_limit_policies: [policy(1)], next: "a" },
  }));
  const { rateLimitPolicies } = tenant;
  const read = [rateLimitPolicies.get("rlp_9"), rateLimitPolicies.holder(policyBody(9)), rateLimitPolicies.list()];
  expect(await Promise.all(read)).toEqual([policy(9), policy(9), [policy(1), policy(9)]]);
  expect(await rateLimitPolicies.holder(policyBody(2))).toBeUndefined();
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
