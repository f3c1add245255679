/** A rule as boxes: the requests that it matches under a reading. */
import { extent, exclusion, type Reading } from "./reading";
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
  const excluded = criteriaOf(rule, "not_match", reading).map((criterion) => outside(criterion, reading, space));
  const conditions: Either[] = [
    [[space.scope(rule.scope, reading)]],
    ...criteriaOf(rule, "match", reading).map((criterion) => inside(criterion, reading, space)),
    ...(reading.get(exclusion) === "all" && excluded.length > 0 ? [excluded.flat()] : excluded),
  ];
  let boxes: Box[] = [space.whole];
  for (const either of conditions) boxes = boxes.flatMap((box) => either.flatMap((cuts) => narrowed(box, cuts, space)));
  return boxes;
}

function inside(criterion: Criterion, reading: Reading, space: Space): Either {
  if (isWide(criterion, reading)) return [[]];
  return criterion.signal ? space.held(criterion, reading).map((cut) => [cut]) : [];
}

function outside(criterion: Criterion, reading: Reading, space: Space): Either {
  if (criterion.open !== undefined && !isWide(criterion, reading)) return [];
  return criterion.signal ? [space.held(criterion, reading).map((cut) => complement(cut, space))] : [[]];
}

/** Whether what cannot be read of the criterion lets the rule hold. */
function isWide({ open }: Criterion, reading: Reading): boolean {
  return open !== undefined && reading.get(extent(open)) === "all";
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
export function intersection(one: Box, other: Box, { spans }: Space): Box | undefined {
  for (const [from, to] of spans) {
    let some = 0;
    for (let word = from; word < to; word++) some |= one[word]! & other[word]!;
    if (some === 0) return undefined;
  }
  return one.map((bits, word) => bits & other[word]!);
}

/** Whether the request that a point stands for is in the box. */
export function includes(box: Box, point: Box): boolean {
  for (let word = 0; word < point.length; word++) if ((point[word]! & ~box[word]!) !== 0) return false;
  return true;
}
