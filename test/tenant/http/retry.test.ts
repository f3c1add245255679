/** What is tried again after which failure, with no network and no time. */
import { TenantError, type TenantErrorCode, type TenantErrorDetails } from "../../../src/tenant/error";
import type { Request } from "../../../src/tenant/http/call";
import { withRetry } from "../../../src/tenant/http/retry";
import { noUsage } from "../../../src/tenant/http/usage";
import { createVirtualClock } from "../support/virtual-clock";

const failure = (code: TenantErrorCode, details?: TenantErrorDetails) => new TenantError(code, "It failed.", details);

interface Sent {
  /** What each try ends in; after the last one all go well. */
  failures: TenantError[];
  idempotent?: boolean;
  /** What looking finds, for each look; absent: there is no way to look. */
  found?: (string | undefined | TenantError)[];
  maxRetryWait?: number;
}

/** Sends one request; what it came to, and how often was tried and looked. */
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

const wrongShape = failure("unlike_service", { status: 201 });

test("a create that is answered as done, but with a body of another shape, is looked for and adopted", async () => {
  expect(await send({ failures: [wrongShape], found: ["made"] })).toMatchObject({
    outcome: "made",
    tries: 1,
    looks: 1,
  });
});

test("where looking does not find it either, the answer of another shape is the outcome, and nothing is sent again", async () => {
  expect(await send({ failures: [wrongShape], found: [undefined] })).toMatchObject({
    outcome: wrongShape,
    tries: 1,
    looks: 1,
  });
  expect(await send({ failures: [wrongShape] })).toMatchObject({ outcome: wrongShape, tries: 1 });
});

test.each([
  failure("unlike_service", { status: 404 }),
  failure("unlike_service"),
  failure("redirected", { status: 302 }),
  failure("invalid_body", { status: 400 }),
  failure("conflict", { status: 409 }),
])("what certainly had no effect is neither looked for nor sent again: $code $status", async (error) => {
  expect(await send({ failures: [error], found: ["somebody else's"] })).toMatchObject({
    outcome: error,
    tries: 1,
    looks: 0,
  });
});

test.each([
  { error: failure("connection_failed", { unsent: true }), looks: 0 },
  { error: failure("connection_failed"), looks: 1 },
  { error: failure("timeout"), looks: 1 },
  { error: failure("service_failed", { status: 503 }), looks: 1 },
  { error: failure("unreadable_response", { status: 201 }), looks: 1 },
])(
  "a create that ends in $error.code, unsent $error.unsent, is looked for $looks times and sent again",
  async (one) => {
    const { error, looks } = one;
    expect(await send({ failures: [error], found: [undefined] })).toMatchObject({
      outcome: "answered",
      tries: 2,
      looks,
    });
  },
);

test("a create without a way to look is not sent again where it may have taken effect", async () => {
  const lost = failure("timeout");
  expect(await send({ failures: [lost] })).toMatchObject({ outcome: lost, tries: 1 });
  const unsent = failure("connection_failed", { unsent: true });
  expect(await send({ failures: [unsent] })).toMatchObject({ outcome: "answered", tries: 2 });
});

test.each(["conflict", "invalid_body", "unexpected_status"] as const)(
  "a repetition that is refused (%s) is looked for, since the first try may be why",
  async (code) => {
    const failures = [failure("timeout"), failure(code, { status: 409 })];
    const found = { failures, idempotent: true, found: ["made"] };
    expect(await send(found)).toMatchObject({ outcome: "made", tries: 2, looks: 1 });
    expect(await send({ ...found, found: [undefined] })).toMatchObject({ outcome: failures[1], tries: 2, looks: 1 });
  },
);

test("an idempotent request is sent again without a look", async () => {
  expect(await send({ failures: [failure("timeout")], idempotent: true, found: ["made"] })).toMatchObject({
    outcome: "answered",
    tries: 2,
    looks: 0,
  });
});

test.each([
  { error: failure("connection_failed", { unsent: true }), tries: 3 },
  { error: failure("timeout"), tries: 3 },
  { error: failure("service_failed", { status: 503 }), tries: 7 },
  { error: failure("connection_failed"), tries: 7 },
])("$error.code, unsent $error.unsent, is tried $tries times", async ({ error, tries }) => {
  const failures = Array.from({ length: 9 }, () => error);
  expect(await send({ failures, idempotent: true })).toMatchObject({ outcome: error, tries });
});

test("a create that stays lost is said to be unconfirmed, for the reason of the try that may have taken effect", async () => {
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

test("a look that fails leaves it unconfirmed; one that is stopped says so", async () => {
  const lost = { failures: [failure("timeout")] };
  const forbidden = failure("insufficient_scope", { status: 403 });
  expect(await send({ ...lost, found: [forbidden] })).toMatchObject({ outcome: { code: "unconfirmed" }, tries: 1 });
  const stopped = failure("stopped");
  expect(await send({ ...lost, found: [stopped] })).toMatchObject({ outcome: stopped, tries: 1 });
});

test("the quota is bounded by time, not by tries", async () => {
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

test("a defect is no failure of the service's: it passes untouched", async () => {
  const defect = new TypeError("x is not a function");
  expect(await send({ failures: [defect as unknown as TenantError] })).toMatchObject({ outcome: defect, tries: 1 });
});

test("what looking tells after a lost answer is told in the log", async () => {
  const lost = { failures: [failure("timeout")] };
  const { log: made } = await send({ ...lost, found: ["made"] });
  expect(made).toEqual(["info A response was lost, but the tenant shows that it has created the thing"]);
  const { log: missing } = await send({ ...lost, found: [undefined] });
  expect(missing[0]).toBe("info A response was lost, but the tenant shows that it has not created the thing");
});

test.each([
  [4_999, "info"],
  [5_000, "warn"],
])("a wait of %i ms is told at level %s", async (retryAfter, level) => {
  const failures = [failure("service_failed", { status: 503, retryAfter })];
  const { log } = await send({ failures, idempotent: true });
  expect(log).toEqual([`${level} Waiting 5 s before POST /things is tried again`]);
});

test("a failure that tells for how long is not tried again before", async () => {
  const failures = [failure("service_failed", { status: 503, retryAfter: 2_000 })];
  expect(await send({ failures, idempotent: true })).toMatchObject({
    outcome: "answered",
    waitedMs: 2_000,
    log: ["info Waiting 2 s before POST /things is tried again"],
  });
});
