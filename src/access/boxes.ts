/** Converts a rule to boxes: the requests that it matches under assumptions. */
import { documentedOptions, extent, type Assumptions } from "./assumptions";
import { criteriaOf, sides, unknownProperties, type Criterion, type Rule } from "./rule";
import { obstacle, type Obstacle } from "./search";
import type { Box, Constraint, Space } from "./space";
import { ruleUncertainties } from "./uncertainty";

/** All constraints must be met. */
type Conjunction = readonly Constraint[];
/** At least one must be met. */
type Disjunction = readonly Conjunction[];

/** The rule matches the requests in these boxes. */
export function boxesOf(rule: Rule, assumptions: Assumptions, space: Space): Box[] {
  if (unknownProperties(rule).some(({ piece }) => assumptions.get(extent(piece)) === "none")) return [];
  const on = (side: (typeof sides)[number]) =>
    criteriaOf(rule, side, assumptions).map((criterion) => inside(criterion, assumptions, space));
  const conditions: Disjunction[] = [
    [[space.scope(rule.scope, assumptions)]],
    ...on("match"),
    ...on("not_match").map((either) => outside(either, space)),
  ];
  let boxes: Box[] = [space.whole];
  for (const either of conditions) boxes = boxes.flatMap((box) => either.flatMap((cuts) => narrow(box, cuts, space)));
  return boxes;
}

/** If an unreadable part lets the rule match, `match` includes all requests and `not_match` none. Unknown keys need a signature. */
function inside(criterion: Criterion, assumptions: Assumptions, space: Space): Disjunction {
  const { side, signal, unreadable, needsSignature } = criterion;
  if (unreadable !== undefined && (assumptions.get(extent(unreadable)) === "all") === (side === "match")) {
    return [needsSignature ? [space.signed()] : []];
  }
  return signal ? space.matching(criterion, assumptions).map((cut) => [cut]) : [];
}

function outside(either: Disjunction, space: Space): Disjunction {
  if (either.some((cuts) => cuts.length === 0)) return [];
  return [either.flat().map((cut) => complement(cut, space))];
}

function complement({ field, set }: Constraint, { whole, spans }: Space): Constraint {
  return { field, set: whole.subarray(...spans[field]!).map((bits, word) => bits & ~set[word]!) };
}

/** Empty if no request is left. */
function narrow(box: Box, cuts: Conjunction, { spans }: Space): Box[] {
  const rest = box.slice();
  for (const { field, set } of cuts) {
    const [from, to] = spans[field]!;
    let some = 0;
    for (let word = from; word < to; word++) some |= rest[word]! &= set[word - from]!;
    if (some === 0) return [];
  }
  return [rest];
}

/** Undefined if the boxes have no request in common. */
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

/** Whether the request of a point is in the box. */
export function includes(box: Box, point: Box): boolean {
  for (let word = 0; word < point.length; word++) if ((point[word]! & ~box[word]!) !== 0) return false;
  return true;
}

const made = new WeakMap<Space, WeakMap<Rule, Map<string, readonly Obstacle[]>>>();

/** The boxes of the requests that the rule matches, made once for each choice of the assumptions that concern the rule. */
export function matchedBy(given: Rule, assumptions: Assumptions, space: Space): readonly Obstacle[] {
  const rule = space.under?.(given, assumptions) ?? given;
  const rules = made.get(space) ?? new WeakMap<Rule, Map<string, readonly Obstacle[]>>();
  made.set(space, rules);
  const known = rules.get(rule) ?? new Map<string, readonly Obstacle[]>();
  rules.set(rule, known);
  const key = choiceFor(rule, assumptions);
  const boxes = known.get(key) ?? boxesOf(rule, assumptions, space).map((box) => obstacle(box, space));
  known.set(key, boxes);
  return boxes;
}

/** The options of the assumptions that decide which requests the rule matches. */
function choiceFor(rule: Rule, assumptions: Assumptions): string {
  const names = ruleUncertainties(rule).map(({ name }) => name);
  return names.map((name) => assumptions.get(name) ?? documentedOptions.get(name) ?? "").join();
}
