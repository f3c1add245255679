/** Rate limits: the token buckets of the subscription tiers, and their headers. */
import { ServiceError } from "./response";

export const tiers = ["free", "essentials", "enterprise", "enterprise-dev", "none"] as const;
/** The limits of a subscription; `none` never refuses. */
export type Tier = (typeof tiers)[number];

interface Allowance {
  /** Requests at once. */
  readonly burst: number;
  readonly perSecond: number;
}

/** The limits of a subscription for all requests together. */
const globalAllowance: Readonly<Record<Tier, Allowance>> = {
  free: { burst: 2, perSecond: 2 },
  essentials: { burst: 10, perSecond: 150 / 60 },
  enterprise: { burst: 50, perSecond: 16 },
  "enterprise-dev": { burst: 10, perSecond: 2 },
  // Never empty, but with the usual headers for clients that read them.
  none: { burst: 1_000_000, perSecond: Infinity },
};

/** The limits of single operations, in addition to the limit of the subscription. */
const bucketAllowance = {
  memberReads: { burst: 40, perSecond: 500 / 60 },
  memberWrites: { burst: 20, perSecond: 200 / 60 },
} as const satisfies Record<string, Allowance>;

/** A limit that only some operations use. */
export type Bucket = keyof typeof bucketAllowance;

interface Level {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds since 1970 at which the next request is added to the bucket. */
  readonly next: number;
  readonly refused: boolean;
}

function createBucket({ burst, perSecond }: Allowance, now: () => number) {
  let level = burst;
  let at = now();
  return (): Level => {
    const time = now();
    level = perSecond === Infinity ? burst : Math.min(burst, level + (Math.max(0, time - at) * perSecond) / 1000);
    at = time;
    const refused = level < 1;
    if (!refused) level -= 1;
    const missing = 1 - (level - Math.floor(level));
    return { limit: burst, remaining: Math.floor(level), next: time + (missing / perSecond) * 1000, refused };
  };
}

export interface Limiter {
  /** Counts a request and returns the headers of its response, or throws the 429. */
  count(bucket?: Bucket): Record<string, string>;
}

const headers = ({ limit, remaining, next }: Level) => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  // Whole seconds, rounded down: on per-second buckets often the current second.
  "x-ratelimit-reset": String(Math.floor(next / 1000)),
});

export function createLimiter(tier: Tier, now: () => number): Limiter {
  const overall = createBucket(globalAllowance[tier], now);
  const buckets = {
    memberReads: createBucket(bucketAllowance.memberReads, now),
    memberWrites: createBucket(bucketAllowance.memberWrites, now),
  };
  let refusals = 0;

  const refuse = (level: Level) => {
    const seconds = Math.max(1, Math.ceil((level.next - now()) / 1000));
    // Assumption: Auth0 sends Retry-After with some responses 429 only. The tenant sends it with every second one.
    const retryAfter = refusals++ % 2 === 1 && { "retry-after": String(seconds) };
    const sent = { ...headers(level), ...retryAfter };
    return new ServiceError(429, "Global limit has been reached", "too_many_requests", sent);
  };

  return {
    count(bucket) {
      const first = overall();
      if (first.refused) throw refuse(first);
      if (bucket === undefined || tier === "none") return headers(first);
      const second = buckets[bucket]();
      // Assumption: the body of a 429 for a bucket's own limit is the same as for the global limit.
      if (second.refused) throw refuse(second);
      return headers(second.remaining < first.remaining ? second : first);
    },
  };
}
