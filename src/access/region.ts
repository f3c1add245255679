/** Where the evaluation of some lists ends, as regions of the space: each list's own, and the rest, where none matches. */
import { effectOf, type Result } from "./action";
import { boxesOf, includes, intersection } from "./box";
import { inOrder, type Acl } from "./decide";
import type { Assumptions } from "./assumptions";
import { isCovered, isHit, obstacle, search, type Budget, type Obstacle } from "./search";
import type { Box, Space } from "./space";

/** Requests that are in a box and in none of the obstacles. */
export interface Part {
  readonly box: Box;
  readonly obstacles: readonly Obstacle[];
}

/** Requests that are in one of the parts. */
export interface Region {
  readonly parts: readonly Part[];
}

/** Where the evaluation ends with this list; left out: none matches. */
export interface Ending<A extends Acl> extends Region {
  readonly acl?: A;
  readonly end: Result;
}

/** What a list records, if the evaluation comes to it. */
export interface Logged<A extends Acl> extends Region {
  readonly acl: A;
  /** The first of the endings that stand behind it. */
  readonly next: number;
}

export interface Partition<A extends Acl> {
  /** In order of evaluation. */
  readonly endings: readonly Ending<A>[];
  readonly logged: readonly Logged<A>[];
}

export function partition<A extends Acl>(acls: readonly A[], assumptions: Assumptions, space: Space): Partition<A> {
  const endings: Ending<A>[] = [];
  const logged: Logged<A>[] = [];
  const earlier: Obstacle[] = [];
  for (const acl of inOrder(acls, assumptions)) {
    const effect = effectOf(acl.rule.action, assumptions) ?? { outcome: "blocked" };
    const own = boxesOf(acl.rule, assumptions, space).map((box) => obstacle(box, space));
    const parts = own.map(({ box }) => ({ box, obstacles: earlier.filter((one) => isHit(box, one)) }));
    const region = { acl, parts };
    if (effect === "logged") logged.push({ ...region, next: endings.length });
    else {
      endings.push({ ...region, end: effect });
      earlier.push(...own);
    }
  }
  endings.push({ end: { outcome: "allowed" }, parts: [{ box: space.whole, obstacles: earlier }] });
  return { endings, logged };
}

/** Where the evaluation of a request ends. */
export function endingOf<A extends Acl>({ endings }: Partition<A>, point: Box): Ending<A> {
  return endings.find(({ parts }) => parts.some(({ box }) => includes(box, point)))!;
}

/** The requests that are in both. */
export function intersect(one: Region, other: Region, space: Space): Region {
  return {
    parts: one.parts.flatMap((part) => other.parts.flatMap((second) => intersectParts(part, second, space) ?? [])),
  };
}

function intersectParts(one: Part, other: Part, space: Space): Part | undefined {
  const box = intersection(one.box, other.box, space);
  if (!box) return undefined;
  const obstacles = new Set<Obstacle>();
  for (const each of [one.obstacles, other.obstacles]) {
    for (const met of each) {
      if (!isHit(box, met)) continue;
      if (isCovered(box, met)) return undefined;
      obstacles.add(met);
    }
  }
  return { box, obstacles: [...obstacles] };
}

/** A plain one of the requests of a region, as a point; undefined: there is none. */
export function pointIn({ parts }: Region, space: Space, budget: Budget): Box | undefined {
  for (const { box, obstacles } of parts) {
    const found = search(box, obstacles, budget);
    if (found) return plainer(space.point(found), box, obstacles, space);
  }
  return undefined;
}

/** Takes the facts from the point, field by field, where it stays in the region. */
function plainer(point: Box, box: Box, obstacles: readonly Obstacle[], { spans, plain }: Space): Box {
  for (const [from, to] of spans) {
    const fact = point.slice(from, to);
    point.set(plain.subarray(from, to), from);
    if (includes(box, point) && !obstacles.some((one) => includes(one.box, point))) continue;
    point.set(fact, from);
  }
  return point;
}
