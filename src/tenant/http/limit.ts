/** Lets requests start in order, within the limits of Auth0 and the configured ones. A 429 is waited for here, and in `retry.ts`. */
import type { Clock } from "../clock";
import type { Tokens } from "../auth/token";
import { TenantError } from "../error";
import type { Log } from "../secrets";
import { noteWait, type Bucket, type Dispatch, type RawResponse, type Usage } from "./call";
import { longWait, requestedWait, seconds } from "./response";
import { createTokenBucket, rateLimitOf, type InFlight, type TokenBucket } from "./token-bucket";

export type ResponseHead = Pick<RawResponse, "status" | "headers">;

export interface RateLimiterOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Requests under way at once. */
  readonly maxConcurrency: number;
  /** Requests per second, in addition to the service's rate limits. Default: no limit. */
  readonly maxRequestsPerSecond?: number;
  /** What an earlier process learned. Default: nothing. */
  readonly remembered?: Pick<Tokens, "quota" | "learnedQuota">;
}

export interface Admission {
  /** Milliseconds that the request waited for a rate limit. */
  readonly waitedMs: number;
  /** Call it once, with the response if there is one. */
  completed(response: ResponseHead | undefined): void;
}

export interface RateLimiter {
  /**
   * Resolves when a request may start. Rejects with the signal's reason, or with rate_limited if responses forbid requests for
   * longer than `maxWait` milliseconds.
   */
  enter(bucket: Bucket, maxWait: number): Promise<Admission>;
}

export function withRateLimiter(
  rateLimiter: RateLimiter,
  { maxRetryWait, usage, clock }: { maxRetryWait: number; usage: Usage; clock: Clock },
): (next: Dispatch) => Dispatch {
  return (next) => async (request) => {
    const { bucket, attempts } = request;
    const since = clock.now();
    const admission = await rateLimiter.enter(bucket, maxRetryWait - attempts.waitedMs).catch((error: unknown) => {
      attempts.waitedMs += clock.now() - since;
      throw error;
    });
    noteWait(usage, admission.waitedMs);
    attempts.waitedMs += admission.waitedMs;
    let response: RawResponse | undefined;
    try {
      return (response = await next(request));
    } finally {
      admission.completed(response);
    }
  };
}

interface Waiting {
  readonly bucket: Bucket;
  readonly since: number;
  readonly maxWait: number;
  /** Whether a rate limit delayed it, and not only requests under way. */
  isDelayed: boolean;
  admit(admission: Admission): void;
  reject(reason: unknown): void;
}

export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { clock, signal, log, maxConcurrency, maxRequestsPerSecond = Infinity } = options;
  const limits = createRateLimits(options.remembered);
  const spacing = 1000 / maxRequestsPerSecond;
  let queue: Waiting[] = [];
  let underWay = 0;
  let nextStart = 0;
  let wakeAt = Infinity;

  const admit = ({ bucket, isDelayed, since, admit: resolve }: Waiting, now: number) => {
    const end = limits.start(bucket, now);
    underWay++;
    nextStart = Math.max(nextStart, now) + spacing;
    const completed = (response: ResponseHead | undefined) => {
      end(response, clock.now());
      underWay--;
      startReady();
    };
    resolve({ waitedMs: isDelayed ? now - since : 0, completed });
  };

  /** Undefined if the request starts or is rejected, else when to try again. */
  const tryOne = (waiting: Waiting, now: number): number | undefined => {
    const { bucket, since, maxWait } = waiting;
    const blockedUntil = limits.blockedUntil(bucket);
    if (blockedUntil > Math.max(now, since + maxWait)) {
      const details = { retryAfter: blockedUntil - now };
      return void waiting.reject(new TenantError("rate_limited", "The tenant's quota is used up.", details));
    }
    const at = underWay >= maxConcurrency ? Infinity : Math.max(nextStart, limits.readyAt(bucket, now));
    if (at <= now) return void admit(waiting, now);
    waiting.isDelayed ||= at !== Infinity;
    return at;
  };

  const rejectAll = (reason: unknown) => {
    for (const waiting of queue.splice(0)) waiting.reject(reason);
  };

  const startReady = () => {
    const now = clock.now();
    let next = Infinity;
    queue = queue.filter((waiting) => {
      const at = tryOne(waiting, now);
      next = Math.min(next, at ?? Infinity);
      return at !== undefined;
    });
    if (next < wakeAt) wakeUpAt(next, now);
  };

  const wakeUpAt = (at: number, now: number) => {
    wakeAt = at;
    const ms = at - now;
    if (ms >= longWait) log("warn", `Requests wait ${seconds(ms)} s for the tenant's quota, or their own cap`);
    clock.sleep(ms, signal).then(() => {
      // If an earlier time was set since, that timer continues.
      if (wakeAt !== at) return;
      wakeAt = Infinity;
      startReady();
    }, rejectAll);
  };

  signal.addEventListener("abort", () => rejectAll(signal.reason));

  return {
    enter(bucket, maxWait) {
      if (signal.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        queue.push({ bucket, since: clock.now(), maxWait, isDelayed: false, admit: resolve, reject });
        startReady();
      });
    },
  };
}

interface BucketState {
  /** The service's token buckets that responses in this bucket named. */
  readonly tokenBuckets: Set<TokenBucket>;
  /** Whether a response has arrived. Before that, only a few requests start. */
  hasResponse: boolean;
  readonly underWay: Set<Map<TokenBucket, InFlight>>;
  /** Until when a 429 forbids requests. */
  blockedUntil: number;
}

/** Requests that start before the first response, if nothing is remembered. The smallest subscription allows two at once. */
const mostProbes = 2;
/** The service has fewer token buckets. */
const mostTokenBuckets = 8;

/** What responses said about the quotas, and what the requests under way use of them. Times are those of the clock. */
function createRateLimits(remembered: RateLimiterOptions["remembered"]) {
  const states = new Map<Bucket, BucketState>();
  // The size identifies a token bucket. A request may use several, and its response describes the one with the fewest tokens.
  const bySize = new Map<number, TokenBucket>();
  let smallest = Infinity;

  const learn = (bucket: Bucket, size: number) => {
    if (bucket !== "global" || size >= smallest) return;
    smallest = size;
    remembered?.learnedQuota(size);
  };
  const probesIn = (bucket: Bucket) => (bucket === "global" ? remembered?.quota() : undefined) ?? mostProbes;

  const stateOf = (bucket: Bucket): BucketState => {
    const known = states.get(bucket);
    const state = known ?? { tokenBuckets: new Set(), hasResponse: false, underWay: new Set(), blockedUntil: 0 };
    states.set(bucket, state);
    return state;
  };

  /** The token bucket that a response describes. Requests under way use it as well. */
  const namedBy = (state: BucketState, limit: number, now: number): TokenBucket | undefined => {
    const tokenBucket = bySize.get(limit) ?? (bySize.size < mostTokenBuckets ? createTokenBucket(limit) : undefined);
    if (!tokenBucket) return undefined;
    bySize.set(limit, tokenBucket);
    state.tokenBuckets.add(tokenBucket);
    for (const used of state.underWay) if (!used.has(tokenBucket)) used.set(tokenBucket, tokenBucket.sent(now));
    return tokenBucket;
  };

  return {
    /** Until when responses forbid requests of the bucket. */
    blockedUntil(bucket: Bucket): number {
      const { blockedUntil, tokenBuckets } = stateOf(bucket);
      return Math.max(blockedUntil, ...[...tokenBuckets].map((one) => one.blockedUntil));
    },
    /** Infinity: not before a response arrives. */
    readyAt(bucket: Bucket, now: number): number {
      const { blockedUntil, tokenBuckets, hasResponse, underWay } = stateOf(bucket);
      if (!hasResponse && underWay.size >= probesIn(bucket)) return Infinity;
      return Math.max(blockedUntil, ...[...tokenBuckets].map((one) => one.readyAt(now)));
    },
    /** Counts a request. Call the result when it ends, with its response if there is one. */
    start(bucket: Bucket, startedAt: number) {
      const state = stateOf(bucket);
      const used = new Map([...state.tokenBuckets].map((one) => [one, one.sent(startedAt)]));
      state.underWay.add(used);
      return (response: ResponseHead | undefined, now: number) => {
        const rateLimit = response && rateLimitOf(response.headers, now);
        const named = rateLimit && namedBy(state, rateLimit.limit, now);
        if (rateLimit) learn(bucket, rateLimit.limit);
        if (response) state.hasResponse = true;
        state.underWay.delete(used);
        for (const [tokenBucket, inFlight] of used) {
          tokenBucket.completed(inFlight, now, tokenBucket === named ? rateLimit : undefined);
          if (tokenBucket !== named && rateLimit) tokenBucket.atLeast(rateLimit.remaining, now);
        }
        if (response?.status !== 429) return;
        state.blockedUntil = Math.max(state.blockedUntil, now + (requestedWait(429, response.headers, now) ?? 0));
        named?.refused(now, state.blockedUntil);
      };
    },
  };
}
