/** Finds pairs of endings before and after a change with different results and possibly common requests. */
import { sameResult } from "./action";
import { overlap } from "./box";
import type { Comparison, Partitions } from "./comparison";
import type { Acl } from "./decide";
import type { Assumptions } from "./assumptions";
import { intersect, type Ending, type Region } from "./region";
import type { Space } from "./space";

export interface Pair<A extends Acl> {
  readonly one: Ending<A>;
  readonly other: Ending<A>;
  /** The common requests. Computed once. */
  region(): Region;
}

/** The pairs under assumptions, by their first ending. Cached. The same endings are the same pair under all assumptions. */
export type PairsUnder<A extends Acl> = (assumptions: Assumptions) => ReadonlyMap<Ending<A>, readonly Pair<A>[]>;

export function pairsByAssumptions<A extends Acl>({
  partitions,
  space,
}: Pick<Comparison<A>, "partitions" | "space">): PairsUnder<A> {
  const known = new Map<Assumptions, ReadonlyMap<Ending<A>, readonly Pair<A>[]>>();
  const pairOf = pairing<A>(space);
  return (assumptions) => {
    const found = known.get(assumptions) ?? pairsOf(partitions(assumptions), pairOf);
    known.set(assumptions, found);
    return found;
  };
}

/** Undefined if the endings certainly have no request in common. */
type Pairing<A extends Acl> = (one: Ending<A>, other: Ending<A>) => Pair<A> | undefined;

function pairsOf<A extends Acl>({ before, after }: Partitions<A>, pairOf: Pairing<A>): Map<Ending<A>, Pair<A>[]> {
  const reached = after.endings.filter(({ parts }) => parts.length > 0);
  const found = new Map<Ending<A>, Pair<A>[]>();
  for (const one of before.endings) {
    if (one.parts.length === 0) continue;
    const pairs = reached.flatMap((other) => (sameResult(one.end, other.end) ? [] : (pairOf(one, other) ?? [])));
    if (pairs.length > 0) found.set(one, pairs);
  }
  return found;
}

function pairing<A extends Acl>(space: Space): Pairing<A> {
  const made = new Map<Ending<A>, Map<Ending<A>, Pair<A> | undefined>>();
  const meets = (one: Ending<A>, other: Ending<A>) =>
    one.parts.some((part) => other.parts.some((its) => overlap(part.box, its.box, space)));
  const make = (one: Ending<A>, other: Ending<A>): Pair<A> => {
    let region: Region | undefined;
    return { one, other, region: () => (region ??= intersect(one, other, space)) };
  };
  return (one, other) => {
    const row = made.get(one) ?? new Map<Ending<A>, Pair<A> | undefined>();
    made.set(one, row);
    if (!row.has(other)) row.set(other, meets(one, other) ? make(one, other) : undefined);
    return row.get(other);
  };
}
