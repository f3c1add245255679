import { createRateLimiter, withRateLimiter, type RateLimiterOptions } from "../../../src/tenant/http/rate-limiter";
import type { RawResponse } from "../../../src/tenant/http/transport";
import { noUsage } from "../../../src/tenant/http/usage";
import { createVirtualClock } from "../support/virtual-clock";

/** The layer with a rate limiter of its own. */
function layer(options: Partial<RateLimiterOptions>, maxRetryWait = Infinity) {
  const clock = createVirtualClock();
  const { signal } = new AbortController();
  const usage = noUsage();
  const limiter = createRateLimiter({ clock, signal, log: () => {}, maxConcurrency: 32, ...options });
  const around = withRateLimiter(limiter, { maxRetryWait, usage, clock });
  /** How long a request waited in total, and its error if it failed. */
  const send = async (answering: () => Promise<Partial<RawResponse>>, waitedMs = 0) => {
    const next = async () => ({ status: 200, headers: {}, text: "", ...(await answering()) });
    const attempts = { count: 0, waitedMs };
    const exchange = { method: "GET", path: "/", name: "/", headers: {} } as const;
    const request = { ...exchange, bucket: "global", idempotent: true, decoders: {}, attempts } as const;
    const error = await around(next)(request).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return { waitedMs: attempts.waitedMs, error };
  };
  return { clock, usage, limiter, send };
}

test.each([
  { maxRequestsPerSecond: undefined, waits: [0, 0, 0], longest: 0 },
  { maxRequestsPerSecond: 1, waits: [0, 1_000, 2_000], longest: 2_000 },
])("counts waits for $maxRequestsPerSecond requests per second, but not waits for requests under way", async (one) => {
  const { clock, usage, send } = layer({ maxConcurrency: 1, maxRequestsPerSecond: one.maxRequestsPerSecond });
  const soon = () => clock.sleep(10).then(() => ({}));
  const sent = await clock.run(Promise.all(one.waits.map(() => send(soon))));
  expect(sent).toEqual(one.waits.map((waitedMs) => ({ waitedMs, error: undefined })));
  expect(usage).toMatchObject({ waitedMs: one.waits.reduce((sum, ms) => sum + ms), longestWaitMs: one.longest });
});

const refusedFor = (seconds: number) => ({ status: 429, headers: { "retry-after": String(seconds) } });

test.each([
  { waited: 0, most: 30_100, fits: true },
  { waited: 0, most: 30_099, fits: false },
  { waited: 10_000, most: 40_100, fits: true },
  { waited: 10_000, most: 40_099, fits: false },
])("lets a request that has waited $waited ms of at most $most ms wait 30.1 s more: $fits", async (one) => {
  const { clock, send } = layer({}, one.most);
  await clock.run(send(async () => refusedFor(30)));
  const { waitedMs, error } = await clock.run(send(async () => ({}), one.waited));
  expect(waitedMs).toBe(one.waited + (one.fits ? 30_100 : 0));
  if (one.fits) expect(error).toBeUndefined();
  else expect(error).toMatchObject({ code: "rate_limited", retryAfter: 30_100 });
});

test("rejects a request as soon as its total wait would be too long", async () => {
  const { clock, send } = layer({}, 20_000);
  const slow = send(() => clock.sleep(5_000).then(() => refusedFor(30)));
  const quick = send(async () => refusedFor(10));
  const [, , waiting] = await clock.run(Promise.all([slow, quick, send(async () => ({}))]));
  expect(waiting).toMatchObject({ waitedMs: 5_000, error: { code: "rate_limited", retryAfter: 30_100 } });
});

test("reports the rate of the slowest token bucket with one decimal", async () => {
  const { limiter, send } = layer({});
  const told = (limit: number) => ({ "x-ratelimit-limit": String(limit), "x-ratelimit-remaining": "1" });
  expect(limiter.rate("global")).toBeUndefined();
  await send(async () => ({ headers: told(50) }));
  expect(limiter.rate("global")).toBe(5);
  await send(async () => ({ status: 429, headers: told(12) }));
  expect(limiter.rate("global")).toBe(0.9);
  expect(limiter.rate("members-read")).toBeUndefined();
});
