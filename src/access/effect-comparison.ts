/** Compares the effects of two changes of ACLs on requests. Nothing is compared any more: the answer is that nobody decided it. */
import type { Result } from "./action";
import type { Acl } from "./decide";
import type { WholeRequest } from "./request";

/** The ACLs of a tenant before and after a change. */
export interface AclsOfChange<A extends Acl> {
  readonly before: readonly A[];
  readonly after: readonly A[];
}

/** The results of one request before and after a change. */
export interface RequestEffect {
  readonly before: Result;
  readonly after: Result;
}

/** A request for which the two changes have different effects. */
export interface EffectDifference {
  readonly witness: WholeRequest;
  readonly one: RequestEffect;
  readonly other: RequestEffect;
}

export interface EffectComparison {
  readonly verdict: "same" | "different" | "not decided";
  readonly differences: readonly EffectDifference[];
  readonly isComplete: boolean;
}

export const byRecord = "record";

export function compareEffects<A extends Acl>(
  one: AclsOfChange<A>,
  other: AclsOfChange<A>,
  _how: { readonly steps?: number; readonly most?: number; readonly reading?: string } = {},
): EffectComparison {
  const isSame = JSON.stringify(one) === JSON.stringify(other);
  return { verdict: isSame ? "same" : "not decided", differences: [], isComplete: isSame };
}
