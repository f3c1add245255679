/** Compares ends of objects with the time of a refresh. */
import { instantOf } from "../../text/instant";

/** An object ends at its end, not after it. */
export function hasPassed(end: unknown, now: number): boolean {
  const instant = instantOf(end);
  return instant !== undefined && instant <= now;
}
