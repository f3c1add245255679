/** The result of a replay, and the times that it covers. */
import type { PlannedAcl } from "../../impact/network-acl/acl";
import type { Replayed } from "../../traffic/replay";
import type { Enforcement } from "../../impact/enforcement";

export interface TrafficReport {
  readonly replayed: Replayed<PlannedAcl>;
  /** ACLs that go from `log` to `block` or `redirect`. */
  readonly enforcements: readonly Enforcement[];
  /** Key -> the ACL, before and after the change. */
  readonly acls: ReadonlyMap<string, PlannedAcl>;
  /** How far the reader came if it did not read everything, in a sentence. */
  readonly stopped?: string;
}

export interface NamedReport {
  /** The plan, or the plans of a tenant. */
  readonly name: string;
  readonly report: TrafficReport;
}

/** Milliseconds between the first and the last request. */
export function spanOf({ replayed: { tally } }: Pick<TrafficReport, "replayed">): number {
  return tally.last > tally.first ? tally.last - tally.first : 0;
}

const hour = 3_600_000;

/** Milliseconds that the log covers: a gap of more than a day between two requests is not covered. */
export function coverageOf(report: Pick<TrafficReport, "replayed">): number {
  const hours = [...report.replayed.tally.hours.keys()].toSorted((a, b) => a - b);
  const gaps = hours.map((one, index) => one - (hours[index - 1] ?? one)).filter((gap) => gap > 24);
  return gaps.reduce((covered, gap) => Math.max(0, covered - gap * hour), spanOf(report));
}

const units: readonly (readonly [letter: string, ms: number, noun: string])[] = [
  ["d", 86_400_000, "day"],
  ["h", 3_600_000, "hour"],
  ["m", 60_000, "minute"],
  ["s", 1_000, "second"],
];

/** Milliseconds of `7d`, `12h`, `30m` or `45s`. undefined: not a duration. */
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
