/** What a log says about a change, and how durations are written. */
import type { PlannedAcl } from "../../impact/network-acl/acl";
import type { Replayed } from "../../traffic/replay";

export interface TrafficReport {
  readonly replayed: Replayed;
  /** Key -> the ACL, before and after the change. */
  readonly acls: ReadonlyMap<string, PlannedAcl>;
}

/**
 * The share of the logged requests that a network ACL surely blocks or redirects after the change, from 0 to 1. `key`: that of the
 * ACL; left out: all ACLs and policies together. Undefined if the log has no request.
 */
export function loggedShare({ replayed: { tally } }: TrafficReport, key?: string): number | undefined {
  if (tally.requests === 0) return undefined;
  return (key === undefined ? tally.blocked + tally.redirected : tally.by.get(key)) / tally.requests;
}

const units: readonly (readonly [letter: string, ms: number, noun: string])[] = [
  ["d", 86_400_000, "day"],
  ["h", 3_600_000, "hour"],
  ["m", 60_000, "minute"],
  ["s", 1_000, "second"],
];

/** Milliseconds of `7d`, `12h`, `30m` or `45s`. Undefined if it is no duration. */
export function durationIn(text: string): number | undefined {
  const [, number, letter] = /^(\d{1,6})\s*([dhms])$/.exec(text.trim()) ?? [];
  const unit = units.find(([name]) => name === letter);
  return unit && Number(number) * unit[1];
}

/** In the largest unit that leaves at least two, rounded: `7 days`, `36 hours`. */
export function durationWords(ms: number): string {
  const [, size, noun] = units.find(([, own]) => Math.round(ms / own) >= 2) ?? units.at(-1)!;
  const count = Math.round(ms / size);
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
