/** What responses say: the log and the counts, success or error, and times. Without a network. */
import fc from "../../support/random";
import { TenantError } from "../../../src/tenant/error";
import {
  type Decoder,
  hasFields,
  isRecord,
  noBody,
  noUsage,
  type RawResponse,
  type Request,
} from "../../../src/tenant/http/call";
import { apiError, requestedWait, untilReset, withDecoding, withUsage } from "../../../src/tenant/http/response";
import { createTokenBucket, type RateLimit, rateLimitOf } from "../../../src/tenant/http/token-bucket";

const now = Date.parse("2026-01-01T00:00:00Z");
const thing: Decoder<object> = (body) => (hasFields(body, { id: "string" }) ? (body as object) : undefined);

/** Decodes this response to GET /things. */
function read(response: Partial<RawResponse>) {
  const dispatch = async () => ({ status: 200, headers: {}, text: "", ...response });
  const request = {
    method: "GET",
    path: "/api/v2/things",
    name: "/things",
    headers: {},
    bucket: "global",
    idempotent: true,
    decoders: { 200: thing, 204: noBody },
    attempts: { count: 1, waitedMs: 0 },
  } satisfies Request<unknown>;
  return withDecoding(apiError, { now: () => now, sleep: async () => {} })(dispatch)<unknown>(request);
}

const error = (statusCode: number, errorCode?: string) =>
  JSON.stringify({ statusCode, error: "Error", message: "In its words.", errorCode });

const denied = (message: string) => JSON.stringify({ statusCode: 403, error: "Forbidden", message });

test("decodes a documented status with a documented body as a success, with the service's time", async () => {
  expect(await read({ text: '{"id":"a"}' })).toEqual({ body: { id: "a" }, at: now });
  const date = "Thu, 01 Jan 2026 00:00:09 GMT";
  expect(await read({ status: 204, text: "whatever", headers: { date } })).toEqual({ body: true, at: now + 9_000 });
});

test.each<[Partial<RawResponse>, string, string]>([
  [{ text: "<html>" }, "unreadable_response", "The response to GET /things cannot be read: it is not complete JSON."],
  [{ text: '{"id":1}' }, "unlike_service", "it responded to GET /things with status 200 and an unexpected body."],
  [{ status: 202, text: '{"id":"a"}' }, "unlike_service", "it responded to GET /things with status 202."],
  [{ status: 404, text: "Not Found" }, "unlike_service", "status 404 but without the service's error."],
  [{ status: 404, text: error(400) }, "unlike_service", "status 404 but without the service's error."],
  [{ status: 404, text: error(404) }, "not_found", "In its words."],
  [{ status: 400, text: error(400, "invalid_uri") }, "invalid_uri", "In its words."],
  [{ status: 400, text: error(400) }, "invalid_body", "In its words."],
  [{ status: 403, text: error(403, "insufficient_scope") }, "insufficient_scope", "In its words."],
  [{ status: 403, text: error(403, "invalid_uri") }, "forbidden", "In its words."],
  [{ status: 403, text: error(403, "access_denied") }, "blocked_by_acl", "In its words."],
  [{ status: 403, text: denied("Blocked by Network ACL acl_1.") }, "blocked_by_acl", "Blocked by Network ACL acl_1."],
  [{ status: 403, text: denied("Please upgrade your subscription to enable Tenant ACL Management.") }, "forbidden", ""],
  [{ status: 403, text: "<html>" }, "forbidden", "The tenant responded with status 403"],
  [{ status: 401, text: error(401, "access_denied") }, "unauthorized", "In its words."],
  [{ status: 418, text: "" }, "unexpected_status", "The tenant responded with status 418"],
  [{ status: 499, text: "" }, "unexpected_status", "The tenant responded with status 499"],
  [{ status: 500, text: "" }, "service_failed", "The tenant responded with status 500"],
  [{ status: 599, text: "[]" }, "service_failed", "The tenant responded with status 599"],
])("decodes %j as %s", async (response, code, message) => {
  await expect(read(response)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
    status: response.status ?? 200,
    method: "GET",
    path: "/things",
  });
});

test.each([
  [undefined, "without a location"],
  ["https://me:pass@other.example/a?token=b#c", "to https://…@other.example/a?…"],
  ["//me@other.example", "to //…@other.example"],
  ["/login?state=secret", "to /login?…"],
  ["/users/a@b", "to /users/a@b"],
])("refuses a redirect to %s with the words %j", async (location, where) => {
  const headers: Record<string, string> = location === undefined ? {} : { location };
  await expect(read({ status: 302, headers })).rejects.toMatchObject({
    code: "redirected",
    message: `The endpoint redirects GET /things ${where}. Tenantform follows no redirect.`,
  });
});

test("accepts an object as a record, but not an array", () => {
  expect([{}, null, [], "a", undefined].map(isRecord)).toEqual([true, false, false, false, false]);
  const fields = { a: "record", b: "number" } as const;
  expect(
    [{ a: {}, b: 1, c: 2 }, { a: [], b: 1 }, { a: {}, b: "1" }, null].map((one) => hasFields(one, fields)),
  ).toEqual([true, false, false, false]);
});

const asking = (): Request<unknown> => ({
  method: "POST",
  path: "/api/v2/things?page=0",
  name: "/things",
  headers: {},
  body: '"ä"',
  bucket: "global",
  idempotent: true,
  decoders: {},
  attempts: { count: 0, waitedMs: 12.4 },
});

/** Exchanges of a quarter of a second each. Returns the counts and the log. */
function account(...outcomes: (RawResponse | Error)[]) {
  let time = now;
  const told: unknown[] = [];
  const usage = noUsage();
  const layer = withUsage({
    clock: { now: () => time, sleep: async () => {} },
    log: (level, message, fields) => told.push([level, message, fields]),
    usage,
  });
  const send = layer(async () => {
    time += 250.4;
    const outcome = outcomes.shift()!;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  return { send, told, usage };
}

test("logs a response with its time, its attempt and the quota that it names", async () => {
  const headers = {
    "x-request-id": "r1",
    "x-ratelimit-limit": "10",
    "x-ratelimit-remaining": "9",
    "x-ratelimit-reset": "1767225600",
  };
  const response = { status: 200, headers, text: "öäü" };
  const { send, told, usage } = account(response);
  expect(await send(asking())).toBe(response);
  expect(told).toEqual([
    [
      "debug",
      "POST /api/v2/things?page=0",
      {
        method: "POST",
        path: "/things",
        status: 200,
        ms: 250,
        request_id: "r1",
        try: 1,
        waited_ms: 12,
        bucket: "global",
        limit: "10",
        remaining: "9",
        reset: "1767225600",
      },
    ],
  ]);
  expect(usage).toEqual({ ...noUsage(), requests: 1 });
});

test("passes on a failure with its code, and counts further attempts as retries and 429s as throttled", async () => {
  const broken = new TenantError("timeout", "It failed.");
  const defect = new TypeError("x is not a function");
  const { send, told, usage } = account(broken, defect, { status: 429, headers: {}, text: "" });
  const sent = asking();
  await expect(send(sent)).rejects.toBe(broken);
  await expect(send(sent)).rejects.toBe(defect);
  await send(sent);
  expect(told).toMatchObject([
    ["debug", "POST /api/v2/things?page=0", { status: "timeout", try: 1, ms: 250 }],
    ["debug", "POST /api/v2/things?page=0", { status: "error", try: 2 }],
    ["debug", "POST /api/v2/things?page=0", { status: 429, try: 3 }],
  ]);
  expect(usage).toMatchObject({ requests: 3, retries: 2, throttled: 1 });
});

const local = Date.parse("2026-01-01T00:00:00.700Z");
const date = "Thu, 01 Jan 2026 00:00:00 GMT";
const second = Date.parse(date) / 1000;

const asked = (headers: Record<string, string>, at = local, status = 503) => {
  const told = requestedWait(status, headers, at);
  // Every reported time is padded.
  return told === undefined ? undefined : told - 100;
};

test("reads Retry-After as seconds or as a time of the service's clock", () => {
  expect(asked({ "retry-after": "7" })).toBe(7_000);
  expect(asked({ "retry-after": " 0 " })).toBe(0);
  expect(asked({ "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT", date })).toBe(9_000);
  // The local clock is one hour ahead. Only the service's two times count.
  expect(asked({ "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT", date }, local + 3_600_000)).toBe(9_000);
  expect(asked({ "retry-after": "Wed, 31 Dec 2025 00:00:09 GMT", date })).toBe(0);
  expect(asked({ "retry-after": "soon" })).toBeUndefined();
  expect(asked({})).toBeUndefined();
});

test("counts the reset from the service's clock, or from the local clock if the service names no time", () => {
  expect(untilReset({ "x-ratelimit-reset": String(second + 5), date }, local + 3_600_000)).toBe(5_000);
  expect(untilReset({ "x-ratelimit-reset": String(second + 5) }, local)).toBe(4_300);
  expect(untilReset({ "x-ratelimit-reset": String(second), date }, local)).toBe(0);
  expect(untilReset({ "x-ratelimit-reset": "soon" }, local)).toBeUndefined();
});

test("ignores a reset in another unit or of another clock, because no bucket needs a day for a token", () => {
  expect(untilReset({ "x-ratelimit-reset": String(second + 86_400), date }, local)).toBe(86_400_000);
  expect(untilReset({ "x-ratelimit-reset": String(second + 86_401), date }, local)).toBeUndefined();
  expect(requestedWait(429, { "x-ratelimit-reset": String(local), date }, local)).toBeUndefined();
  expect(
    untilReset({ "x-ratelimit-reset": String(second), date: "Thu, 01 Jan 1970 00:00:00 GMT" }, local),
  ).toBeUndefined();
});

test("waits for a reset that equals now, and prefers Retry-After", () => {
  const reset = { date, "x-ratelimit-reset": String(second) };
  expect(requestedWait(429, reset, local)).toBe(100);
  expect(requestedWait(429, { ...reset, "retry-after": "3" }, local)).toBe(3_100);
  // Only a 429 is about the quota.
  const later = { date, "x-ratelimit-reset": String(second + 60) };
  expect(requestedWait(503, later, local)).toBeUndefined();
  expect(requestedWait(503, { "retry-after": "2" }, local)).toBe(2_100);
});

const anything = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.nat().map(String),
  fc.double().map(String),
  fc.date({ noInvalidDate: true }).map((moment) => moment.toUTCString()),
  fc.constantFrom("Infinity", "-1", "1e309", "0x10", "99999999999999999999", "NaN", "1,2", ""),
);

test("reads headers with arbitrary text as a possible wait, or ignores them", () => {
  const headers = fc.record(
    { date: anything, "retry-after": anything, "x-ratelimit-reset": anything },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(headers, fc.constantFrom(429, 503), (told, status) => {
      const wait = requestedWait(status, told as Record<string, string>, local);
      if (wait === undefined) return;
      expect(wait).toBeGreaterThanOrEqual(100);
      expect(Number.isFinite(wait)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

describe("the estimate of a bucket", () => {
  const start = Date.parse("2026-01-01T00:00:00Z");
  const empty: RateLimit = { limit: 10, remaining: 0, emptyFor: 0 };
  const send = (bucket: ReturnType<typeof createTokenBucket>, count: number) =>
    Array.from({ length: count }, () => bucket.sent(start));

  test("sends the next request one fifth of a token after the time that a 429 names", () => {
    const bucket = createTokenBucket(10);
    bucket.refused(start, start + 1_000);
    expect(bucket.readyAt(start + 1_000)).toBe(start + 1_200);
  });

  test("lets no request wait for the reset while tokens are left", () => {
    const bucket = createTokenBucket(10);
    const [one, two] = send(bucket, 2);
    bucket.completed(one!, start, { limit: 10, remaining: 5, emptyFor: 30_000 });
    expect(bucket.readyAt(start)).toBeLessThanOrEqual(start);
    bucket.completed(two!, start, { ...empty, emptyFor: 30_000 });
    expect(bucket.readyAt(start)).toBe(start + 30_000);
  });

  test("subtracts the requests under way if a response describes another bucket", () => {
    const bucket = createTokenBucket(10);
    const [first] = send(bucket, 9);
    bucket.completed(first!, start, empty);
    bucket.atLeast(8, start);
    expect(bucket.readyAt(start)).toBeGreaterThan(start);
    bucket.atLeast(9, start);
    expect(bucket.readyAt(start)).toBeLessThanOrEqual(start);
  });

  test("recognizes a bucket by a size and a number of remaining tokens that is not larger", () => {
    const told = (limit: string, remaining: string, reset: string) =>
      rateLimitOf(
        { "x-ratelimit-limit": limit, "x-ratelimit-remaining": remaining, "x-ratelimit-reset": reset },
        start,
      );
    expect(told("1", "1", String(start / 1000 + 5))).toEqual({ limit: 1, remaining: 1, emptyFor: 4_000 });
    expect(told("10", "12", String(start / 1000))).toEqual({ limit: 10, remaining: 10, emptyFor: 0 });
    expect(told("10", "3", "soon")).toEqual({ limit: 10, remaining: 3, emptyFor: 0 });
    expect([told("0", "0", "0"), told("", "3", "0"), told("10", "", "0")]).toEqual([undefined, undefined, undefined]);
  });
});
