/** The gate every request passes: first come first served, inside the service's quotas and our own caps. */
import type { Clock } from "../clock";
import { TenantError } from "../error";
import type { Log } from "../log";
import type { Bucket, Dispatch, Request } from "./call";
import { createTokenBucket, rateLimitOf, type TokenBucket, type InFlight } from "./token-bucket";
import { longWait, seconds, requestedWait } from "./retry-timing";
import type { RawAnswer } from "./transport";
import { noteWait, type Usage } from "./usage";

export interface RateLimiterOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Requests under way at once. */
  readonly maxConcurrency: number;
  /** Requests a second, whatever the quota allows; undefined: as the quota allows. */
  readonly maxRequestsPerSecond?: number;
}

export interface Admission {
  /** Milliseconds it was held for the quota or the cap on requests a second. */
  readonly waitedMs: number;
  /** Ends the admission; undefined where there was no answer. */
  completed(answer: Pick<RawAnswer, "status" | "headers"> | undefined): void;
}

export interface RateLimiter {
  /**
   * Resolves when a request may go. Rejects with the signal's reason, and with rate_limited where answers tell that the
   * quota stays used up for longer than `maxWait` milliseconds.
   */
  enter(bucket: Bucket, maxWait: number): Promise<Admission>;
  /** Tokens a second that the scarcest quota of the bucket is thought to gain, for the log. */
  rate(bucket: Bucket): number | undefined;
}

export function withRateLimiter(
  pace: RateLimiter,
  { maxRetryWait, usage, clock }: { maxRetryWait: number; usage: Usage; clock: Clock },
): (next: Dispatch) => Dispatch {
  const enter = async ({ bucket, attempts }: Request<unknown>) => {
    const since = clock.now();
    try {
      const admission = await pace.enter(bucket, maxRetryWait - attempts.waitedMs);
      noteWait(usage, admission.waitedMs);
      attempts.waitedMs += admission.waitedMs;
      return admission;
    } catch (error) {
      attempts.waitedMs += clock.now() - since;
      throw error;
    }
  };

  return (next) => async (request) => {
    const { completed: answered } = await enter(request);
    let answer: RawAnswer | undefined;
    try {
      return (answer = await next(request));
    } finally {
      answered(answer);
    }
  };
}

interface Lane {
  /** The token buckets that answers in this lane told of. */
  readonly quotas: Set<TokenBucket>;
  /** Whether any answer has come: until then a few requests find out. */
  answered: boolean;
  /** What was let through: the share that each has in the quotas. */
  readonly underWay: Set<Shares>;
  /** Until when a 429 forbids more. */
  hold: number;
}

type Shares = Map<TokenBucket, InFlight>;

interface Waiting {
  readonly lane: Lane;
  readonly since: number;
  readonly maxWait: number;
  held: boolean;
  admit(admission: Admission): void;
  reject(reason: unknown): void;
}

/** Requests of a kind that go before anything is known of its quota: the smallest subscription allows two at once. */
const scouts = 2;
/** Quotas that are told apart: more are not the service's. */
const mostQuotas = 8;

export function createRateLimiter({
  clock,
  signal,
  log,
  maxConcurrency,
  maxRequestsPerSecond,
}: RateLimiterOptions): RateLimiter {
  const lanes = new Map<Bucket, Lane>();
  // A bucket is known by its size: a request may draw on several, and its answer tells of the scarcest.
  const quotas = new Map<number, TokenBucket>();
  const spacing = maxRequestsPerSecond === undefined ? 0 : 1000 / maxRequestsPerSecond;
  let queue: Waiting[] = [];
  let underWay = 0;
  let nextByCap = 0;
  let wakeAt = Infinity;

  const laneOf = (bucket: Bucket): Lane => {
    const lane = lanes.get(bucket) ?? { quotas: new Set(), answered: false, underWay: new Set(), hold: 0 };
    lanes.set(bucket, lane);
    return lane;
  };

  const readyAt = (lane: Lane, now: number): number => {
    if (underWay >= maxConcurrency || (!lane.answered && lane.underWay.size >= scouts)) return Infinity;
    return Math.max(lane.hold, nextByCap, ...[...lane.quotas].map((quota) => quota.readyAt(now)));
  };

  /** The bucket that an answer in this lane told of; what is under way in the lane draws on it, too. */
  const quotaOf = (lane: Lane, limit: number, now: number): TokenBucket | undefined => {
    const quota = quotas.get(limit) ?? (quotas.size < mostQuotas ? createTokenBucket(limit) : undefined);
    if (!quota) return undefined;
    quotas.set(limit, quota);
    lane.quotas.add(quota);
    for (const shares of lane.underWay) if (!shares.has(quota)) shares.set(quota, quota.sent(now));
    return quota;
  };

  const settle = (lane: Lane, shares: Shares, answer: Parameters<Admission["completed"]>[0]) => {
    const now = clock.now();
    const reading = answer && rateLimitOf(answer.headers, now);
    const told = reading && quotaOf(lane, reading.limit, now);
    if (answer) lane.answered = true;
    lane.underWay.delete(shares);
    underWay--;
    for (const [quota, share] of shares) {
      quota.answered(share, now, quota === told ? reading : undefined);
      if (quota !== told && reading) quota.atLeast(reading.remaining, now);
    }
    if (answer?.status === 429) {
      lane.hold = Math.max(lane.hold, now + (requestedWait(429, answer.headers, now) ?? 0));
      told?.refused(now, lane.hold);
    }
    pump();
  };

  const admit = ({ lane, held, since, admit: resolve }: Waiting, now: number) => {
    const shares: Shares = new Map([...lane.quotas].map((quota) => [quota, quota.sent(now)]));
    lane.underWay.add(shares);
    underWay++;
    nextByCap = Math.max(nextByCap, now) + spacing;
    resolve({ waitedMs: held ? now - since : 0, completed: (answer) => settle(lane, shares, answer) });
  };

  /** Undefined where it was let through or sent away, else when it fits. */
  const tryOne = (waiting: Waiting, now: number): number | undefined => {
    const { lane, since, maxWait } = waiting;
    const hold = Math.max(lane.hold, ...[...lane.quotas].map((quota) => quota.hold));
    if (hold > Math.max(now, since + maxWait)) {
      const details = { retryAfter: hold - now };
      return void waiting.reject(new TenantError("rate_limited", "The tenant's quota is used up.", details));
    }
    const at = readyAt(lane, now);
    if (at <= now) return void admit(waiting, now);
    waiting.held ||= at !== Infinity;
    return at;
  };

  const release = (reason: unknown) => {
    for (const waiting of queue.splice(0)) waiting.reject(reason);
  };
  const pump = () => {
    const now = clock.now();
    let next = Infinity;
    queue = queue.filter((waiting) => {
      const at = tryOne(waiting, now);
      next = Math.min(next, at ?? Infinity);
      return at !== undefined;
    });
    if (next >= wakeAt) return;
    wakeAt = next;
    const ms = next - now;
    if (ms >= longWait) log("warn", `Requests wait ${seconds(ms)} s for the tenant's quota, or their own cap`);
    clock.sleep(ms, signal).then(() => {
      // Another was set to an earlier moment since, and goes on by itself.
      if (wakeAt !== next) return;
      wakeAt = Infinity;
      pump();
    }, release);
  };

  signal.addEventListener("abort", () => release(signal.reason));

  return {
    enter(bucket, maxWait) {
      if (signal.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        queue.push({ lane: laneOf(bucket), since: clock.now(), maxWait, held: false, admit: resolve, reject });
        pump();
      });
    },
    rate(bucket) {
      const rates = [...laneOf(bucket).quotas].map(({ rate }) => rate);
      return rates.length > 0 ? Math.round(Math.min(...rates) * 10) / 10 : undefined;
    },
  };
}
