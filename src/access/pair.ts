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
  const pairs = before.endings.map((one): [Ending<A>, Pair<A>[]] => [
    one,
    after.endings.flatMap((other) => {
      const region = sameEnd(one.end, other.end) ? undefined : meet(one, other, space);
      return region ? [{ one, other, region }] : [];
    }),
  ]);
  return new Map(pairs.filter(([, found]) => found.length > 0));
}
