/** Estimates one token bucket of the service from its responses. Time is a parameter. */
import { numberIn, untilReset, type Headers } from "./response";

/*
 * The headers name the size of the bucket, the tokens that remained after the request, and the second of the next token. They
 * do not name the rate, so each response sets the level, minus the requests under way. In between the level is projected with
 * a rate that is rather too low: a surplus shows in the next response, but a missing token is a 429. A run that shares the bucket
 * with other runs learns of them by the same headers.
 */

export interface RateLimit {
  /** Size of the bucket. */
  readonly limit: number;
  /** Tokens after the request. */
  readonly remaining: number;
  /** Milliseconds in which certainly no token arrives. */
  readonly emptyFor: number;
}

/** One request under way. */
export interface InFlight {
  /** The expected level when it was sent. */
  readonly expected: number;
  /** The lowest level of responses that arrived meanwhile. The service may have counted this request before them. */
  ceiling: number;
}

export interface TokenBucket {
  /** Until when responses say that no token is left, by the clock. */
  readonly blockedUntil: number;
  /** The earliest time at which a token is expected. */
  readyAt(now: number): number;
  sent(now: number): InFlight;
  /** Ends a request. `rateLimit`: if the response describes this bucket. */
  completed(request: InFlight, now: number, rateLimit?: RateLimit): void;
  /** A response described another bucket with fewer tokens, so this one has at least as many. */
  atLeast(remaining: number, now: number): void;
  /** A 429 forbids requests until then. */
  refused(now: number, until: number): void;
}

/** Tokens per second that a token bucket of this size gains at least, as long as no response says otherwise. */
const slowestGain = (limit: number): number => limit / 10;

export function createTokenBucket(limit: number): TokenBucket {
  let rate = Math.max(1, slowestGain(limit));
  let level = limit;
  let at = 0;
  let blockedUntil = 0;
  const underWay = new Set<InFlight>();

  const projected = (now: number) => Math.min(limit - underWay.size, level + (Math.max(0, now - at) / 1000) * rate);
  const setLevel = (value: number, now: number) => {
    level = value;
    at = Math.max(now, blockedUntil);
  };

  return {
    get blockedUntil() {
      return blockedUntil;
    },
    readyAt: (now) => Math.max(blockedUntil, now + Math.ceil(((1 - projected(now)) / rate) * 1000)),
    sent(now) {
      setLevel(projected(now) - 1, now);
      const request = { expected: level, ceiling: Infinity };
      underWay.add(request);
      return request;
    },
    completed(request, now, rateLimit) {
      underWay.delete(request);
      if (!rateLimit) return;
      const { remaining, emptyFor } = rateLimit;
      for (const other of underWay) other.ceiling = Math.min(other.ceiling, remaining);
      if (remaining === 0) blockedUntil = Math.max(blockedUntil, now + emptyFor);
      setLevel(Math.min(remaining, request.ceiling) - underWay.size, now);
      // The bucket filled up while requests waited, so the rate is higher.
      if (remaining >= limit - 1 && request.expected < limit - 1.5) rate *= 1.5;
    },
    atLeast(remaining, now) {
      setLevel(Math.max(projected(now), remaining - underWay.size), now);
    },
    refused(now, until) {
      blockedUntil = Math.max(blockedUntil, until);
      // The service names whole seconds, rounded down.
      setLevel(0.8, now);
    },
  };
}

/** The rate limit that the headers name; undefined if they name none. */
export function rateLimitOf(headers: Headers, now: number): RateLimit | undefined {
  const limit = numberIn(headers["x-ratelimit-limit"]);
  const remaining = numberIn(headers["x-ratelimit-remaining"]);
  if (limit === undefined || limit < 1 || remaining === undefined) return undefined;
  const until = untilReset(headers, now) ?? 0;
  return { limit, remaining: Math.min(limit, remaining), emptyFor: Math.max(0, until - wholeSecond) };
}

/** The service names whole seconds, so the difference of two times may be wrong by one. */
const wholeSecond = 1000;
