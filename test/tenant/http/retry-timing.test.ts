import fc from "../../support/random";
import { retryDelay, untilReset, requestedWait } from "../../../src/tenant/http/retry-timing";

const now = Date.parse("2026-01-01T00:00:00.700Z");
const date = "Thu, 01 Jan 2026 00:00:00 GMT";
const second = Date.parse(date) / 1000;

const asked = (headers: Record<string, string>, at = now, status = 503) => {
  const told = requestedWait(status, headers, at);
  // Every reported time is padded.
  return told === undefined ? undefined : told - 100;
};

test("reads Retry-After as seconds or as a time of the service's clock", () => {
  expect(asked({ "retry-after": "7" })).toBe(7_000);
  expect(asked({ "retry-after": " 0 " })).toBe(0);
  expect(asked({ "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT", date })).toBe(9_000);
  // The local clock is one hour ahead. Only the service's two times count.
  expect(asked({ "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT", date }, now + 3_600_000)).toBe(9_000);
  expect(asked({ "retry-after": "Wed, 31 Dec 2025 00:00:09 GMT", date })).toBe(0);
  expect(asked({ "retry-after": "soon" })).toBeUndefined();
  expect(asked({})).toBeUndefined();
});

test("counts the reset from the service's clock, or from the local clock if the service names no time", () => {
  expect(untilReset({ "x-ratelimit-reset": String(second + 5), date }, now + 3_600_000)).toBe(5_000);
  expect(untilReset({ "x-ratelimit-reset": String(second + 5) }, now)).toBe(4_300);
  expect(untilReset({ "x-ratelimit-reset": String(second), date }, now)).toBe(0);
  expect(untilReset({ "x-ratelimit-reset": "soon" }, now)).toBeUndefined();
});

test("ignores a reset in another unit or of another clock, because no bucket needs a day for a token", () => {
  expect(untilReset({ "x-ratelimit-reset": String(second + 86_400), date }, now)).toBe(86_400_000);
  expect(untilReset({ "x-ratelimit-reset": String(second + 86_401), date }, now)).toBeUndefined();
  expect(requestedWait(429, { "x-ratelimit-reset": String(now), date }, now)).toBeUndefined();
  expect(
    untilReset({ "x-ratelimit-reset": String(second), date: "Thu, 01 Jan 1970 00:00:00 GMT" }, now),
  ).toBeUndefined();
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

test("waits for a reset that equals now, and prefers Retry-After", () => {
  const reset = { date, "x-ratelimit-reset": String(second) };
  expect(requestedWait(429, reset, now)).toBe(100);
  expect(requestedWait(429, { ...reset, "retry-after": "3" }, now)).toBe(3_100);
  // Only a 429 is about the quota.
  const later = { date, "x-ratelimit-reset": String(second + 60) };
  expect(requestedWait(503, later, now)).toBeUndefined();
  expect(requestedWait(503, { "retry-after": "2" }, now)).toBe(2_100);
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
      const wait = requestedWait(status, told as Record<string, string>, now);
      if (wait === undefined) return;
      expect(wait).toBeGreaterThanOrEqual(100);
      expect(Number.isFinite(wait)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
