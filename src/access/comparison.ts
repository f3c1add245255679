/** Prepares two versions of the ACLs for a comparison: their space, their partitions, and the pairs of endings that differ. */
import { sameResult } from "./action";
import type { Uncertainty, Assumptions } from "./assumptions";
import { overlap } from "./boxes";
import type { Acl } from "./decide";
import { intersect, partition, type Ending, type Partition, type Region } from "./region";
import { createSpace, type Space } from "./space";
import { uncertaintiesOf, combinationsOf, type Combinations } from "./uncertainty";

export interface Comparison<A extends Acl> {
  readonly before: readonly A[];
  readonly after: readonly A[];
  readonly uncertainties: readonly Uncertainty[];
  readonly combinations: Combinations;
  readonly space: Space;
  partitions(assumptions: Assumptions): Partitions<A>;
  /** The pairs under assumptions. The same endings are the same pair under all assumptions. */
  pairs(assumptions: Assumptions): readonly Pair<A>[];
}

export interface Partitions<A extends Acl> {
  readonly before: Partition<A>;
  readonly after: Partition<A>;
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
  const partitions = once((assumptions: Assumptions) => ({
    before: partition(before, assumptions, space),
    after: partition(after, assumptions, space),
  }));
  const pairsOf = pairing<A>(space);
  const pairs = once((assumptions: Assumptions) => pairsOf(partitions(assumptions)));
  return { before, after, uncertainties, combinations, space, partitions, pairs };
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

export function pairing<A extends Acl>(space: Space): (partitions: Partitions<A>) => Pair<A>[] {
  const rows = once((one: Ending<A>) =>
    once((other: Ending<A>): Pair<A> | undefined => {
      if (sameResult(one.end, other.end)) return undefined;
      if (!one.parts.some((part) => other.parts.some((its) => overlap(part.box, its.box, space)))) return undefined;
      let region: Region | undefined;
      return { one, other, region: () => (region ??= intersect(one, other, space)) };
    }),
  );
  return ({ before, after }) =>
    before.endings.flatMap((one) => after.endings.flatMap((other) => rows(one)(other) ?? []));
}
