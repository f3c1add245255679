/** Computes from the responses when the next request of a bucket may start. Time is a parameter. */
import type { Bucket } from "./call";
import { requestedWait } from "./retry-timing";
import { createTokenBucket, rateLimitOf, type InFlight, type TokenBucket } from "./token-bucket";
import type { RawResponse } from "./transport";

export type ResponseHead = Pick<RawResponse, "status" | "headers">;

export interface RateLimits {
  /** Until when responses forbid requests of the bucket, by the clock. */
  blockedUntil(bucket: Bucket): number;
  /** Infinity: not before a response arrives. */
  readyAt(bucket: Bucket, now: number): number;
  /** Counts a request that starts now. Call the result when it ends, with its response if there is one. */
  start(bucket: Bucket, now: number): (response: ResponseHead | undefined, now: number) => void;
  /** Tokens per second of the slowest token bucket. undefined: no response named one. */
  rate(bucket: Bucket): number | undefined;
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

/** Requests that start before the first response. The smallest subscription allows two at once. */
const mostProbes = 2;
/** The service has fewer token buckets. */
const mostTokenBuckets = 8;

export function createRateLimits(): RateLimits {
  const states = new Map<Bucket, BucketState>();
  // The size identifies a token bucket. A request may use several, and its response describes the one with the fewest tokens.
  const bySize = new Map<number, TokenBucket>();

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
    blockedUntil(bucket) {
      const { blockedUntil, tokenBuckets } = stateOf(bucket);
      return Math.max(blockedUntil, ...[...tokenBuckets].map((one) => one.blockedUntil));
    },
    readyAt(bucket, now) {
      const { blockedUntil, tokenBuckets, hasResponse, underWay } = stateOf(bucket);
      if (!hasResponse && underWay.size >= mostProbes) return Infinity;
      return Math.max(blockedUntil, ...[...tokenBuckets].map((one) => one.readyAt(now)));
    },
    start(bucket, startedAt) {
      const state = stateOf(bucket);
      const used = new Map([...state.tokenBuckets].map((one) => [one, one.sent(startedAt)]));
      state.underWay.add(used);
      return (response, now) => {
        const rateLimit = response && rateLimitOf(response.headers, now);
        const named = rateLimit && namedBy(state, rateLimit.limit, now);
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
    rate(bucket) {
      const rates = [...stateOf(bucket).tokenBuckets].map(({ rate }) => rate);
      return rates.length > 0 ? Math.round(Math.min(...rates) * 10) / 10 : undefined;
    },
  };
}
