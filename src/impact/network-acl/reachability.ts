/** Finds network ACLs that can never match. */
import { createComparison, type Acl, unreachable, type Unreachable, unknownIn } from "../../access/access";
import { effect, type Effect } from "../effect";
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

/** `unchanged`: the ACLs that the plan leaves unchanged. */
export function reachabilityEffects(
  found: readonly Unreachable<PlannedAcl>[],
  unchanged: ReadonlySet<PlannedAcl>,
): Effect[] {
  const earlier = shadowedEarlier(found, unchanged);
  return found.map(({ acl, shadowedBy }) => {
    const text = `${titleOf(acl)} can never match: ${shadowWords(shadowedBy)}.`;
    return effect("TNF-ACL-SHADOWED", text, earlier.has(acl) ? { ...acl, already: true } : acl);
  });
}

/** The unreachable ACLs that unchanged ACLs alone shadow. These ACLs shadowed them before the change too. */
function shadowedEarlier(
  found: readonly Unreachable<PlannedAcl>[],
  unchanged: ReadonlySet<PlannedAcl>,
): ReadonlySet<PlannedAcl> {
  const own = found.filter(({ acl }) => unchanged.has(acl));
  const isPlain = own.every(({ shadowedBy }) => shadowedBy.every((acl) => unchanged.has(acl)));
  // An ACL that the plan changes may be the better explanation, although unchanged ACLs are another one.
  const earlier = isPlain ? own : unreachableAcls([...unchanged]);
  return new Set(earlier.map(({ acl }) => acl));
}
