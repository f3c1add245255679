/** Where the evaluation of some lists ends, as regions of the space: each list's own, and the rest, where none matches. */
import { effectOf, type End } from "./action";
import { boxesOf, includes, intersection } from "./box";
import { inOrder, type Acl } from "./decide";
import type { Reading } from "./reading";
import { isHit, obstacle, search, type Budget, type Obstacle } from "./search";
import type { Box, Space } from "./space";

/** Requests that are in one of the boxes and in none of the obstacles. */
export interface Region {
  readonly boxes: readonly Box[];
  /** In groups, each of which several regions may share. */
  readonly obstacles: readonly (readonly Obstacle[])[];
}

/** Where the evaluation ends with this list; left out: none matches. */
export interface Ending<A extends Acl> extends Region {
  readonly acl?: A;
  readonly end: End;
}

/** What a list records, if the evaluation comes to it. */
export interface Recording<A extends Acl> extends Region {
  readonly acl: A;
  /** The first of the endings that stand behind it. */
  readonly next: number;
}

export interface Layout<A extends Acl> {
  /** In order of evaluation. */
  readonly endings: readonly Ending<A>[];
  readonly recordings: readonly Recording<A>[];
}

export function layout<A extends Acl>(acls: readonly A[], reading: Reading, space: Space): Layout<A> {
  const endings: Ending<A>[] = [];
  const recordings: Recording<A>[] = [];
  const earlier: Obstacle[] = [];
  for (const acl of inOrder(acls, reading)) {
    const effect = effectOf(acl.rule.action, reading) ?? { outcome: "blocked" };
    const own = boxesOf(acl.rule, reading, space).map((box) => obstacle(box, space));
    const boxes = own.map(({ box }) => box);
    const region = { acl, boxes, obstacles: [earlier.filter((one) => boxes.some((box) => isHit(box, one)))] };
    if (effect === "logged") recordings.push({ ...region, next: endings.length });
    else {
      endings.push({ ...region, end: effect });
      earlier.push(...own);
    }
  }
  endings.push({ end: { outcome: "allowed" }, boxes: [space.whole], obstacles: [earlier] });
  return { endings, recordings };
}

/** Where the evaluation of a request ends. */
export function endingAt<A extends Acl>({ endings }: Layout<A>, point: Box): Ending<A> {
  return endings.find(({ boxes }) => boxes.some((box) => includes(box, point)))!;
}

/** The requests that are in both; undefined where the boxes have none in common. */
export function meet(one: Region, other: Region, space: Space): Region | undefined {
  const boxes = one.boxes.flatMap((box) => other.boxes.flatMap((second) => intersection(box, second, space) ?? []));
  if (boxes.length === 0) return undefined;
  return { boxes, obstacles: [...one.obstacles, ...other.obstacles] };
}

/** A plain one of the requests of a region, as a point; undefined: there is none. */
export function pointIn({ boxes, obstacles: groups }: Region, space: Space, budget: Budget): Box | undefined {
  for (const box of boxes) {
    const obstacles = [...new Set(groups.flatMap((group) => group.filter((one) => isHit(box, one))))];
    const found = search(box, obstacles, budget);
    if (found) return plainer(space.point(found), box, obstacles, space);
  }
  return undefined;
}

/** Field by field without the fact, where the point stays in the region. */
function plainer(point: Box, box: Box, obstacles: readonly Obstacle[], { spans, plain }: Space): Box {
  const best = point.slice();
  for (const [from, to] of spans) {
    const fact = best.slice(from, to);
    best.set(plain.subarray(from, to), from);
    if (includes(box, best) && !obstacles.some((one) => includes(one.box, best))) continue;
    best.set(fact, from);
  }
  return best;
}
