/** Adds up the `api_limit` events about limits that a plan does not change. */
import type { PassedLimit } from "../../traffic/passed-limits";
import { passedSelector, type LimitReport } from "./limits";

export interface OtherLimit {
  readonly bucket: string;
  readonly isPolicy: boolean;
  readonly events: number;
  readonly clients: number;
  /** The largest limit that an event names. 0: none. */
  readonly size: number;
}

export function otherLimits(
  passed: readonly PassedLimit[],
  selectors: ReadonlySet<string>,
  reports: readonly LimitReport[],
): OtherLimit[] {
  const changed = new Set<string | undefined>(reports.map(({ selector }) => selector));
  const others = passed.filter((one) => !changed.has(passedSelector(one, selectors)));
  const groups = new Map<string, PassedLimit[]>();
  for (const one of others) {
    const key = JSON.stringify([one.bucket, one.isPolicy]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()]
    .map((group) => ({
      bucket: group[0]!.bucket,
      isPolicy: group[0]!.isPolicy,
      events: group.reduce((sum, { events }) => sum + events, 0),
      clients: group.filter(({ client }) => client !== "").length,
      size: Math.max(...group.map(({ size }) => size)),
    }))
    .toSorted((a, b) => b.events - a.events || (a.bucket < b.bucket ? -1 : 1));
}
