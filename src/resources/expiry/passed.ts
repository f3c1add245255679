/** Tells whether an end has passed, by the tenant's clock, and never takes that back. */
import { instantOf } from "../../text/instant";

/** An object ends at its end, not after it. */
export function hasPassed(end: unknown, now: number): boolean {
  const instant = instantOf(end);
  return instant !== undefined && instant <= now;
}

/** Milliseconds by which a clock may be wrong without a word. */
export const clockLeeway = 300_000;

/** The tenant's time if this machine's clock is wrong. `aheadMs` is measured; undefined: no response told the time yet. */
export function tenantNow(now: number, aheadMs: number | undefined): number {
  return aheadMs !== undefined && Math.abs(aheadMs) > clockLeeway ? now - aheadMs : now;
}
