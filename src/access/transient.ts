/** Finds requests that have another outcome for a moment than before and after a change. Exact for all possible requests. */
import { includes } from "./box";
import { createComparison, type Comparison } from "./comparison";
import { documentedOptions, type Assumptions } from "./assumptions";
import type { Acl } from "./decide";
import { intersect, pointIn, type Ending, type Region } from "./region";
import type { Api } from "./request";
import { matchedBy } from "./rule-boxes";
import { narrowed, obstacle, Undecided, type Budget, type Obstacle } from "./search";
import type { Box, WholeRequest } from "./space";
import { waysOf, type Direction, type Moment, type Stage, type Transition } from "./transition";

/** A request with the outcome of the direction in one of the states. */
export interface Transient<A extends Acl, S extends Stage<A>> extends Moment<A, S> {
  readonly request: WholeRequest;
  /** It has the outcome under these assumptions. */
  readonly assumptions: Assumptions;
  /** The ACLs that decide before and after the change. Left out: no ACL matches. */
  readonly before?: A;
  readonly after?: A;
}

export interface Transients<A extends Acl, S extends Stage<A>> {
  /** At most one for each decider. */
  readonly found: readonly Transient<A, S>[];
  /** Every request was examined, under the most likely values of unknown parts. */
  readonly complete: boolean;
}

/** The documented semantics count. Unknown values are tried in this number of combinations at most. */
const mostCombinations = 8;
const mostFound = 20;
const mostSteps = 60_000;

/** `api`: only requests to this API count. Left out: all requests. */
export function transients<A extends Acl, S extends Stage<A>>(
  transition: Transition<A, S>,
  direction: Direction,
  { api, steps = mostSteps }: { readonly api?: Api; readonly steps?: number } = {},
): Transients<A, S> {
  const comparison = createComparison(transition.before, transition.after);
  const isDocumented = (assumptions: Assumptions) =>
    [...documentedOptions].every(([name, option]) => (assumptions.get(name) ?? option) === option);
  const all = comparison.combinations.all.filter(isDocumented);
  const budget: Budget = { left: steps };
  const found: Transient<A, S>[] = [];
  const isWanted = ({ request }: Transient<A, S>) => api === undefined || request.api === api;
  // The requests of a decider can go to several APIs, and only one of them is shown.
  let hasOthers = false;
  try {
    for (const assumptions of all.slice(0, mostCombinations)) {
      for (const one of foundUnder(transition, direction, { ...comparison, assumptions, budget }, isWanted)) {
        if (!isWanted(one)) hasOthers = true;
        if (!isWanted(one)) continue;
        if (found.some((other) => other.acl === one.acl)) continue;
        if (found.push(one) === mostFound) return { found, complete: false };
      }
    }
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return { found, complete: false };
  }
  return { found, complete: !hasOthers };
}

interface Search<A extends Acl> extends Pick<Comparison<A>, "space" | "partitions"> {
  readonly assumptions: Assumptions;
  readonly budget: Budget;
}

/** The requests with the opposite outcome before and after the change, by the ACLs that decide. */
interface Base<A extends Acl> {
  readonly one: Ending<A>;
  readonly other: Ending<A>;
  readonly region: Region;
}

function* foundUnder<A extends Acl, S extends Stage<A>>(
  transition: Transition<A, S>,
  direction: Direction,
  search: Search<A>,
  isWanted: (one: Transient<A, S>) => boolean,
): Generator<Transient<A, S>> {
  const { assumptions, space } = search;
  const bases = basesOf(direction, search);
  const boxesOf = (acls: readonly A[]) => acls.flatMap((acl) => matchedBy(acl.rule, assumptions, space));
  for (const { acl, rivals, groups } of waysOf(transition, direction, assumptions)) {
    const region = regionOf(acl, boxesOf(rivals), search);
    const choices = groups.map((group) => group.map(({ stage, rivals: own }) => ({ stage, rivals: boxesOf(own) })));
    for (const base of bases) {
      const common = meet(region, base.region, search);
      const point = common.parts.length > 0 && freePoint(common, choices, search);
      if (!point) continue;
      const isFree = (all: readonly Obstacle[]) => !all.some(({ box }) => includes(box, point));
      const one: Transient<A, S> = {
        request: space.request(point),
        assumptions,
        ...(acl && { acl }),
        ...(base.one.acl && { before: base.one.acl }),
        ...(base.other.acl && { after: base.other.acl }),
        stages: choices.map((own) => own.find((choice) => isFree(choice.rivals))!.stage),
      };
      yield one;
      if (isWanted(one)) break;
    }
  }
}

function basesOf<A extends Acl>(direction: Direction, search: Search<A>): Base<A>[] {
  const { before, after } = search.partitions(search.assumptions);
  const isOpposite = ({ end }: Ending<A>) => (end.outcome === "allowed") !== (direction === "opens");
  const [ones, others] = [before, after].map(({ endings }) => endings.filter(isOpposite)) as [Ending<A>[], Ending<A>[]];
  return ones.flatMap((one) =>
    others.flatMap((other) => {
      const region = meet(one, other, search);
      return region.parts.length > 0 ? { one, other, region } : [];
    }),
  );
}

function meet<A extends Acl>(one: Region, other: Region, { space, budget }: Search<A>): Region {
  budget.left -= 0.1;
  if (budget.left < 0) throw new Undecided();
  return intersect(one, other, space);
}

/** The requests that the ACL decides unless a group has a rival. */
function regionOf<A extends Acl>(
  acl: A | undefined,
  rivals: readonly Obstacle[],
  { assumptions, space }: Search<A>,
): Region {
  const matched = acl ? matchedBy(acl.rule, assumptions, space) : [obstacle(space.whole, space)];
  return { parts: matched.flatMap(({ box }) => partOf(box, rivals)) };
}

function partOf(box: Box, obstacles: readonly Obstacle[]): Region["parts"] {
  const part = narrowed(box, obstacles);
  return part ? [part] : [];
}

/** A stage of a group, by the requests that it takes away from the decider. */
interface Choice {
  readonly rivals: readonly Obstacle[];
}

/** A request of the region that one stage of each group leaves to the decider. */
function freePoint<A extends Acl>(
  region: Region,
  groups: readonly (readonly Choice[])[],
  search: Search<A>,
): Box | undefined {
  const { space, budget } = search;
  const point = pointIn(region, space, budget);
  if (!point) return undefined;
  const isHit = ({ rivals }: Choice) => rivals.some(({ box }) => includes(box, point));
  const failing = groups.find((choices) => choices.every(isHit));
  if (!failing) return point;
  const others = groups.filter((choices) => choices !== failing);
  const tried = new Set<string>();
  for (const { rivals } of failing) {
    const key = rivals.map(({ id }) => id).join();
    if (tried.has(key)) continue;
    tried.add(key);
    const parts = region.parts.flatMap(({ box, obstacles }) => partOf(box, [...obstacles, ...rivals]));
    const found = parts.length > 0 && freePoint({ parts }, others, search);
    if (found) return found;
  }
  return undefined;
}
