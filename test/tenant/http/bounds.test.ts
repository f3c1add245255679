/** Responses of the service neither delay a call beyond its limit nor make it send requests for ever. */
import fc from "../../support/random";
import type { Clock } from "../../../src/tenant/clock";
import type { Exchange, RawResponse } from "../../../src/tenant/http/call";
import { createTenant, type TenantOptions } from "../../../src/tenant/tenant";

type Answering = (
  asked: Exchange,
  count: number,
) => { status?: number; headers?: RawResponse["headers"]; body?: unknown };

/** A client whose waits take no time. It records them in order with its log. */
function connect(answering: Answering, options: Partial<TenantOptions> = {}) {
  const notes: string[] = [];
  let now = Date.parse("2026-01-01T00:00:00Z");
  let slept = 0;
  let asked = 0;
  const clock: Clock = {
    now: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept += ms;
      now += ms;
      if (ms > 0) notes.push(`sleeps ${Math.floor(ms / 1000)}`);
    },
  };
  const exchange = async (request: Exchange): Promise<RawResponse> => {
    const { status = 200, headers = {}, body } = answering(request, ++asked);
    return { status, headers, text: body === undefined ? "" : JSON.stringify(body) };
  };
  const tenant = createTenant({
    endpoint: "https://acme.example",
    credentials: { kind: "access_token", accessToken: "ready" },
    userAgent: "tests/1",
    clock,
    random: () => 0.5,
    log: (level, message) => level === "warn" && notes.push(`warns: ${message}`),
    transport: { exchange, stop() {}, async close() {} },
    ...options,
  });
  return { tenant, notes, slept: () => slept, asked: () => asked };
}

test("ends waiting calls if the quota is used up for longer than a call may wait", async () => {
  const reset = Date.parse("2026-01-01T00:00:00Z") / 1000;
  const usedUp = (seconds: number) => ({
    "x-ratelimit-limit": "10",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(reset + seconds),
  });
  const far = connect(() => ({ headers: usedUp(86_400), body: { members: [], total: 0 } }));
  await far.tenant.organizationMembers.list("org_1");
  await expect(far.tenant.organizationMembers.list("org_2")).rejects.toMatchObject({
    code: "rate_limited",
    method: "GET",
    path: "/organizations/org_2/members",
    message: expect.stringMatching(/GET \/organizations\/org_2\/members has waited 0 s and must wait 86\d+ s more/),
  });
  expect([far.asked(), far.slept()]).toEqual([1, 0]);

  const near = connect(() => ({ headers: usedUp(30), body: { members: [], total: 0 } }));
  await near.tenant.organizationMembers.list("org_1");
  await near.tenant.organizationMembers.list("org_2");
  expect(near.notes[0]).toMatch(/^warns: Requests wait (29|3\d) s for the tenant's quota/);
});

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
      const { tenant, asked } = connect((_, count) => ({ body: told[(count - 1) % told.length] }));
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
        (_, count) => ({ ...answers[count % answers.length]!, body: { members: [], total: 0 } }),
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
