/** Assigns numbers in order, with gaps, and keeps earlier numbers if possible. */

export interface Range {
  readonly first: number;
  readonly last: number;
}

const usualRoom = 10;

/**
 * Returns increasing numbers for the ids. As many ids as possible keep their earlier numbers. A new id gets the middle of the gap
 * between its neighbours, or continues in tens at the end. Throws if there are more ids than numbers.
 */
export function prioritiesFor(
  ids: readonly string[],
  range: Range,
  earlier: Readonly<Record<string, number>> = {},
): ReadonlyMap<string, number> {
  const { first, last } = range;
  if (ids.length > last - first + 1) {
    throw new Error(
      `${ids.length} network ACLs do not fit between the priorities ${first} and ${last}: give the order a wider range.`,
    );
  }
  const kept = longestGrowing(ids.map((id) => (isWithin(range, earlier[id]) ? earlier[id] : undefined)));
  for (;;) {
    const tight = gapsOf(kept, range).find(({ from, to, before, after }) => to - from > after - before - 1);
    if (!tight) break;
    // If the gap is full, as few neighbours as necessary give up their numbers.
    kept[tight.to < ids.length ? tight.to : tight.from - 1] = undefined;
  }
  const numbers = [...kept];
  for (const { from, to, before, after } of gapsOf(kept, range)) {
    const count = to - from;
    // Leave a gap at the end too.
    const step =
      to < ids.length
        ? (after - before) / (count + 1)
        : Math.min(usualRoom, Math.max(1, Math.floor((after - before - 1) / (count + 1))));
    for (let index = 0; index < count; index++) numbers[from + index] = Math.floor(before + step * (index + 1));
  }
  return new Map(ids.map((id, index) => [id, numbers[index]!]));
}

function isWithin({ first, last }: Range, number: number | undefined): number is number {
  return Number.isInteger(number) && number! >= first && number! <= last;
}

interface Gap {
  /** Indices of the ids without a number. */
  readonly from: number;
  readonly to: number;
  /** The numbers before and after them. */
  readonly before: number;
  readonly after: number;
}

function gapsOf(numbers: readonly (number | undefined)[], { first, last }: Range): Gap[] {
  const gaps: Gap[] = [];
  let from = 0;
  let before = first - 1;
  [...numbers, last + 1].forEach((number, to) => {
    if (number === undefined) return;
    if (to > from) gaps.push({ from, to, before, after: number });
    from = to + 1;
    before = number;
  });
  return gaps;
}

/** Keeps only the longest increasing sequence. */
function longestGrowing(numbers: readonly (number | undefined)[]): (number | undefined)[] {
  const best: { length: number; previous: number }[] = [];
  let end = -1;
  numbers.forEach((number, index) => {
    best[index] = { length: 0, previous: -1 };
    if (number === undefined) return;
    let previous = -1;
    for (let other = 0; other < index; other++) {
      const isBefore = numbers[other] !== undefined && numbers[other]! < number;
      if (isBefore && best[other]!.length > (best[previous]?.length ?? 0)) previous = other;
    }
    best[index] = { length: (best[previous]?.length ?? 0) + 1, previous };
    if (best[index].length > (best[end]?.length ?? 0)) end = index;
  });
  const kept: (number | undefined)[] = numbers.map(() => undefined);
  for (let at = end; at >= 0; at = best[at]!.previous) kept[at] = numbers[at];
  return kept;
}
