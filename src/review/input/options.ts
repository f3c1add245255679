/** The options of a review. */
import type { PlannedAcl } from "../../judge/impact/network-acl/acl";
import type { Replay } from "../traffic/replay";
import type { BaseGuard, ExpectationFile } from "./base";
import type { RemoteState } from "./remote";
import type { OwnRules } from "../commands/rules";

export interface TrafficReport {
  readonly replay: Replay;
  /** Key -> the ACL, before and after the change. */
  readonly acls: ReadonlyMap<string, PlannedAcl>;
}

export interface ReviewOptions {
  /** Code -> why it is not counted. */
  readonly ignored?: ReadonlyMap<string, string>;
  /** The guards of the base branch. */
  readonly protect?: readonly BaseGuard[];
  /** Expectations of files, in addition to those of the plans. */
  readonly expect?: readonly ExpectationFile[];
  /** Remote state that the tenant itself returned. */
  readonly remote?: RemoteState | undefined;
  /** The replay of the tenant's log against the plans. */
  readonly traffic?: TrafficReport | undefined;
  /** Rows of the person, beside the table of other Auth0 resources. */
  readonly rules?: OwnRules;
}
