/** One bucket as its answers tell of it, request by request. */
import { createQuota, type Reading } from "../../../src/tenant/http/quota";

const start = Date.parse("2026-01-01T00:00:00Z");
const empty: Reading = { limit: 10, remaining: 0, dry: 0 };
const send = (quota: ReturnType<typeof createQuota>, count: number) =>
  Array.from({ length: count }, () => quota.sent(start));

test("what is on its way may not be counted yet: a bucketful of it leaves room for nothing, however long it takes", () => {
  const quota = createQuota(10);
  send(quota, 10);
  const hour = start + 3_600_000;
  expect(quota.readyAt(hour)).toBeGreaterThan(hour);
});

test("refusals of what was sent together are one piece of news", () => {
  const quota = createQuota(10);
  for (const sending of send(quota, 10)) {
    quota.answered(sending, start + 100, empty);
    quota.refused(start + 100, start + 5_000);
  }
  const once = quota.rate;
  expect(once).toBeLessThan(1);
  quota.refused(start + 4_000, start + 5_000);
  expect(quota.rate).toBe(once);
  quota.refused(start + 6_000, start + 9_000);
  expect(quota.rate).toBe(once * 0.7);
});

test("after a refusal the next goes soon after the moment that was told, whatever was sent before", () => {
  const quota = createQuota(10);
  for (const sending of send(quota, 10)) {
    quota.answered(sending, start + 100, empty);
    quota.refused(start + 100, start + 5_000);
  }
  expect(quota.readyAt(start + 5_000)).toBe(start + 5_000 + Math.ceil(500 / quota.rate));
});

test("after a refusal one goes at a time, at a rate that gives way where nothing is left and rises where more is, until much is", () => {
  const quota = createQuota(10);
  const answer = (remaining: number, seconds: number) => {
    const now = start + seconds * 1000;
    quota.answered(quota.sent(now), now, { limit: 10, remaining, dry: 0 });
    return now;
  };
  quota.refused(start, start);
  const refused = quota.rate;
  answer(0, 10);
  expect(quota.rate).toBeLessThan(refused);
  const now = answer(5, 20);
  expect(quota.rate).toBeGreaterThan(refused);
  expect(quota.readyAt(now)).toBe(now);
  quota.sent(now);
  expect(quota.readyAt(now)).toBeGreaterThan(now);
  for (let count = 0; count < 200; count++) answer(0, 30 + count);
  expect(quota.rate).toBe(0.05);
  const later = answer(6, 300);
  answer(6, 300);
  quota.sent(later);
  expect(quota.readyAt(later)).toBe(later);
});
