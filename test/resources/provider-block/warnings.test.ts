/** The provider warns of long waits for the quota of the tenant, and of a wrong clock. */
import type { Client } from "../../../src/resources/client";
import { tenantNow, tenantProvider } from "../../../src/resources/provider";

const { warnings } = tenantProvider("1.0.0", {});
const warningsAfter = (waitedMs: number, longestWaitMs: number) =>
  warnings!({ tenant: { usage: () => ({ waitedMs, longestWaitMs }) } } as unknown as Client);

test("warns after API calls waited 30 s in total, with the sum and the longest wait", () => {
  expect(warningsAfter(29_999, 29_999)).toEqual([]);
  expect(warningsAfter(37_400, 5_100)).toEqual([
    {
      severity: "warning",
      code: "TNF-QUOTA-WAITED",
      detail:
        "API calls waited 37 s in total for the quota, and one of them 6 s. The tenant's quota is small for this stack, or other clients " +
        "use it. TF_LOG_PROVIDER=info logs each wait.",
    },
  ]);
});

const minute = 60_000;

test.each([
  { clockAheadMs: undefined, said: [] },
  { clockAheadMs: 5 * minute, said: [] },
  { clockAheadMs: -5 * minute, said: [] },
  { clockAheadMs: 5 * minute + 1, said: ["It is 5 minutes ahead of the tenant's clock."] },
  { clockAheadMs: -1_440 * minute, said: ["It is 1440 minutes behind the tenant's clock."] },
])("warns of a clock that is $clockAheadMs ms ahead: $said", ({ clockAheadMs, said }) => {
  const usage = { waitedMs: 0, longestWaitMs: 0, clockAheadMs };
  const warned = warnings!({ tenant: { usage: () => usage } } as unknown as Client);
  expect(warned.map(({ detail }) => detail.split(". ")[0] + ".")).toEqual(said);
  const now = 1_000_000_000;
  expect(tenantNow(now, clockAheadMs)).toBe(said.length === 0 ? now : now - clockAheadMs!);
});
