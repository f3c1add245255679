/** Pairs of endings, one before and one after a change, whose outcome is another, and the requests that may have both. */
import { sameEnd } from "./action";
import type { Comparison, Layouts } from "./comparison";
import type { Acl } from "./decide";
import type { Reading } from "./reading";
import { meet, type Ending, type Region } from "./region";
import type { Space } from "./space";

export interface Pair<A extends Acl> {
  readonly one: Ending<A>;
  readonly other: Ending<A>;
  readonly region: Region;
}

/** The pairs of a reading by their first, found once. */
export type Pairing<A extends Acl> = (reading: Reading) => ReadonlyMap<Ending<A>, readonly Pair<A>[]>;

export function pairing<A extends Acl>({ layouts, space }: Comparison<A>): Pairing<A> {
  const known = new Map<Reading, ReadonlyMap<Ending<A>, readonly Pair<A>[]>>();
  return (reading) => {
    const found = known.get(reading) ?? pairsOf(layouts(reading), space);
    known.set(reading, found);
    return found;
  };
}

function pairsOf<A extends Acl>({ before, after }: Layouts<A>, space: Space): Map<Ending<A>, Pair<A>[]> {
  const avoided = new Map(
    [...before.endings, ...after.endings].map((ending) => [
      ending,
      new Set(ending.obstacles.flatMap((group) => group.map(({ box }) => box))),
    ]),
  );
  // What did not change decides the same requests on both sides: nothing is left for who comes behind it.
  const without = (one: Ending<A>, other: Ending<A>): Region => {
    return { ...one, boxes: one.boxes.filter((box) => !avoided.get(other)!.has(box)) };
  };
  const pairs = before.endings.map((one): [Ending<A>, Pair<A>[]] => [
    one,
    after.endings.flatMap((other) => {
      if (sameEnd(one.end, other.end)) return [];
      const region = meet(without(one, other), without(other, one), space);
      return region ? [{ one, other, region }] : [];
    }),
  ]);
  return new Map(pairs.filter(([, found]) => found.length > 0));
}
