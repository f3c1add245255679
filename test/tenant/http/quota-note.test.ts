/** A process opens with as many requests as the quota allowed at the end of the process before it. */
import { createRateLimiter } from "../../../src/tenant/http/rate-limiter";
import { simulateQuota } from "../support/simulated-bucket";
import { createVirtualClock } from "../support/virtual-clock";

/** When the virtual clock starts. */
const at = Date.UTC(2026, 0, 1);

interface Quota {
  limit: number;
  perSecond: number;
  /** Tokens at the start. */
  left: number;
}

const enterprise: Quota = { limit: 50, perSecond: 16, left: 50 };

/** Sends 10 requests at once. Returns how many start before the first response, the refused ones, and the note. */
async function open(quotaNote: unknown, { limit, perSecond, left }: Quota = enterprise, pause = 0) {
  const clock = createVirtualClock();
  const service = simulateQuota(clock, limit, perSecond);
  service.take(limit - left);
  const { signal } = new AbortController();
  await clock.run(clock.sleep(pause));
  const limiter = createRateLimiter({ clock, signal, log: () => {}, maxConcurrency: 32, quotaNote });
  let early = 0;
  let refused = 0;
  let isFirst = true;
  const send = async (): Promise<void> => {
    const admission = await limiter.enter("global", Infinity);
    if (isFirst) early++;
    await clock.sleep(100);
    isFirst = false;
    const response = service.count();
    admission.completed(response);
    if (response.status === 200) return;
    refused++;
    return send();
  };
  await clock.run(Promise.all(Array.from({ length: 10 }, send)));
  return { early, refused, note: limiter.note(), now: clock.now() };
}

test("sends two requests first without a note, and ten with the note of the process before it", async () => {
  const first = await open(undefined);
  expect(first).toMatchObject({ early: 2, refused: 0, note: { limit: 50, at: first.now } });
  expect(first.note!.level).toBeCloseTo(40, -1);
  expect(await open({ ...first.note, at })).toMatchObject({ early: 10, refused: 0 });
});

test("sends only as many requests as there were tokens, and those that came since", async () => {
  const service = { limit: 10, perSecond: 2.5, left: 10 };
  expect(await open({ limit: 10, level: 4, at }, service)).toMatchObject({ early: 4, refused: 0 });
  expect(await open({ limit: 10, level: 4, at }, service, 3000)).toMatchObject({ early: 7, refused: 0 });
  expect(await open({ limit: 2, level: 2, at }, { limit: 2, perSecond: 2, left: 2 })).toMatchObject({ early: 2 });
});

test("completes every request if the note promises too much", async () => {
  const { early, refused } = await open({ limit: 50, level: 50, at }, { limit: 10, perSecond: 2.5, left: 3 });
  expect(early).toBe(10);
  expect(refused).toBeGreaterThan(0);
});

test.each([
  ["text", "50"],
  ["null", null],
  ["a list", [50, 50, 0]],
  ["a note without numbers", { limit: "50", level: "50", at: "0" }],
  ["a note of the future", { limit: 50, level: 50, at: 1e15 }],
  ["a note of nothing", { limit: Number.NaN, level: Number.NaN, at: Number.NaN }],
  ["negative numbers", { limit: -50, level: -50, at }],
])("sends two requests first if the file has %s", async (_, note) => {
  expect((await open(note)).early).toBe(2);
});
