/** Finds network ACLs that can never match. */
import { createComparison, type Acl, unreachable, type Unreachable, unknownIn } from "../../access/access";
import { finding, type Finding } from "../finding";
import type { PlannedAcl } from "./acl";
import { shadowWords, titleOf } from "./words";

type Placed = Acl & Pick<PlannedAcl, "unplaced">;

/** ACLs that match no request under any assumption. */
export function unreachableAcls<A extends Placed>(acls: readonly A[]): Unreachable<A>[] {
  // An ACL of another tenant shadows nothing.
  const own = acls.filter(({ unplaced }) => !unplaced);
  const comparison = createComparison([], own);
  // With many unknown values, some combinations of assumptions would stay untested. An ACL that other ACLs shadow stays shadowed with more ACLs.
  return unreachable(comparison.combinations.complete ? comparison : createComparison([], own.filter(isKnown)));
}

const isKnown = ({ rule, priority }: Acl) => unknownIn(rule) === undefined && !Number.isNaN(priority);

export function reachabilityFindings(found: readonly Unreachable<PlannedAcl>[]): Finding[] {
  return found.map(({ acl, shadowedBy }) =>
    finding("TF-ACL-SHADOWED", `${titleOf(acl)} can never match: ${shadowWords(shadowedBy)}.`, acl),
  );
}
