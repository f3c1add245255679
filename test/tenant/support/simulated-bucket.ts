// The service's side of a token bucket, on a clock of the test: its decisions and its headers.
import type { Clock } from "../../../src/tenant/clock";

export interface Answered {
  status: 200 | 429;
  headers: Record<string, string>;
}

export interface SimulatedQuota {
  /** Counts a request now. */
  count(): Answered;
  /** Removes tokens, like another client of the tenant. */
  take(tokens: number): void;
}

export function simulateQuota(clock: Clock, limit: number, perSecond: number): SimulatedQuota {
  let level = limit;
  let at = clock.now();
  const fill = () => {
    const now = clock.now();
    level = Math.min(limit, level + ((now - at) / 1000) * perSecond);
    at = now;
    return now;
  };
  return {
    count() {
      const now = fill();
      const status = level >= 1 ? 200 : 429;
      if (status === 200) level -= 1;
      const next = now + ((1 - (level - Math.floor(level))) / perSecond) * 1000;
      return {
        status,
        headers: {
          date: new Date(now).toUTCString(),
          "x-ratelimit-limit": String(limit),
          "x-ratelimit-remaining": String(Math.floor(level)),
          "x-ratelimit-reset": String(Math.floor(next / 1000)),
        },
      };
    },
    take(tokens) {
      fill();
      level = Math.max(0, level - tokens);
    },
  };
}
