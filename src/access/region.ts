/** Partitions the space of requests into regions by the ACL that ends the evaluation. */
import { effectOf, type Result } from "./action";
import { boxesOf, includes, intersection } from "./box";
import { inOrder, type Acl } from "./decide";
import type { Assumptions } from "./assumptions";
import { isCovered, isHit, obstacle, search, type Budget, type Obstacle } from "./search";
import type { Box, Space } from "./space";

/** The requests in a box, except those in an obstacle. */
export interface Part {
  readonly box: Box;
  readonly obstacles: readonly Obstacle[];
}

/** The requests in at least one part. */
export interface Region {
  readonly parts: readonly Part[];
}

/** The requests for which this ACL ends the evaluation. Without an ACL: none matches. */
export interface Ending<A extends Acl> extends Region {
  readonly acl?: A;
  readonly end: Result;
}

/** The requests that an ACL logs. */
export interface Logged<A extends Acl> extends Region {
  readonly acl: A;
  /** Index of the first ending after it. */
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

export function endingOf<A extends Acl>({ endings }: Partition<A>, point: Box): Ending<A> {
  return endings.find(({ parts }) => parts.some(({ box }) => includes(box, point)))!;
}

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

/** A plain request of the region, as a point. Undefined: the region is empty. */
export function pointIn({ parts }: Region, space: Space, budget: Budget): Box | undefined {
  for (const { box, obstacles } of parts) {
    const found = search(box, obstacles, budget);
    if (found) return plainer(space.point(found), box, obstacles, space);
  }
  return undefined;
}

/** Makes each fact plain if the point then stays in the region. */
function plainer(point: Box, box: Box, obstacles: readonly Obstacle[], { spans, plain }: Space): Box {
  for (const [from, to] of spans) {
    const fact = point.slice(from, to);
    point.set(plain.subarray(from, to), from);
    if (includes(box, point) && !obstacles.some((one) => includes(one.box, point))) continue;
    point.set(fact, from);
  }
  return point;
}
