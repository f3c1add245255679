/** Requests start in order, within the limits of Auth0 and the configured ones. A 429 is waited for. */
import { noUsage, type Bucket, type RawResponse } from "../../../src/tenant/http/call";
import {
  createRateLimiter,
  withRateLimiter,
  type Admission,
  type RateLimiterOptions,
} from "../../../src/tenant/http/limit";
import { requestedWait } from "../../../src/tenant/http/response";
import { retryDelay } from "../../../src/tenant/http/retry";
import { simulateQuota, type SimulatedQuota } from "../support/simulated-bucket";
import { createVirtualClock, type VirtualClock } from "../support/virtual-clock";

interface Load {
  requests: number;
  limit: number;
  perSecond: number;
  /** Milliseconds of a round trip to the service. */
  latency: number;
  /** Parallel callers. */
  parallel: number;
  /** Tokens at the start. Default: all. */
  left?: number;
  options?: Partial<RateLimiterOptions>;
  /** Tokens per second that other clients take. */
  others?: number;
}

const limiterAt = (clock: VirtualClock, options: Partial<RateLimiterOptions> = {}) =>
  createRateLimiter({ clock, signal: new AbortController().signal, log: () => {}, maxConcurrency: 32, ...options });

/** One process: sends its requests through a rate limiter of its own. */
async function run(load: Load, clock: VirtualClock, service: SimulatedQuota, random = () => 0.5) {
  const limiter = limiterAt(clock, load.options);
  const start = clock.now();
  let refusals = 0;
  let begun = 0;
  let most = 0;
  let underWay = 0;
  const sentAt: number[] = [];

  const one = async (order: number) => {
    for (let failures = 1; ; failures++) {
      const admission = await limiter.enter("global", Infinity);
      most = Math.max(most, ++underWay);
      sentAt.push(clock.now() - start);
      // Requests overtake each other on the way, and so do responses.
      const there = load.latency * (0.3 + 0.4 * (((order * 7919) % 13) / 13));
      await clock.sleep(there);
      const { status, headers } = service.count();
      await clock.sleep(load.latency - there + ((order * 31) % 7));
      underWay--;
      admission.completed({ status, headers });
      if (status === 200) return;
      refusals++;
      await clock.sleep(retryDelay(failures, requestedWait(status, headers, clock.now()), random));
    }
  };
  const caller = async () => {
    while (begun < load.requests) await one(begun++);
  };
  await Promise.all(Array.from({ length: load.parallel }, caller));
  return { refusals, most, sentAt, seconds: (clock.now() - start) / 1000 };
}

/** Sends this many requests to a simulated bucket. Returns the time and the number of 429s. */
async function sendAll(load: Load) {
  const clock = createVirtualClock();
  const service = simulateQuota(clock, load.limit, load.perSecond);
  service.take(load.limit - (load.left ?? load.limit));
  const over = new AbortController();
  const others = async () => {
    while (!over.signal.aborted) {
      await clock.sleep(1000);
      service.take(load.others ?? 0);
    }
  };
  if (load.others) void others();
  return clock.run(run(load, clock, service).finally(() => over.abort()));
}

/** Runs this many processes at once on one bucket. */
async function sendTogether(load: Load, runs: number, seed: number) {
  const clock = createVirtualClock();
  const service = simulateQuota(clock, load.limit, load.perSecond);
  let state = seed;
  const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  const beginLater = async () => {
    await clock.sleep(100 * random());
    return run(load, clock, service, random);
  };
  const ended = await clock.run(Promise.all(Array.from({ length: runs }, beginLater)));
  return { slowest: Math.max(...ended.map(({ seconds }) => seconds)) };
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** The shortest time in seconds that the quota allows. */
const least = ({ requests, limit, perSecond, latency, left = limit }: Load) =>
  Math.max(0, (requests - left) / perSecond) + latency / 1000;

const tiers = [
  { name: "free", limit: 2, perSecond: 2 },
  { name: "essentials", limit: 10, perSecond: 2.5 },
  { name: "enterprise", limit: 50, perSecond: 16 },
  { name: "enterprise for trials", limit: 10, perSecond: 2 },
  { name: "member reads", limit: 40, perSecond: 500 / 60 },
  { name: "member writes", limit: 20, perSecond: 200 / 60 },
];

describe.each(tiers)("$name", ({ limit, perSecond }) => {
  test.each([
    { latency: 20, parallel: 10 },
    { latency: 100, parallel: 10 },
    { latency: 280, parallel: 10 },
    { latency: 280, parallel: 32 },
    { latency: 100, parallel: 1 },
  ])("uses up the quota with few 429s, at $latency ms with $parallel at once", async ({ latency, parallel }) => {
    const load = { requests: limit * 8, limit, perSecond, latency, parallel };
    const { refusals, seconds } = await sendAll(load);
    // Two 429s may cost a second, because they name whole seconds.
    const serial = (load.requests * (latency + 7)) / 1000 / parallel;
    expect(refusals).toBeLessThanOrEqual(Math.max(2, load.requests * 0.02));
    expect(seconds).toBeLessThanOrEqual(Math.max(least(load), serial) * 1.1 + 2 * (latency / 1000) + 1.2);
  });
});

test("learns with two requests, not with ten, that others emptied the bucket before", async () => {
  const { refusals } = await sendAll({ requests: 60, limit: 10, perSecond: 2.5, latency: 100, parallel: 10, left: 0 });
  expect(refusals).toBeLessThanOrEqual(2);
});

test.each([
  { name: "an unknown bucket", size: undefined, left: 50, atOnce: 2, most: 0 },
  { name: "a remembered bucket", size: 50, left: 50, atOnce: 10, most: 0 },
  { name: "a remembered bucket that others emptied", size: 50, left: 0, atOnce: 10, most: 12 },
])("starts $atOnce requests in $name, and tells its size", async ({ size, left, atOnce, most }) => {
  const learned: number[] = [];
  const remembered = { quota: () => size, learnedQuota: (one: number) => void learned.push(one) };
  const load = { requests: 20, limit: 50, perSecond: 16, latency: 100, parallel: 10, left, options: { remembered } };
  const { sentAt, refusals } = await sendAll(load);
  expect(sentAt.filter((at) => at === 0)).toHaveLength(atOnce);
  expect(refusals).toBeLessThanOrEqual(most);
  expect(learned).toEqual([50]);
});

test("waits for a slow bucket as its reset says", async () => {
  const { refusals, seconds } = await sendAll({ requests: 30, limit: 10, perSecond: 0.2, latency: 100, parallel: 10 });
  expect(refusals).toBeLessThanOrEqual(4);
  expect(seconds).toBeLessThanOrEqual(20 / 0.2 + 15);
});

test.each([
  { name: "free", limit: 2, perSecond: 2, requests: 15, runs: 4 },
  { name: "essentials", limit: 10, perSecond: 2.5, requests: 15, runs: 4 },
  { name: "essentials", limit: 10, perSecond: 2.5, requests: 15, runs: 8 },
  { name: "enterprise", limit: 50, perSecond: 16, requests: 100, runs: 8 },
])("lets $runs runs use up the quota of one tenant of tier $name", async ({ limit, perSecond, requests, runs }) => {
  const load = { requests, limit, perSecond, latency: 100, parallel: 10 };
  const seeds = [7919, 104_729, 1_299_709];
  const ended = await Promise.all(seeds.map((seed) => sendTogether(load, runs, seed)));
  const shortest = least({ ...load, requests: requests * runs });
  expect(mean(ended.map(({ slowest }) => slowest))).toBeLessThanOrEqual(shortest * 1.5);
});

const ample = { limit: 1000, perSecond: 1000, latency: 50 };

test("spaces requests evenly at the configured requests per second", async () => {
  const { sentAt } = await sendAll({ ...ample, requests: 20, parallel: 10, options: { maxRequestsPerSecond: 4 } });
  const gaps = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(249);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(260);
});

test("keeps to the configured number of requests under way", async () => {
  const { most } = await sendAll({ ...ample, requests: 50, parallel: 20, options: { maxConcurrency: 3 } });
  expect(most).toBe(3);
});

test("stops all requests of a bucket after a 429 that names no limit, logs that once, and ends it only by a response that names one", async () => {
  const clock = createVirtualClock();
  const told: string[] = [];
  const limiter = limiterAt(clock, { log: (_, message) => told.push(message) });
  const free = clock.now() + 30_000;
  let refusals = 0;
  const one = async () => {
    for (;;) {
      const admission = await limiter.enter("global", Infinity);
      await clock.sleep(10);
      const status = clock.now() < free ? 429 : 200;
      const headers: Record<string, string> = refusals === 0 ? { "retry-after": "30" } : {};
      admission.completed({ status, headers });
      if (status === 200) return;
      refusals++;
    }
  };
  await clock.run(Promise.all(Array.from({ length: 10 }, one)));
  expect(refusals).toBe(2);
  expect(told).toEqual(["Requests wait 31 s for the tenant's quota, or their own cap"]);
});

/** A rate limiter, and the order in which callers may start. */
function gateFor(maxConcurrency: number) {
  const clock = createVirtualClock();
  const limiter = limiterAt(clock, { maxConcurrency });
  const entered: string[] = [];
  const admissions: Admission[] = [];
  const ask = (name: string, bucket: Bucket = "global") =>
    void limiter.enter(bucket, Infinity).then((admission) => {
      entered.push(name);
      admissions.push(admission);
    });
  /** Lets all pending work run. */
  const settled = () => clock.run(clock.sleep(0));
  return { ask, entered, admissions, settled };
}

test("starts requests in the order of their arrival", async () => {
  const { ask, entered, admissions, settled } = gateFor(1);
  for (const name of ["a", "b", "c", "d"]) ask(name, name === "b" ? "members-read" : "global");
  for (let count = 1; count <= 4; count++) {
    await settled();
    expect(entered).toEqual(["a", "b", "c", "d"].slice(0, count));
    admissions[count - 1]!.completed({ status: 200, headers: {} });
  }
});

test("still starts only two requests at once after a request ended without a response", async () => {
  const { ask, entered, admissions, settled } = gateFor(32);
  for (let count = 0; count < 10; count++) ask(String(count));
  await settled();
  for (const { completed } of admissions.splice(0)) completed(undefined);
  await settled();
  expect(entered).toHaveLength(4);
  admissions[0]!.completed({ status: 200, headers: {} });
  await settled();
  expect(entered).toHaveLength(10);
});

/** The layer with a rate limiter of its own. */
function layer(options: Partial<RateLimiterOptions>, maxRetryWait = Infinity) {
  const clock = createVirtualClock();
  const usage = noUsage();
  const limiter = limiterAt(clock, options);
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
