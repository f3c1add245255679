/** The estimate of one token bucket after each response. */
import { createTokenBucket, rateLimitOf, type RateLimit } from "../../../src/tenant/http/token-bucket";

const start = Date.parse("2026-01-01T00:00:00Z");
const empty: RateLimit = { limit: 10, remaining: 0, emptyFor: 0 };
const send = (bucket: ReturnType<typeof createTokenBucket>, count: number) =>
  Array.from({ length: count }, () => bucket.sent(start));

test("lowers the rate only once for 429s to requests that were sent together", () => {
  const bucket = createTokenBucket(10);
  for (const request of send(bucket, 10)) {
    bucket.completed(request, start + 100, empty);
    bucket.refused(start + 100, start + 5_000);
  }
  const once = bucket.rate;
  expect(once).toBeLessThan(1);
  bucket.refused(start + 4_000, start + 5_000);
  expect(bucket.rate).toBe(once);
  bucket.refused(start + 6_000, start + 9_000);
  expect(bucket.rate).toBeCloseTo(once * 0.715, 10);
});

test("sends the next request sooner after a first 429, which may be the only one, than after a second", () => {
  const bucket = createTokenBucket(10);
  bucket.refused(start, start + 1_000);
  expect(bucket.readyAt(start + 1_000)).toBe(start + 1_000 + Math.ceil(200 / bucket.rate));
  bucket.refused(start + 2_000, start + 3_000);
  expect(bucket.readyAt(start + 3_000)).toBe(start + 3_000 + Math.ceil(500 / bucket.rate));
});

test("sends one request at a time after a 429, lowers the rate if no token is left, and raises it until many are left", () => {
  const bucket = createTokenBucket(10);
  const answer = (remaining: number, seconds: number) => {
    const now = start + seconds * 1000;
    bucket.completed(bucket.sent(now), now, { limit: 10, remaining, emptyFor: 0 });
    return now;
  };
  bucket.refused(start, start);
  const refused = bucket.rate;
  answer(0, 10);
  const slowed = bucket.rate;
  expect(slowed).toBeLessThan(refused);
  answer(1, 15);
  expect(bucket.rate).toBeGreaterThan(slowed);
  const now = answer(5, 20);
  expect(bucket.rate).toBeGreaterThan(refused);
  expect(bucket.readyAt(now)).toBe(now);
  bucket.sent(now);
  expect(bucket.readyAt(now)).toBeGreaterThan(now);
  for (let count = 0; count < 200; count++) answer(0, 30 + count);
  expect(bucket.rate).toBeLessThan(0.12);
  const later = answer(6, 300);
  answer(6, 300);
  bucket.sent(later);
  expect(bucket.readyAt(later)).toBeLessThanOrEqual(later);
});

test("lets no request wait for the reset while tokens are left", () => {
  const bucket = createTokenBucket(10);
  const [first, second] = send(bucket, 2);
  bucket.completed(first!, start, { limit: 10, remaining: 5, emptyFor: 30_000 });
  expect(bucket.readyAt(start)).toBeLessThanOrEqual(start);
  bucket.completed(second!, start, { ...empty, emptyFor: 30_000 });
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
    rateLimitOf({ "x-ratelimit-limit": limit, "x-ratelimit-remaining": remaining, "x-ratelimit-reset": reset }, start);
  expect(told("1", "1", String(start / 1000 + 5))).toEqual({ limit: 1, remaining: 1, emptyFor: 4_000 });
  expect(told("10", "12", String(start / 1000))).toEqual({ limit: 10, remaining: 10, emptyFor: 0 });
  expect(told("10", "3", "soon")).toEqual({ limit: 10, remaining: 3, emptyFor: 0 });
  expect([told("0", "0", "0"), told("", "3", "0"), told("10", "", "0")]).toEqual([undefined, undefined, undefined]);
});

test("raises the rate if the bucket is full although requests waited, but not after a time without requests", () => {
  const bucket = createTokenBucket(10);
  const full: RateLimit = { limit: 10, remaining: 9, emptyFor: 0 };
  for (let minute = 0; minute < 20; minute++) {
    const now = start + minute * 60_000;
    bucket.completed(bucket.sent(now), now, full);
  }
  expect(bucket.rate).toBe(1);
  const later = start + 1_200_000;
  const sent = [bucket.sent(later), bucket.sent(later)];
  for (const request of sent) bucket.completed(request, later, full);
  expect(bucket.rate).toBe(1.5);
});

test("does not lower the rate of a bucket of one token, which is empty after each request", () => {
  const bucket = createTokenBucket(1);
  bucket.refused(start, start);
  const refused = bucket.rate;
  for (let count = 1; count < 200; count++) {
    const now = start + count * 1000;
    bucket.completed(bucket.sent(now), now, { limit: 1, remaining: 0, emptyFor: 0 });
  }
  expect(bucket.rate).toBeGreaterThan(refused);
});
