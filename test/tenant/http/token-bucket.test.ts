/** One bucket as its answers tell of it, request by request. */
import { createTokenBucket, rateLimitOf, type RateLimit } from "../../../src/tenant/http/token-bucket";

const start = Date.parse("2026-01-01T00:00:00Z");
const empty: RateLimit = { limit: 10, remaining: 0, emptyFor: 0 };
const send = (quota: ReturnType<typeof createTokenBucket>, count: number) =>
  Array.from({ length: count }, () => quota.sent(start));

test("what is on its way may not be counted yet: a bucketful of it leaves room for nothing, however long it takes", () => {
  const quota = createTokenBucket(10);
  send(quota, 10);
  const hour = start + 3_600_000;
  expect(quota.readyAt(hour)).toBeGreaterThan(hour);
});

test("refusals of what was sent together are one piece of news", () => {
  const quota = createTokenBucket(10);
  for (const sending of send(quota, 10)) {
    quota.answered(sending, start + 100, empty);
    quota.refused(start + 100, start + 5_000);
  }
  const once = quota.rate;
  expect(once).toBeLessThan(1);
  quota.refused(start + 4_000, start + 5_000);
  expect(quota.rate).toBe(once);
  quota.refused(start + 6_000, start + 9_000);
  expect(quota.rate).toBeCloseTo(once * 0.715, 10);
});

test("after a refusal the next goes soon after the moment that was told, whatever was sent before", () => {
  const quota = createTokenBucket(10);
  for (const sending of send(quota, 10)) {
    quota.answered(sending, start + 100, empty);
    quota.refused(start + 100, start + 5_000);
  }
  expect(quota.readyAt(start + 5_000)).toBe(start + 5_000 + Math.ceil(500 / quota.rate));
});

test("after a first refusal, which may be the only one, the next goes sooner than after a second", () => {
  const quota = createTokenBucket(10);
  quota.refused(start, start + 1_000);
  expect(quota.readyAt(start + 1_000)).toBe(start + 1_000 + Math.ceil(200 / quota.rate));
  quota.refused(start + 2_000, start + 3_000);
  expect(quota.readyAt(start + 3_000)).toBe(start + 3_000 + Math.ceil(500 / quota.rate));
});

test("after a refusal one goes at a time, at a rate that gives way where nothing is left and rises where more is, until much is", () => {
  const quota = createTokenBucket(10);
  const answer = (remaining: number, seconds: number) => {
    const now = start + seconds * 1000;
    quota.answered(quota.sent(now), now, { limit: 10, remaining, emptyFor: 0 });
    return now;
  };
  quota.refused(start, start);
  const refused = quota.rate;
  answer(0, 10);
  const slowed = quota.rate;
  expect(slowed).toBeLessThan(refused);
  answer(1, 15);
  expect(quota.rate).toBeGreaterThan(slowed);
  const now = answer(5, 20);
  expect(quota.rate).toBeGreaterThan(refused);
  expect(quota.readyAt(now)).toBe(now);
  quota.sent(now);
  expect(quota.readyAt(now)).toBeGreaterThan(now);
  for (let count = 0; count < 200; count++) answer(0, 30 + count);
  expect(quota.rate).toBeLessThan(0.12);
  const later = answer(6, 300);
  answer(6, 300);
  quota.sent(later);
  expect(quota.readyAt(later)).toBeLessThanOrEqual(later);
});

test("while something is left, nothing waits for the moment at which more comes", () => {
  const quota = createTokenBucket(10);
  const [first, second] = send(quota, 2);
  quota.answered(first!, start, { limit: 10, remaining: 5, emptyFor: 30_000 });
  expect(quota.readyAt(start)).toBeLessThanOrEqual(start);
  quota.answered(second!, start, { ...empty, emptyFor: 30_000 });
  expect(quota.readyAt(start)).toBe(start + 30_000);
});

test("of what another bucket tells, that which is on its way is taken off", () => {
  const quota = createTokenBucket(10);
  const [first] = send(quota, 9);
  quota.answered(first!, start, empty);
  quota.atLeast(8, start);
  expect(quota.readyAt(start)).toBeGreaterThan(start);
  quota.atLeast(9, start);
  expect(quota.readyAt(start)).toBeLessThanOrEqual(start);
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
  const quota = createTokenBucket(10);
  const full: RateLimit = { limit: 10, remaining: 9, emptyFor: 0 };
  for (let minute = 0; minute < 20; minute++) {
    const now = start + minute * 60_000;
    quota.answered(quota.sent(now), now, full);
  }
  expect(quota.rate).toBe(1);
  const later = start + 1_200_000;
  const sent = [quota.sent(later), quota.sent(later)];
  for (const sending of sent) quota.answered(sending, later, full);
  expect(quota.rate).toBe(1.5);
});

test("a bucket of one token is empty after each request: that slows nothing down", () => {
  const quota = createTokenBucket(1);
  quota.refused(start, start);
  const refused = quota.rate;
  for (let count = 1; count < 200; count++) {
    const now = start + count * 1000;
    quota.answered(quota.sent(now), now, { limit: 1, remaining: 0, emptyFor: 0 });
  }
  expect(quota.rate).toBeGreaterThan(refused);
});
