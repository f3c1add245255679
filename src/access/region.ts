/** Partitions the space of requests into regions by the ACL that ends the evaluation, and searches requests in regions. */
import { byOutcome, type Reading, type Result } from "./action";
import type { Assumptions } from "./assumptions";
import { includes, intersection, matchedBy } from "./boxes";
import { orderUnder, type Acl } from "./decide";
import {
  ifDecided,
  isCovered,
  isHit,
  narrowed,
  obstacle,
  search,
  undecided,
  type Budget,
  type Obstacle,
} from "./search";
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

/** In order of evaluation. An unreachable ACL has no parts. */
export type Partition<A extends Acl> = readonly Ending<A>[];

/** The same ending under several assumptions is the same object, so that it is searched once. */
export function partition<A extends Acl>(
  acls: readonly A[],
  assumptions: Assumptions,
  space: Space,
  reading: Reading = byOutcome,
): Partition<A> {
  const earlier: Obstacle[] = [];
  const { partOf, endingFrom } = storeOf<A>(space);
  const endings = orderUnder(acls, assumptions).flatMap((acl) => {
    const end = reading.of(acl.rule.action, assumptions);
    if (!end) return [];
    const reached = matchedBy(acl.rule, assumptions, space).map((one) => ({ one, part: partOf(one, earlier) }));
    // An ACL that no request reaches keeps none from later ACLs.
    earlier.push(...reached.flatMap(({ one, part }) => (part ? one : [])));
    return endingFrom(
      acl,
      end,
      reached.flatMap(({ part }) => part ?? []),
    );
  });
  const rest = partOf(obstacle(space.whole, space), earlier);
  return [...endings, endingFrom(undefined, reading.otherwise, rest ? [rest] : [])];
}

/** Parts and endings that several partitions of a space have in common. */
interface Store<A extends Acl> {
  /** The requests of the box outside of the earlier ones. Undefined if there are none. */
  partOf(box: Obstacle, earlier: readonly Obstacle[]): StoredPart | undefined;
  endingFrom(acl: A | undefined, end: Result, parts: readonly StoredPart[]): Ending<A>;
}

interface StoredPart extends Part {
  readonly id: number;
}

const stores = new WeakMap<Space, Store<Acl>>();

function storeOf<A extends Acl>(space: Space): Store<A> {
  const store = stores.get(space) ?? createStore();
  stores.set(space, store);
  return store as unknown as Store<A>;
}

function createStore(): Store<Acl> {
  const parts = new Map<string, StoredPart | undefined>();
  const endings = new Map<Acl | undefined, Map<string, Ending<Acl>>>();
  return {
    partOf(one, earlier) {
      const around = earlier.filter((other) => isHit(one.box, other));
      const key = [one, ...around].map(({ id }) => id).join();
      if (!parts.has(key)) {
        const rest = reachable(one.box, around);
        parts.set(key, rest && { ...rest, id: parts.size });
      }
      return parts.get(key);
    },
    endingFrom(acl, end, own) {
      const known = endings.get(acl) ?? new Map<string, Ending<Acl>>();
      endings.set(acl, known);
      const key = JSON.stringify([end.outcome, end.redirect_uri, ...own.map(({ id }) => id)]);
      const ending = known.get(key) ?? { ...(acl && { acl }), end, parts: own };
      known.set(key, ending);
      return ending;
    },
  };
}

/** Steps to find out whether any request reaches an ACL. If they do not suffice, the pairs of the ACL decide. */
const stepsToReach = 50;

function reachable(box: Box, around: readonly Obstacle[]): Part | undefined {
  const rest = narrowed(box, around);
  if (!rest) return undefined;
  const budget: Budget = { left: stepsToReach };
  const found = ifDecided(() => search(rest.box, rest.obstacles, budget) ?? "none");
  return found === "none" ? undefined : rest;
}

/** How the evaluation of the request at a point ends. */
export function endAt<A extends Acl>(
  acls: readonly A[],
  point: Box,
  assumptions: Assumptions,
  space: Space,
  reading: Reading = byOutcome,
): { readonly acl?: A; readonly end: Result } {
  for (const acl of orderUnder(acls, assumptions)) {
    const end = reading.of(acl.rule.action, assumptions);
    if (end && matchedBy(acl.rule, assumptions, space).some(({ box }) => includes(box, point))) return { acl, end };
  }
  return { end: reading.otherwise };
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

export interface CommonSearch {
  readonly all: readonly Assumptions[];
  /** The requests with a property under the assumptions. */
  regions(assumptions: Assumptions): Iterable<Region>;
  /** Whether the request at the point has it. */
  has(point: Box, assumptions: Assumptions): boolean;
  readonly space: Space;
  readonly budget: Budget;
}

/** A request of one of the regions that has the property under all assumptions. */
export function commonPoint(regions: Iterable<Region>, given: CommonSearch): Box | undefined {
  const { all, has, space, budget } = given;
  for (const region of regions) {
    const point = pointIn(region, space, budget);
    if (!point) continue;
    // Assumptions under which the point does not have the property narrow the region.
    const failed = all.find((assumptions) => !has(point, assumptions));
    const found = failed ? commonPoint(narrowedTo(region, failed, given), given) : point;
    if (found) return found;
  }
  return undefined;
}

function* narrowedTo(region: Region, failed: Assumptions, { regions, space, budget }: CommonSearch): Generator<Region> {
  for (const other of regions(failed)) {
    if (budget.left-- <= 0) throw undecided;
    yield intersect(region, other, space);
  }
}
