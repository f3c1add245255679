/** Finds requests that the tenant records only before or only after a change. */
import { includes } from "./box";
import type { Comparison, Partitions } from "./comparison";
import type { Acl } from "./decide";
import type { Assumptions } from "./assumptions";
import { intersect, pointIn, type Partition, type Region } from "./region";
import { ifDecided, type Budget } from "./search";
import type { Box, Space, WholeRequest } from "./space";

export interface LoggingChange<A extends Acl> {
  /** The ACL that logs the request. */
  readonly acl: A;
  /** A request that the tenant does not record on the other side: no ACL logs or blocks it. */
  readonly witness: WholeRequest;
  /** Certain: under all assumptions, this ACL logs the witness, and the tenant does not record it on the other side. */
  readonly certainty: "certain" | "possible";
}

const steps = 20_000;

/** Finds requests under the most likely assumptions. Leaves out what the budget does not decide. */
export function loggingChanges<A extends Acl>(comparison: Comparison<A>) {
  const budget: Budget = { left: steps };
  return {
    lost: onlyOn("before", comparison, budget),
    gained: onlyOn("after", comparison, budget),
  };
}

function onlyOn<A extends Acl>(
  side: keyof Partitions<A>,
  { partitions, combinations, space }: Comparison<A>,
  budget: Budget,
): LoggingChange<A>[] {
  const known = new Map<Assumptions, readonly Region[]>();
  const silentUnder = (assumptions: Assumptions) => {
    const silent = known.get(assumptions) ?? unrecorded(partitions(assumptions)[otherSide[side]]);
    known.set(assumptions, silent);
    return silent;
  };
  const [likeliest, ...others] = combinations.all;
  return partitions(likeliest!)[side].logged.flatMap((logged) => {
    const { acl } = logged;
    const under = (one: Assumptions): Under => ({
      logged: partitions(one)[side].logged.find((its) => its.acl === acl) ?? { parts: [] },
      silent: silentUnder(one),
    });
    const regions = silentUnder(likeliest!).map((region) => intersect(logged, region, space));
    const found = ifDecided(() => firstIn(regions, (region) => pointIn(region, space, budget)));
    if (!found) return [];
    const isWhole = combinations.complete;
    const sure = isWhole && ifDecided(() => surePoint(regions, others.map(under), space, budget));
    return [{ acl, witness: space.request(sure || found), certainty: sure ? "certain" : "possible" }];
  });
}

const otherSide = { before: "after", after: "before" } as const;

/** Under assumptions: the requests that the ACL logs, and the requests that the tenant does not record on the other side. */
interface Under {
  readonly logged: Region;
  readonly silent: readonly Region[];
}

/** A point of the regions that has the same result under all other assumptions. */
function surePoint(
  regions: readonly Region[],
  others: readonly Under[],
  space: Space,
  budget: Budget,
): Box | undefined {
  return firstIn(regions, (region) => {
    const point = pointIn(region, space, budget);
    const failed = point && others.find(({ logged, silent }) => !isIn(point, logged) || !isInSome(point, silent));
    if (!failed) return point;
    const inside = intersect(region, failed.logged, space);
    const narrowed = failed.silent.map((silent) => intersect(inside, silent, space));
    return surePoint(narrowed, others, space, budget);
  });
}

const isInSome = (point: Box, regions: readonly Region[]) => regions.some((region) => isIn(point, region));

function firstIn<One, Found>(all: readonly One[], find: (one: One) => Found | undefined): Found | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isIn = (point: Box, { parts }: Region) =>
  parts.some(({ box, obstacles }) => includes(box, point) && !obstacles.some((one) => includes(one.box, point)));

/** For each ending that does not block, the requests that no ACL logs. The service records blocked requests too. */
function unrecorded<A extends Acl>({ endings, logged }: Partition<A>): Region[] {
  return endings.flatMap(({ parts, end }, index) => {
    if (end.outcome === "blocked") return [];
    const passed = logged.filter(({ next }) => next <= index);
    const records = passed.flatMap(({ matched }) => matched);
    return [{ parts: parts.map(({ box, obstacles }) => ({ box, obstacles: [...obstacles, ...records] })) }];
  });
}
