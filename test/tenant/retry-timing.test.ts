import fc from "fast-check";
import { TenantError } from "../../src/tenant/error";
import { isTransient, maxTries, retryAfter, retryDelay, untilReset } from "../../src/tenant/retry-timing";

const now = Date.parse("2026-01-01T00:00:00.700Z");
const date = "Thu, 01 Jan 2026 00:00:00 GMT";
const second = Date.parse(date) / 1000;

test("Retry-After is read as seconds or as a moment of the service's clock", () => {
  expect(retryAfter({ "retry-after": "7" }, now)).toBe(7_000);
  expect(retryAfter({ "retry-after": " 0 " }, now)).toBe(0);
  expect(retryAfter({ "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT", date }, now)).toBe(9_000);
  // Our clock is an hour ahead: the difference between the two of the service counts.
  expect(retryAfter({ "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT", date }, now + 3_600_000)).toBe(9_000);
  expect(retryAfter({ "retry-after": "Wed, 31 Dec 2025 00:00:09 GMT", date }, now)).toBe(0);
  expect(retryAfter({ "retry-after": "soon" }, now)).toBeUndefined();
  expect(retryAfter({}, now)).toBeUndefined();
});

test("the reset counts from the service's clock, from ours where it tells none", () => {
  expect(untilReset({ "x-ratelimit-reset": String(second + 5), date }, now + 3_600_000)).toBe(5_000);
  expect(untilReset({ "x-ratelimit-reset": String(second + 5) }, now)).toBe(4_300);
  expect(untilReset({ "x-ratelimit-reset": String(second), date }, now)).toBe(0);
  expect(untilReset({ "x-ratelimit-reset": "soon" }, now)).toBeUndefined();
});

test("a delay is what was told with padding and jitter, else jitter alone, and grows to a bound", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.integer({ min: 0, max: 600 }),
      (failures, chance, wait) => {
        const random = () => chance;
        const bound = Math.min(8_000, 250 * 2 ** failures);
        const blind = retryDelay({ failures, status: 503, now, random });
        expect(blind).toBeGreaterThanOrEqual(0);
        expect(blind).toBeLessThan(bound);
        const told = retryDelay({ failures, status: 429, headers: { "retry-after": String(wait) }, now, random });
        expect(told).toBeGreaterThan(wait * 1000);
        expect(told).toBeLessThanOrEqual(wait * 1000 + 100 + bound);
      },
    ),
  );
});

test("a reset that equals now is waited for none the less, Retry-After goes before it", () => {
  const reset = { date, "x-ratelimit-reset": String(second) };
  const random = () => 0;
  expect(retryDelay({ failures: 1, status: 429, headers: reset, now, random })).toBe(100);
  expect(retryDelay({ failures: 1, status: 429, headers: { ...reset, "retry-after": "3" }, now, random })).toBe(3_100);
  // Only a 429 is about the quota.
  const later = { date, "x-ratelimit-reset": String(second + 60) };
  expect(retryDelay({ failures: 1, status: 503, headers: later, now, random })).toBe(0);
  expect(retryDelay({ failures: 1, status: 503, headers: { "retry-after": "2" }, now, random })).toBe(2_100);
});

test("what is worth another try", () => {
  expect([undefined, 408, 500, 502, 503, 504].map(isTransient)).toEqual(Array(6).fill(true));
  expect([200, 400, 401, 403, 404, 409, 429].map(isTransient)).toEqual(Array(7).fill(false));
  expect(maxTries(new TenantError("service_failed", ""))).toBe(7);
  expect(maxTries(new TenantError("timeout", ""))).toBe(3);
  expect(maxTries(new TenantError("connection_failed", "", { unsent: true }))).toBe(3);
});
