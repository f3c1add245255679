/** Prepares two versions of the ACLs for a comparison: their space, their partitions, and the pairs of endings that differ. */
import { byOutcome, sameResult, type Reading } from "./action";
import type { Assumptions, Uncertainty } from "./assumptions";
import { overlap } from "./boxes";
import type { Acl } from "./decide";
import { intersect, partition, type Ending, type Region } from "./region";
import { createSpace, type Space } from "./space";
import { combinationsOf, uncertaintiesOf, type Combinations } from "./uncertainty";

export interface Comparison<A extends Acl> {
  readonly before: readonly A[];
  readonly after: readonly A[];
  readonly reading: Reading;
  readonly uncertainties: readonly Uncertainty[];
  readonly combinations: Combinations;
  readonly space: Space;
  /** The pairs under assumptions. The same endings are the same pair under all assumptions. */
  pairs(assumptions: Assumptions): readonly Pair<A>[];
}

/** Two endings with different results and possibly common requests. */
export interface Pair<A extends Acl> {
  readonly one: Ending<A>;
  readonly other: Ending<A>;
  /** The common requests. Computed once. */
  region(): Region;
}

export function createComparison<A extends Acl>(before: readonly A[], after: readonly A[]): Comparison<A> {
  const uncertainties = uncertaintiesOf([before, after]);
  const combinations = combinationsOf(uncertainties);
  const active = [...before, ...after].filter((acl) => acl.active);
  const space = createSpace(active, combinations.all);
  return readAs(byOutcome, { before, after, uncertainties, combinations, space });
}

/** The same comparison with another reading of the ACLs. */
export function readAs<A extends Acl>(
  reading: Reading,
  given: Omit<Comparison<A>, "reading" | "pairs">,
): Comparison<A> {
  const { before, after, space } = given;
  const pairOf = once((one: Ending<A>) => once((other: Ending<A>) => pairFrom(one, other, space)));
  const pairs = once((assumptions: Assumptions) => {
    const [first, second] = [before, after].map((acls) => partition(acls, assumptions, space, reading));
    return first!.flatMap((one) => second!.flatMap((other) => pairOf(one)(other) ?? []));
  });
  return { ...given, reading, pairs };
}

function pairFrom<A extends Acl>(one: Ending<A>, other: Ending<A>, space: Space): Pair<A> | undefined {
  if (sameResult(one.end, other.end)) return undefined;
  if (!one.parts.some((part) => other.parts.some((its) => overlap(part.box, its.box, space)))) return undefined;
  let region: Region | undefined;
  return { one, other, region: () => (region ??= intersect(one, other, space)) };
}

/** Makes each value once. */
export function once<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.has(key) ? known.get(key)! : make(key);
    known.set(key, value);
    return value;
  };
}
