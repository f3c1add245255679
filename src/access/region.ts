/** Partitions the space of requests into regions by the ACL that ends the evaluation. */
import { effectUnder, type Result } from "./action";
import { includes, intersection, matchedBy } from "./boxes";
import { orderUnder, type Acl } from "./decide";
import type { Assumptions } from "./assumptions";
import { ifDecided, isCovered, isHit, narrowed, search, type Budget, type Obstacle } from "./search";
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

/** The requests that reach an ACL and that it matches. */
interface Reached extends Region {
  /** All requests that it matches. */
  readonly matched: readonly Obstacle[];
}

/** The requests for which this ACL ends the evaluation. Without an ACL: none matches. */
export interface Ending<A extends Acl> extends Reached {
  readonly acl?: A;
  readonly end: Result;
}

/** The requests that an ACL logs. */
export interface Logged<A extends Acl> extends Reached {
  readonly acl: A;
  /** Index of the first ending after it. */
  readonly next: number;
}

export interface Partition<A extends Acl> {
  /** In order of evaluation. An unreachable ACL has no parts. */
  readonly endings: readonly Ending<A>[];
  readonly logged: readonly Logged<A>[];
}

export function partition<A extends Acl>(acls: readonly A[], assumptions: Assumptions, space: Space): Partition<A> {
  const endings: Ending<A>[] = [];
  const logged: Logged<A>[] = [];
  const earlier: Obstacle[] = [];
  const { partOf, endingFrom } = storeOf<A>(space);
  for (const acl of orderUnder(acls, assumptions)) {
    const effect = effectUnder(acl.rule.action, assumptions);
    const matched = matchedBy(acl.rule, assumptions, space);
    const reached = matched.map((one) => partOf(one, earlier));
    const parts = reached.filter((part) => part !== undefined);
    if (effect === "logged") logged.push({ acl, matched, parts, next: endings.length });
    else {
      endings.push(endingFrom(acl, effect, matched, parts));
      // An ACL that no request reaches keeps none from later ACLs.
      earlier.push(...matched.filter((_, index) => reached[index]));
    }
  }
  const rest = narrowed(space.whole, earlier);
  endings.push({ end: { outcome: "allowed" }, matched: [], parts: rest ? [rest] : [] });
  return { endings, logged };
}

/** Parts and endings that several partitions of a space have in common. */
interface Store<A extends Acl> {
  /** The requests of the box outside of the earlier ones. Undefined if there are none. */
  partOf(box: Obstacle, earlier: readonly Obstacle[]): StoredPart | undefined;
  endingFrom(acl: A, end: Result, matched: readonly Obstacle[], parts: readonly StoredPart[]): Ending<A>;
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
  const parts = new Map<string, { readonly around: readonly Obstacle[]; readonly part: StoredPart | undefined }[]>();
  const hits: boolean[][] = [];
  const endings = new Map<Acl, Map<string, Ending<Acl>>>();
  let count = 0;
  return {
    partOf(one, earlier) {
      const met = (hits[one.id] ??= []);
      const around: Obstacle[] = [];
      let hash = 0;
      for (const other of earlier) {
        if (!(met[other.id] ??= isHit(one.box, other))) continue;
        around.push(other);
        hash = (Math.imul(hash, 31) + other.id) | 0;
      }
      const key = `${one.id} ${around.length} ${hash}`;
      const known = parts.get(key) ?? [];
      parts.set(key, known);
      const same = known.find((each) => each.around.every((other, index) => other === around[index]));
      if (same) return same.part;
      const rest = reachable(one.box, around);
      const part = rest && { ...rest, id: count++ };
      known.push({ around, part });
      return part;
    },
    endingFrom(acl, end, matched, own) {
      const known = endings.get(acl) ?? new Map<string, Ending<Acl>>();
      endings.set(acl, known);
      const key = JSON.stringify([
        end.outcome,
        end.redirect_uri,
        ...[matched, own].map((all) => all.map(({ id }) => id)),
      ]);
      const ending = known.get(key) ?? { acl, end, matched, parts: own };
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

/** How the evaluation of the request at a point ends, and the ACLs that log it. */
export function endAt<A extends Acl>(
  acls: readonly A[],
  point: Box,
  assumptions: Assumptions,
  space: Space,
): { readonly acl?: A; readonly end: Result; readonly logs: readonly A[] } {
  const logs: A[] = [];
  for (const acl of orderUnder(acls, assumptions)) {
    if (!matchedBy(acl.rule, assumptions, space).some(({ box }) => includes(box, point))) continue;
    const effect = effectUnder(acl.rule.action, assumptions);
    if (effect !== "logged") return { acl, end: effect, logs };
    logs.push(acl);
  }
  return { end: { outcome: "allowed" }, logs };
}

/** All requests that the ACLs before an ending log. */
export const recordsBefore = ({ logged }: Partition<Acl>, ending: number): Obstacle[] =>
  logged.flatMap(({ next, matched }) => (next <= ending ? matched : []));

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
