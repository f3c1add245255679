/** Responses of the service neither delay a call beyond its limit nor make it send requests for ever. */
import type { Clock } from "../../../src/tenant/clock";
import type { TenantOptions } from "../../../src/tenant/tenant";
import fc from "../../support/random";
import { scripted, type Reply } from "../support/scripted";

/** A client whose waits take no time. */
function connect(answering: (count: number) => Reply, options: Partial<TenantOptions> = {}) {
  let now = Date.parse("2026-01-01T00:00:00Z");
  let slept = 0;
  const clock: Clock = {
    now: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept += ms;
      now += ms;
    },
  };
  const { tenant, lines } = scripted(() => answering(lines.length), { clock, random: () => 0.5, ...options });
  return { tenant, slept: () => slept, asked: () => lines.length };
}

test("ends every list with all its items or with an error, for arbitrary pages", async () => {
  const pages = fc.array(
    fc.record({
      members: fc.array(
        fc.constantFrom("a", "b", "c", "d", "e").map((user_id) => ({ user_id })),
        { maxLength: 3 },
      ),
      next: fc.option(fc.oneof(fc.constantFrom("", "x", "y"), fc.string({ unit: "binary" })), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(pages, async (told) => {
      const { tenant, asked } = connect((count) => ({ body: told[(count - 1) % told.length] }));
      const outcome = await tenant.organizationMembers.list("org_1", 5000).catch((error) => error.code);
      expect(asked()).toBeLessThanOrEqual(10);
      const read = told.slice(0, asked()).flatMap(({ members }) => members.map(({ user_id }) => user_id));
      if (outcome !== "unlike_service") expect(outcome).toEqual([...new Set(read)]);
    }),
  );
});

const anything = fc.oneof(
  fc.nat({ max: 50 }).map(String),
  fc.nat().map(String),
  fc.string(),
  fc.constantFrom("0", "-5", "NaN", "Infinity", "1e309", "1767225600", "1767225660", "99999999999999", ""),
);
const quotaHeaders = fc.record(
  {
    date: fc.oneof(anything, fc.constant("Thu, 01 Jan 2026 00:00:00 GMT")),
    "retry-after": anything,
    "x-ratelimit-limit": anything,
    "x-ratelimit-remaining": anything,
    "x-ratelimit-reset": anything,
  },
  { requiredKeys: [] },
);

test("bounds waits and requests for headers with arbitrary text", async () => {
  const answer = fc.record({ status: fc.constantFrom(200, 200, 200, 429, 503), headers: quotaHeaders });
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 12 }), async (answers) => {
      const maxRetryWait = 20_000;
      const { tenant, asked, slept } = connect(
        (count) => ({ ...answers[count % answers.length]!, body: { members: [], total: 0 } }),
        { maxRetryWait },
      );
      const calls = Array.from({ length: 6 }, (_, index) => tenant.organizationMembers.list(`org_${index}`));
      const outcomes = await Promise.allSettled(calls);
      const codes = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
      expect(codes.filter((code) => code !== "rate_limited" && code !== "service_failed")).toEqual([]);
      expect(asked()).toBeLessThan(6 * 40);
      expect(slept()).toBeLessThan(6 * 2 * maxRetryWait);
    }),
    { numRuns: 200 },
  );
});
