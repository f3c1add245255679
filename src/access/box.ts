/** A rule as boxes: the requests that it matches under a reading. */
import { extent, exclusion, type Reading } from "./assumptions";
import { criteriaOf, type Criterion } from "./criterion";
import { foreignOf, type Rule } from "./rule";
import type { Box, Cut, Space } from "./space";

/** All of these hold. */
type Together = readonly Cut[];
/** One or more of these hold; of none, nothing does. */
type Either = readonly Together[];

/** The requests that the rule matches are those in one box or more; there may be none. */
export function boxesOf(rule: Rule, reading: Reading, space: Space): Box[] {
  if (foreignOf(rule).some(({ piece }) => reading.get(extent(piece)) === "none")) return [];
  const wanted = criteriaOf(rule, "match", reading).map((criterion) => inside(criterion, reading, space));
  const excluded = criteriaOf(rule, "not_match", reading).map((criterion) => inside(criterion, reading, space));
  const conditions: Either[] = [
    [[space.scope(rule.scope, reading)]],
    ...wanted,
    ...(reading.get(exclusion) === "all" && excluded.length > 0
      ? [outsideOne(excluded, space)]
      : excluded.map((either) => outside(either, space))),
  ];
  let boxes: Box[] = [space.whole];
  for (const either of conditions) boxes = boxes.flatMap((box) => either.flatMap((cuts) => narrowed(box, cuts, space)));
  return boxes;
}

/** What cannot be read of `match` holds all requests where it lets the rule hold, and that of `not_match` none. */
function inside(criterion: Criterion, reading: Reading, space: Space): Either {
  const { side, signal, open } = criterion;
  if (open !== undefined && (reading.get(extent(open)) === "all") === (side === "match")) return [[]];
  return signal ? space.held(criterion, reading).map((cut) => [cut]) : [];
}

function outside(either: Either, space: Space): Either {
  if (either.some((cuts) => cuts.length === 0)) return [];
  return [either.flat().map((cut) => complement(cut, space))];
}

/** Outside of one or more: of the first, or inside that and outside of the second, and so on; so no two have a request in common. */
function outsideOne(eithers: readonly Either[], space: Space): Either {
  const found: Together[] = [];
  let rest: Either = [[]];
  for (const either of eithers.toSorted((a, b) => a.length - b.length)) {
    found.push(...both(rest, outside(either, space)));
    rest = both(rest, either);
  }
  return found;
}

function both(one: Either, other: Either): Together[] {
  return one.flatMap((cuts) => other.map((more) => [...cuts, ...more]));
}

function complement({ field, set }: Cut, { whole, spans }: Space): Cut {
  return { field, set: whole.subarray(...spans[field]!).map((bits, word) => bits & ~set[word]!) };
}

/** None where nothing is left. */
function narrowed(box: Box, cuts: Together, { spans }: Space): Box[] {
  const rest = box.slice();
  for (const { field, set } of cuts) {
    const [from, to] = spans[field]!;
    let some = 0;
    for (let word = from; word < to; word++) some |= rest[word]! &= set[word - from]!;
    if (some === 0) return [];
  }
  return [rest];
}

/** The requests that are in both boxes; undefined where there are none. */
export function intersection(one: Box, other: Box, space: Space): Box | undefined {
  return overlap(one, other, space) ? one.map((bits, word) => bits & other[word]!) : undefined;
}

export function overlap(one: Box, other: Box, { spans }: Space): boolean {
  for (const [from, to] of spans) {
    let some = 0;
    for (let word = from; word < to; word++) some |= one[word]! & other[word]!;
    if (some === 0) return false;
  }
  return true;
}

/** Whether the request that a point stands for is in the box. */
export function includes(box: Box, point: Box): boolean {
  for (let word = 0; word < point.length; word++) if ((point[word]! & ~box[word]!) !== 0) return false;
  return true;
}
