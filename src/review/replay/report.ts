/** The result of a replay. */
import type { PlannedAcl } from "../../impact/network-acl/acl";
import type { Replayed } from "../../traffic/replay";
import type { LimitReport } from "./limits";
import type { OtherLimit } from "./other-limits";
import type { Promotion } from "../../impact/promotion/promotion";

export interface TrafficReport {
  readonly replayed: Replayed<PlannedAcl>;
  readonly limits: readonly LimitReport[];
  /** The `api_limit` events about limits that the plan does not change, the most frequent first. */
  readonly passed: readonly OtherLimit[];
  /** Rules and policies that go from `log` to `block` or `redirect`. */
  readonly promotions: readonly Promotion[];
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
