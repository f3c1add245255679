/** Compares the network ACLs before and after a change, over all possible requests. */
import {
  createComparison,
  inOrder,
  difference,
  type Difference,
  type Unreachable,
  ifDecided,
  loggingChanges,
  type LoggingChange,
  outcomeShifts,
  type Shifts,
} from "../../access/access";
import { redactionOf, type PlannedAcl } from "./acl";
import { changedAcls, type AclPair } from "./causes";
import { outcomeParts, type OutcomePart } from "./outcome-parts";
import { unreachableAcls } from "./reachability";
import type { AclVersions } from "./versions";

export interface AclAnalysis extends Difference<PlannedAcl> {
  /** The active ones, in order of evaluation. */
  readonly before: readonly PlannedAcl[];
  readonly after: readonly PlannedAcl[];
  readonly unreachable: readonly Unreachable<PlannedAcl>[];
  /** ACLs that logged requests which the tenant certainly does not record after the change. */
  readonly unrecorded: readonly LoggingChange<PlannedAcl>[];
  /** ACLs that log requests which the tenant did not record before the change. */
  readonly recorded: readonly LoggingChange<PlannedAcl>[];
  /** Key -> the versions of each ACL that the plan changes. */
  readonly changed: ReadonlyMap<string, AclPair>;
  /** The changes, by the ACL that is their cause. */
  readonly parts: readonly OutcomePart[];
  /** Left out: counting the requests would take too long. */
  readonly shifts?: Shifts<PlannedAcl>;
  /** Properties of rules that must not be shown. */
  readonly secrets: ReadonlySet<string>;
  /** The known hosts of the tenant. */
  readonly ownHosts: ReadonlySet<string>;
}

/** `isDoubtful`: the tenant may have more than these ACLs. */
export function analyseAcls(
  { before, after }: AclVersions,
  isDoubtful = false,
  ownHosts: ReadonlySet<string> = new Set(),
): AclAnalysis {
  const comparison = createComparison(before, after);
  const found = difference(comparison);
  const redact = redactionOf([...before, ...after]);
  const changes = found.changes.map((change) => ({ ...change, assumptions: change.assumptions.map(redact) }));
  const { lost, gained } = loggingChanges(comparison);
  const changed = changedAcls({ before, after });
  const shifts = ifDecided(() => outcomeShifts(before, after, ({ key }) => changed.has(key)));
  return {
    ...found,
    proven: found.proven && !isDoubtful,
    changes,
    parts: outcomeParts(changes, shifts, changed),
    ...(shifts && { shifts }),
    before: inOrder(before),
    after: inOrder(after),
    unreachable: unreachableAcls(after),
    unrecorded: lost.filter(({ certainty }) => certainty === "certain"),
    recorded: gained,
    changed,
    secrets: new Set([...before, ...after].flatMap(({ secret }) => [...secret])),
    ownHosts,
  };
}
