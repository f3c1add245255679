/** Rate limits: the subscription tiers' token buckets, and what an answer says about them. */
import { ServiceError } from "./response";

export const tiers = ["free", "essentials", "enterprise", "enterprise-dev", "none"] as const;
/** A subscription's limits; `none` never refuses. */
export type Tier = (typeof tiers)[number];

/** Requests at once, and requests a second over time. */
export interface Allowance {
  readonly burst: number;
  readonly perSecond: number;
}

/** What a subscription allows of all requests together. */
export const globalAllowance: Readonly<Record<Tier, Allowance>> = {
  free: { burst: 2, perSecond: 2 },
  essentials: { burst: 10, perSecond: 150 / 60 },
  enterprise: { burst: 50, perSecond: 16 },
  "enterprise-dev": { burst: 10, perSecond: 2 },
  // Never empty, yet answered with the usual headers: clients that read them see plenty.
  none: { burst: 1_000_000, perSecond: Infinity },
};

/** Limits of single operations, beside that of the subscription. */
export const bucketAllowance = {
  memberReads: { burst: 40, perSecond: 500 / 60 },
  memberWrites: { burst: 20, perSecond: 200 / 60 },
} as const satisfies Record<string, Allowance>;

/** A limit that only some operations draw on. */
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
  /** Counts a request; gives the headers of its answer, or throws the 429. */
  count(bucket?: Bucket): Record<string, string>;
}

const headers = ({ limit, remaining, next }: Level) => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  // Whole seconds, rounded down: on the per-second buckets often the current second.
  "x-ratelimit-reset": String(Math.floor(next / 1000)),
});

export function createLimiter(tier: Tier, now: () => number): Limiter {
  const overall = createBucket(globalAllowance[tier], now);
  const own = {
    memberReads: createBucket(bucketAllowance.memberReads, now),
    memberWrites: createBucket(bucketAllowance.memberWrites, now),
  };
  let refusals = 0;

  const refuse = (level: Level) => {
    // A choice: the service sends Retry-After on some refusals only; here on every second one.
    const retryAfter = refusals++ % 2 === 1 && {
      "retry-after": String(Math.max(1, Math.ceil((level.next - now()) / 1000))),
    };
    return new ServiceError(429, "Global limit has been reached", "too_many_requests", {
      ...headers(level),
      ...retryAfter,
    });
  };

  return {
    count(bucket) {
      const first = overall();
      if (first.refused) throw refuse(first);
      if (bucket === undefined || tier === "none") return headers(first);
      const second = own[bucket]();
      // A choice: the body of a bucket's own limit is not known; it is taken to be the same.
      if (second.refused) throw refuse(second);
      return headers(second.remaining < first.remaining ? second : first);
    },
  };
}
