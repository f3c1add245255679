// Rate limits: the subscription tiers' token buckets, and what an answer says about them.

import { ServiceError } from "./answer";

export const tiers = ["free", "essentials", "enterprise", "enterprise-dev", "none"] as const;
/** A subscription's limits; `none` never refuses. */
export type Tier = (typeof tiers)[number];

/** Requests at once, and requests a second over time. */
interface Allowance {
  burst: number;
  perSecond: number;
}

const globalAllowance: Record<Tier, Allowance> = {
  free: { burst: 2, perSecond: 2 },
  essentials: { burst: 10, perSecond: 150 / 60 },
  enterprise: { burst: 50, perSecond: 16 },
  "enterprise-dev": { burst: 10, perSecond: 2 },
  // Never empty, yet answered with the usual headers: clients that read them see plenty.
  none: { burst: 1_000_000, perSecond: Infinity },
};

const memberReads: Allowance = { burst: 40, perSecond: 500 / 60 };
const memberWrites: Allowance = { burst: 20, perSecond: 200 / 60 };

export type Family = "global" | "memberReads" | "memberWrites";

interface Standing {
  limit: number;
  remaining: number;
  /** Milliseconds since 1970 at which the next request is added to the bucket. */
  next: number;
  refused: boolean;
}

function createBucket({ burst, perSecond }: Allowance, now: () => number) {
  let level = burst;
  let at = now();
  return (): Standing => {
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
  count(family: Family): Record<string, string>;
}

const headers = ({ limit, remaining, next }: Standing) => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  // Whole seconds, rounded down: on the per-second buckets often the current second.
  "x-ratelimit-reset": String(Math.floor(next / 1000)),
});

export function createLimiter(tier: Tier, now: () => number): Limiter {
  const overall = createBucket(globalAllowance[tier], now);
  const own =
    tier === "none"
      ? undefined
      : { memberReads: createBucket(memberReads, now), memberWrites: createBucket(memberWrites, now) };
  let refusals = 0;

  const refuse = (standing: Standing) => {
    // A choice: the service sends Retry-After on some refusals only; here on every second one.
    const retryAfter = refusals++ % 2 === 1 && {
      "retry-after": String(Math.max(1, Math.ceil((standing.next - now()) / 1000))),
    };
    return new ServiceError(429, "Global limit has been reached", "too_many_requests", {
      ...headers(standing),
      ...retryAfter,
    });
  };

  return {
    count(family) {
      const first = overall();
      if (first.refused) throw refuse(first);
      if (family === "global" || own === undefined) return headers(first);
      const second = own[family]();
      // A choice: the body of a family's own limit is not known; it is taken to be the same.
      if (second.refused) throw refuse(second);
      return headers(second.remaining < first.remaining ? second : first);
    },
  };
}
