/** Finds pairs of endings before and after a change with different results and possibly common requests. */
import { sameResult } from "./action";
import { overlap } from "./box";
import type { Comparison, Partitions } from "./comparison";
import type { Acl } from "./decide";
import type { Assumptions } from "./assumptions";
import type { Ending } from "./region";
import type { Box, Space } from "./space";

export interface Pair<A extends Acl> {
  readonly one: Ending<A>;
  readonly other: Ending<A>;
}

/** The pairs under assumptions, by their first ending. Cached. */
export type PairsUnder<A extends Acl> = (assumptions: Assumptions) => ReadonlyMap<Ending<A>, readonly Pair<A>[]>;

export function pairsByAssumptions<A extends Acl>({ partitions, space }: Comparison<A>): PairsUnder<A> {
  const known = new Map<Assumptions, ReadonlyMap<Ending<A>, readonly Pair<A>[]>>();
  return (assumptions) => {
    const found = known.get(assumptions) ?? pairsOf(partitions(assumptions), space);
    known.set(assumptions, found);
    return found;
  };
}

function pairsOf<A extends Acl>({ before, after }: Partitions<A>, space: Space): Map<Ending<A>, Pair<A>[]> {
  const [first, second] = [before.endings, after.endings];
  const avoided = new Map([...first, ...second].map((ending) => [ending, avoidedBy(ending)]));
  // Unchanged ACLs match the same requests on both sides, so the endings after them get none of these requests.
  const boxesOutside = ({ parts }: Ending<A>, other: Ending<A>) =>
    parts.flatMap(({ box }) => (avoided.get(other)!.has(box) ? [] : [box]));
  const pairs = first.map((one): [Ending<A>, Pair<A>[]] => [
    one,
    second.flatMap((other) => {
      if (sameResult(one.end, other.end)) return [];
      const boxes = boxesOutside(other, one);
      const met = boxesOutside(one, other).some((box) => boxes.some((its) => overlap(box, its, space)));
      return met ? [{ one, other }] : [];
    }),
  ]);
  return new Map(pairs.filter(([, found]) => found.length > 0));
}

function avoidedBy<A extends Acl>({ parts }: Ending<A>): Set<Box> {
  return new Set(parts.flatMap(({ obstacles }) => obstacles.map(({ box }) => box)));
}
