/** Lets requests start in order, within the service's rate limits and the configured limits. */
import type { Clock } from "../clock";
import { TenantError } from "../error";
import type { Log } from "../log";
import type { Bucket, Dispatch } from "./call";
import { createRateLimits, type ResponseHead } from "./rate-limits";
import { longWait, seconds } from "./retry-timing";
import type { RawResponse } from "./transport";
import { noteWait, type Usage } from "./usage";

export interface RateLimiterOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Requests under way at once. */
  readonly maxConcurrency: number;
  /** Requests per second, in addition to the service's rate limits. Default: no limit. */
  readonly maxRequestsPerSecond?: number;
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
  /** Tokens per second that the slowest token bucket of the bucket is expected to gain, for the log. */
  rate(bucket: Bucket): number | undefined;
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
  const limits = createRateLimits();
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
    rate: (bucket) => limits.rate(bucket),
  };
}
