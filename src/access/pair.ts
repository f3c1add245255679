/** Pairs of endings, one before and one after a change, whose outcome is another, and the requests that may have both. */
import { sameEnd } from "./action";
import type { Comparison, Layouts } from "./comparison";
import type { Acl } from "./decide";
import type { Reading } from "./reading";
import { meet, type Ending, type Region } from "./region";
import { obstacle, type Obstacle } from "./search";
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
  const known = new Map([...before.endings, ...after.endings].map((ending) => [ending, outlineOf(ending, space)]));
  const pairs = before.endings.map((one): [Ending<A>, Pair<A>[]] => [
    one,
    after.endings.flatMap((other) => {
      if (sameEnd(one.end, other.end)) return [];
      // What did not change decides the same requests on both sides: nothing is left for who comes behind it.
      const [own, others] = [known.get(one)!, known.get(other)!];
      if (isCovered(own, others) || isCovered(others, own)) return [];
      const region = meet(one, other, space);
      return region ? [{ one, other, region }] : [];
    }),
  ]);
  return new Map(pairs.filter(([, found]) => found.length > 0));
}

interface Outline {
  readonly boxes: readonly Obstacle[];
  readonly avoided: ReadonlySet<Obstacle>;
}

function outlineOf<A extends Acl>({ boxes, obstacles }: Ending<A>, space: Space): Outline {
  return { boxes: boxes.map((box) => obstacle(box, space)), avoided: new Set(obstacles.flat()) };
}

function isCovered({ boxes }: Outline, { avoided }: Outline): boolean {
  return boxes.every((box) => avoided.has(box));
}
