/** The estimate of one token bucket after each response. */
import { createTokenBucket, rateLimitOf, type RateLimit } from "../../../src/tenant/http/token-bucket";

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
