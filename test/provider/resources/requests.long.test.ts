/** Plans and applies of real Terraform make the fewest API calls possible. */
import { policy } from "../../support/hcl";
import { openWorkspace } from "../../support/workspace";
import { eachTest } from "../../support/each-test";

const workspace = eachTest(openWorkspace);

const policies = (count: number, limit = 1) => policy("many", "client_id:${count.index}", limit, `count = ${count}`);

/** Counts API calls by HTTP method. */
function counted(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of workspace.served()) {
    const method = line.split(" ")[0]!;
    counts[method] = (counts[method] ?? 0) + 1;
  }
  return counts;
}

test.each([
  [12, 250],
  [40, 120],
])(
  "with %d policies among %d others, a plan makes at most min(N, ceil(T/100)) + 1 API calls, and none for new policies",
  async (own, others) => {
    for (let index = 0; index < others; index++) {
      workspace.emulator.store.rateLimitPolicies.put({
        id: `rlp_${String(index).padStart(21, "0")}`,
        resource: "oauth_authentication_api",
        consumer: "client",
        consumer_selector: `client_id:other-${index}`,
        configuration: { action: "allow" },
        created_at: "2026-01-01T00:00:00Z",
        updated_at: "2026-01-01T00:00:00Z",
      });
    }
    await workspace.write(policies(own));
    await workspace.plan();
    expect(counted()).toEqual({});
    await workspace.apply();
    expect(counted()).toEqual({ POST: own });
    await workspace.plan();
    const pages = Math.min(own, Math.ceil((own + others) / 100));
    expect(counted().GET).toBeLessThanOrEqual(pages + 1);
    await workspace.apply(policies(own, 2));
    expect(counted().PATCH).toBe(own);
  },
);

test("reading the schema and validating make no API call", async () => {
  await workspace.write(policies(1));
  await workspace.terraform("validate");
  await workspace.terraform("providers", "schema", "-json");
  expect(workspace.emulator.requests).toEqual([]);
});
