/** One bucket as its answers tell of it, request by request. */
import { createTokenBucket, rateLimitOf, type RateLimit } from "../../../src/tenant/http/token-bucket";

const start = Date.parse("2026-01-01T00:00:00Z");
const empty: RateLimit = { limit: 10, remaining: 0, emptyFor: 0 };
const send = (bucket: ReturnType<typeof createTokenBucket>, count: number) =>
  Array.from({ length: count }, () => bucket.sent(start));

test("what is on its way may not be counted yet: a bucketful of it leaves room for nothing, however long it takes", () => {
  const bucket = createTokenBucket(10);
  send(bucket, 10);
  const hour = start + 3_600_000;
  expect(bucket.readyAt(hour)).toBeGreaterThan(hour);
});

test("refusals of what was sent together are one piece of news", () => {
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

test("after a refusal the next goes soon after the moment that was told, whatever was sent before", () => {
  const bucket = createTokenBucket(10);
  for (const request of send(bucket, 10)) {
    bucket.completed(request, start + 100, empty);
    bucket.refused(start + 100, start + 5_000);
  }
  expect(bucket.readyAt(start + 5_000)).toBe(start + 5_000 + Math.ceil(500 / bucket.rate));
});

test("after a first refusal, which may be the only one, the next goes sooner than after a second", () => {
  const bucket = createTokenBucket(10);
  bucket.refused(start, start + 1_000);
  expect(bucket.readyAt(start + 1_000)).toBe(start + 1_000 + Math.ceil(200 / bucket.rate));
  bucket.refused(start + 2_000, start + 3_000);
  expect(bucket.readyAt(start + 3_000)).toBe(start + 3_000 + Math.ceil(500 / bucket.rate));
});

test("after a refusal one goes at a time, at a rate that gives way where nothing is left and rises where more is, until much is", () => {
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

test("while something is left, nothing waits for the moment at which more comes", () => {
  const bucket = createTokenBucket(10);
  const [first, second] = send(bucket, 2);
  bucket.completed(first!, start, { limit: 10, remaining: 5, emptyFor: 30_000 });
  expect(bucket.readyAt(start)).toBeLessThanOrEqual(start);
  bucket.completed(second!, start, { ...empty, emptyFor: 30_000 });
  expect(bucket.readyAt(start)).toBe(start + 30_000);
});

test("of what another bucket tells, that which is on its way is taken off", () => {
  const bucket = createTokenBucket(10);
  const [first] = send(bucket, 9);
  bucket.completed(first!, start, empty);
  bucket.atLeast(8, start);
  expect(bucket.readyAt(start)).toBeGreaterThan(start);
  bucket.atLeast(9, start);
  expect(bucket.readyAt(start)).toBeLessThanOrEqual(start);
});

test("a bucket is read from what tells of one: a size, and no more left than that", () => {
  const told = (limit: string, remaining: string, reset: string) =>
    rateLimitOf({ "x-ratelimit-limit": limit, "x-ratelimit-remaining": remaining, "x-ratelimit-reset": reset }, start);
  expect(told("1", "1", String(start / 1000 + 5))).toEqual({ limit: 1, remaining: 1, emptyFor: 4_000 });
  expect(told("10", "12", String(start / 1000))).toEqual({ limit: 10, remaining: 10, emptyFor: 0 });
  expect(told("10", "3", "soon")).toEqual({ limit: 10, remaining: 3, emptyFor: 0 });
  expect([told("0", "0", "0"), told("", "3", "0"), told("10", "", "0")]).toEqual([undefined, undefined, undefined]);
});

test("a bucket that is full although we held back fills faster than was thought; one that nobody drew on tells nothing", () => {
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

test("a bucket of one token is empty after each request: that slows nothing down", () => {
  const bucket = createTokenBucket(1);
  bucket.refused(start, start);
  const refused = bucket.rate;
  for (let count = 1; count < 200; count++) {
    const now = start + count * 1000;
    bucket.completed(bucket.sent(now), now, { limit: 1, remaining: 0, emptyFor: 0 });
  }
  expect(bucket.rate).toBeGreaterThan(refused);
});
