/** The provider warns of long waits for the quota of the tenant. */
import type { Client } from "../../../src/resources/client";
import { tenantProvider } from "../../../src/resources/provider";

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
