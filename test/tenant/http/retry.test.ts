/** Which requests are retried after which failure, and when; no response delays a call beyond its limit. */
import type { Clock } from "../../../src/tenant/clock";
import { TenantError, type TenantErrorCode, type TenantErrorDetails } from "../../../src/tenant/error";
import { noUsage, type Request } from "../../../src/tenant/http/call";
import { retryDelay, withRetry } from "../../../src/tenant/http/retry";
import type { TenantOptions } from "../../../src/tenant/tenant";
import fc from "../../support/random";
import { type Reply, scripted } from "../support/scripted";
import { createVirtualClock } from "../support/virtual-clock";

const failure = (code: TenantErrorCode, details?: TenantErrorDetails) => new TenantError(code, "It failed.", details);

interface Sent {
  /** The outcome of each attempt. Attempts after the last one succeed. */
  failures: TenantError[];
  idempotent?: boolean;
  /** The result of each look for the effect. Absent: the call has no confirmation. */
  found?: (string | undefined | TenantError)[];
  maxRetryWait?: number;
}

/** Sends one request. Returns its outcome, and the number of attempts and looks. */
async function send({ failures, idempotent = false, found, maxRetryWait = 600_000 }: Sent) {
  const clock = createVirtualClock();
  const { signal } = new AbortController();
  const log: string[] = [];
  let tries = 0;
  let looks = 0;
  const find = async () => {
    const seen = found?.[looks++];
    if (seen instanceof TenantError) throw seen;
    return seen;
  };
  const layer = withRetry({
    clock,
    signal,
    random: () => 0,
    log: (level, message) => log.push(`${level} ${message}`),
    usage: noUsage(),
    maxRetryWait,
  });
  const answer = layer(async <T>() => {
    const failed = failures[tries++];
    if (failed) throw failed;
    return { body: "answered" as T, at: clock.now() };
  });
  const request = {
    method: "POST",
    path: "/api/v2/things",
    name: "/things",
    headers: {},
    bucket: "global",
    idempotent,
    decoders: {},
    confirmation: found && { what: "created the thing", find },
    attempts: { count: 0, waitedMs: 0 },
  } satisfies Request<string>;
  const outcome = await clock.run(
    answer<string>(request).then(
      ({ body }) => body,
      (error: TenantError) => error,
    ),
  );
  return { outcome, tries, looks, log, waitedMs: request.attempts.waitedMs };
}

/** What may go wrong with one attempt. */
const errors = {
  unsent: failure("connection_failed", { unsent: true }),
  broken: failure("connection_failed"),
  late: failure("timeout"),
  down: failure("service_failed", { status: 503 }),
  garbled: failure("unreadable_response", { status: 201 }),
  "wrong shape": failure("unlike_service", { status: 201 }),
  "wrong server": failure("unlike_service", { status: 404 }),
  "no server": failure("unlike_service"),
  redirected: failure("redirected", { status: 302 }),
  refused: failure("invalid_body", { status: 400 }),
  taken: failure("conflict", { status: 409 }),
  odd: failure("unexpected_status", { status: 418 }),
  defect: new TypeError("x is not a function") as unknown as TenantError,
};
type Fault = keyof typeof errors;

/** A number: attempts. "looks": for the effect. The outcome is "answered", "made" (found), or the error. */
test.each<[request: string, failures: Fault[], outcome: Fault | "answered" | "made", tries: number, looks: number]>([
  ["a create that is found", ["wrong shape"], "made", 1, 1],
  ["a create that is missing", ["wrong shape"], "wrong shape", 1, 1],
  ["a create that nobody can find", ["wrong shape"], "wrong shape", 1, 0],
  ["a create that is found", ["wrong server"], "wrong server", 1, 0],
  ["a create that is found", ["no server"], "no server", 1, 0],
  ["a create that is found", ["redirected"], "redirected", 1, 0],
  ["a create that is found", ["refused"], "refused", 1, 0],
  ["a create that is found", ["taken"], "taken", 1, 0],
  ["a create that is found", ["defect"], "defect", 1, 0],
  ["a create that is missing", ["unsent"], "answered", 2, 0],
  ["a create that is missing", ["broken"], "answered", 2, 1],
  ["a create that is missing", ["late"], "answered", 2, 1],
  ["a create that is missing", ["down"], "answered", 2, 1],
  ["a create that is missing", ["garbled"], "answered", 2, 1],
  ["a create that nobody can find", ["late"], "late", 1, 0],
  ["a create that nobody can find", ["unsent"], "answered", 2, 0],
  // The first attempt may be why the repetition is refused.
  ["an update that is found", ["late", "taken"], "made", 2, 1],
  ["an update that is found", ["late", "refused"], "made", 2, 1],
  ["an update that is found", ["late", "odd"], "made", 2, 1],
  ["an update that is missing", ["late", "taken"], "taken", 2, 1],
  ["an update that is found", ["late"], "answered", 2, 0],
  ["an update", Array.from({ length: 9 }, () => "unsent"), "unsent", 3, 0],
  ["an update", Array.from({ length: 9 }, () => "late"), "late", 3, 0],
  ["an update", Array.from({ length: 9 }, () => "down"), "down", 7, 0],
  ["an update", Array.from({ length: 9 }, () => "broken"), "broken", 7, 0],
])("%s, after %j, ends as %s after %i attempts and %i looks", async (request, failures, outcome, tries, looks) => {
  const found = { found: ["made"], missing: [undefined] }[request.split("is ")[1] ?? ""];
  const idempotent = request.startsWith("an update");
  const sent = await send({ failures: failures.map((name) => errors[name]), idempotent, ...(found && { found }) });
  const expected = outcome === "answered" || outcome === "made" ? outcome : errors[outcome];
  expect(sent).toMatchObject({ outcome: expected, tries, looks });
});

test("reports a lost create as unconfirmed, with the error of the attempt that may have taken effect", async () => {
  const failures = Array.from({ length: 9 }, () => failure("service_failed", { status: 503, requestId: "r1" }));
  const { outcome, tries } = await send({ failures, found: [] });
  expect(outcome).toMatchObject({
    code: "unconfirmed",
    message: "It is not known whether the tenant has created the thing: It failed.",
    status: 503,
    requestId: "r1",
    cause: failures[0],
  });
  expect(tries).toBe(7);
});

test("reports a create as unconfirmed if looking for it fails, and as stopped if the look was stopped", async () => {
  const lost = { failures: [failure("timeout")] };
  const forbidden = failure("insufficient_scope", { status: 403 });
  expect(await send({ ...lost, found: [forbidden] })).toMatchObject({ outcome: { code: "unconfirmed" }, tries: 1 });
  const stopped = failure("stopped");
  expect(await send({ ...lost, found: [stopped] })).toMatchObject({ outcome: stopped, tries: 1 });
});

test("bounds waits for the quota by time, not by attempts", async () => {
  const error = failure("rate_limited", { status: 429, retryAfter: 6_000 });
  const failures = Array.from({ length: 20 }, () => error);
  const { outcome, tries, waitedMs, log } = await send({ failures });
  expect({ outcome, tries, waitedMs }).toEqual({ outcome: "answered", tries: 21, waitedMs: 120_000 });
  expect(log[0]).toBe("warn Waiting 6 s before POST /things is tried again");
  const ended = await send({ failures, maxRetryWait: 20_000 });
  expect(ended).toMatchObject({
    outcome: {
      code: "rate_limited",
      status: 429,
      message: "It failed. POST /things has waited 18 s and must wait 6 s more, until 2026-01-01T00:00:24.250Z.",
    },
    tries: 4,
  });
});

test.each([
  { retryAfter: undefined, tries: 3, message: "It failed. POST /things got this response 3 times in 0 s." },
  { retryAfter: 1_100, tries: 7, message: "It failed. POST /things got this response 7 times in 7 s." },
  { retryAfter: 25_000, tries: 3, message: "It failed. POST /things got this response 3 times in 50 s." },
  { retryAfter: 60_100, tries: 2, message: "It failed. POST /things got this response 2 times in 61 s." },
  { retryAfter: 60_101, tries: 1, message: /has waited 0 s and must wait 61 s more, until 2026-01-01T00:01:00.351Z/ },
  { retryAfter: 7_200_000, tries: 1, message: /must wait 7200 s more, until 2026-01-01T02:00:00.250Z/ },
])("asks the token endpoint $tries times if it names $retryAfter ms", async ({ retryAfter, tries, message }) => {
  const error = failure("token_quota_exceeded", { status: 429, retryAfter });
  const failures = Array.from({ length: 20 }, () => error);
  const ended = await send({ failures, idempotent: true });
  expect(ended).toMatchObject({ outcome: { code: "token_quota_exceeded", status: 429 }, tries });
  expect((ended.outcome as Error).message).toEqual(
    typeof message === "string" ? message : expect.stringMatching(message),
  );
  expect(await send({ failures: [error], idempotent: true })).toMatchObject(
    tries > 1 ? { outcome: "answered", tries: 2 } : { tries: 1 },
  );
});

test("logs the result of looking for the effect of a lost request", async () => {
  const lost = { failures: [failure("timeout")] };
  const { log: made } = await send({ ...lost, found: ["made"] });
  expect(made).toEqual(["info A response was lost, but the tenant shows that it has created the thing"]);
  const { log: missing } = await send({ ...lost, found: [undefined] });
  expect(missing[0]).toBe("info A response was lost, but the tenant shows that it has not created the thing");
});

test.each([
  [4_999, "info"],
  [5_000, "warn"],
])("waits %i ms as the response requests, and logs that at level %s", async (retryAfter, level) => {
  const failures = [failure("service_failed", { status: 503, retryAfter })];
  expect(await send({ failures, idempotent: true })).toMatchObject({
    outcome: "answered",
    waitedMs: retryAfter,
    log: [`${level} Waiting 5 s before POST /things is tried again`],
  });
});

test("adds jitter to the requested delay, and bounds the delay without a request", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.integer({ min: 0, max: 600_000 }),
      (failures, chance, wait) => {
        const random = () => chance;
        const bound = Math.min(8_000, 250 * 2 ** failures);
        const blind = retryDelay(failures, undefined, random);
        expect(blind).toBeGreaterThanOrEqual(0);
        expect(blind).toBeLessThan(bound);
        const told = retryDelay(failures, wait, random);
        expect(told).toBeGreaterThanOrEqual(wait);
        expect(told).toBeLessThanOrEqual(wait + bound);
      },
    ),
  );
});

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
