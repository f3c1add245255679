/** Prepares two versions of the ACLs for a comparison. */
import type { Acl } from "./decide";
import { uncertaintiesOf, combinationsOf, type Combinations } from "./uncertainty";
import type { Uncertainty, Assumptions } from "./assumptions";
import { partition, type Partition } from "./region";
import { createSpace, type Space } from "./space";

export interface Comparison<A extends Acl> {
  readonly before: readonly A[];
  readonly after: readonly A[];
  readonly uncertainties: readonly Uncertainty[];
  readonly combinations: Combinations;
  readonly space: Space;
  partitions(assumptions: Assumptions): Partitions<A>;
}

export interface Partitions<A extends Acl> {
  readonly before: Partition<A>;
  readonly after: Partition<A>;
}

export function createComparison<A extends Acl>(before: readonly A[], after: readonly A[]): Comparison<A> {
  const uncertainties = uncertaintiesOf([before, after]);
  const combinations = combinationsOf(uncertainties);
  const active = [...before, ...after].filter((acl) => acl.active);
  const space = createSpace(active, combinations.all);
  const known = new Map<Assumptions, Partitions<A>>();
  const partitions = (assumptions: Assumptions) => {
    const made = known.get(assumptions) ?? {
      before: partition(before, assumptions, space),
      after: partition(after, assumptions, space),
    };
    known.set(assumptions, made);
    return made;
  };
  return { before, after, uncertainties, combinations, space, partitions };
}
