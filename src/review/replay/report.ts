/** The result of a replay. */
import type { PlannedAcl } from "../../impact/network-acl/acl";
import type { Replayed } from "../../traffic/replay";
import type { Enforcement } from "../../impact/enforcement/enforcement";

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
