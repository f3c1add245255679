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
  expect(quota.rate).toBe(0.5);
  quota.refused(start + 6_000, start + 9_000);
  expect(quota.rate).toBe(0.25);
});

test("after a refusal the next goes soon after the moment that was told, whatever was sent before", () => {
  const quota = createQuota(10);
  for (const sending of send(quota, 10)) {
    quota.answered(sending, start + 100, empty);
    quota.refused(start + 100, start + 5_000);
  }
  expect(quota.readyAt(start + 5_000)).toBe(start + 5_200);
});
