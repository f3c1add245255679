/** Decides whether two changes of ACLs have the same effect on every possible request. */
import { sameResult, type Result } from "./action";
import { intersect, partition, pointIn, type Ending, type Partition, type Region } from "./region";
import type { Acl } from "./decide";
import type { Assumptions } from "./assumptions";
import { pairing } from "./comparison";
import { undecided, ifDecided, type Budget } from "./search";
import { createSpace, type Space, type WholeRequest } from "./space";
import { combinationsOf, uncertaintiesOf } from "./uncertainty";

/** The ACLs of a tenant before and after a change. */
export interface AclsOfChange<A extends Acl> {
  readonly before: readonly A[];
  readonly after: readonly A[];
}

/** The results of one request before and after a change. */
export interface RequestEffect {
  readonly before: Result;
  readonly after: Result;
}

/** A request for which the two changes have different effects. */
export interface EffectDifference {
  readonly witness: WholeRequest;
  readonly one: RequestEffect;
  readonly other: RequestEffect;
}

export interface EffectComparison {
  /** "same": proven for all requests, under all assumptions. */
  readonly verdict: "same" | "different" | "not decided";
  readonly differences: readonly EffectDifference[];
  /** Whether every request was compared under all assumptions, so that there are no further differences. */
  readonly isComplete: boolean;
}

const stepsOfAll = 100_000;
const mostDifferences = 20;

/** A request that a change leaves alone has no effect, so its outcome may then differ between the two changes. */
export function compareEffects<A extends Acl>(
  one: AclsOfChange<A>,
  other: AclsOfChange<A>,
  { steps = stepsOfAll, most = mostDifferences } = {},
): EffectComparison {
  const versions = [one.before, other.before, one.after, other.after] as const;
  const { all, complete } = combinationsOf(uncertaintiesOf(versions));
  const active = versions.flat().filter((acl) => acl.active);
  const space = createSpace([...new Set(active)], all);
  const found = new Map<string, EffectDifference>();
  const budget: Budget = { left: steps };
  const isDecided = ifDecided(() => {
    for (const assumptions of all) {
      for (const difference of differencesUnder(assumptions, versions, { space, budget })) {
        const key = JSON.stringify([difference.one, difference.other]);
        if (!found.has(key)) found.set(key, difference);
        if (found.size >= most) return false;
      }
    }
    return complete;
  });
  const isComplete = isDecided === true;
  const verdict = found.size > 0 ? "different" : isComplete ? "same" : "not decided";
  return { verdict, differences: [...found.values()], isComplete };
}

type Versions<A extends Acl> = readonly [
  oneBefore: readonly A[],
  otherBefore: readonly A[],
  oneAfter: readonly A[],
  otherAfter: readonly A[],
];

interface Search {
  readonly space: Space;
  readonly budget: Budget;
}

function* differencesUnder<A extends Acl>(
  assumptions: Assumptions,
  versions: Versions<A>,
  search: Search,
): Generator<EffectDifference> {
  const partitions = new Map(versions.map((acls) => [acls, partition(acls, assumptions, search.space)]));
  const [oneBefore, otherBefore, oneAfter, otherAfter] = versions.map((acls) => partitions.get(acls)!) as [
    Partition<A>,
    Partition<A>,
    Partition<A>,
    Partition<A>,
  ];
  for (const { ends, region } of unequal(oneBefore, otherBefore, search)) {
    for (const [after, its] of common(oneAfter, otherAfter, region, search)) {
      yield* differenceOf([ends[0], after[0]], [ends[1], after[1]], its, search);
    }
  }
  for (const { ends, region } of unequal(oneAfter, otherAfter, search)) {
    for (const [before, its] of common(oneBefore, otherBefore, region, search)) {
      // The first loop found the others.
      if (!sameResult(before[0], before[1])) continue;
      yield* differenceOf([before[0], ends[0]], [before[1], ends[1]], its, search);
    }
  }
}

type Ends = readonly [one: Result, other: Result];

function* differenceOf(one: Ends, other: Ends, region: Region, search: Search): Generator<EffectDifference> {
  const isNone = ([before, after]: Ends) => sameResult(before, after);
  if (isNone(one) && isNone(other)) return;
  const point = pointIn(region, search.space, search.budget);
  if (!point) return;
  const effectOf = ([before, after]: Ends): RequestEffect => ({ before, after });
  yield { witness: search.space.request(point), one: effectOf(one), other: effectOf(other) };
}

/** The regions in which two partitions have different results. */
function* unequal<A extends Acl>(
  one: Partition<A>,
  other: Partition<A>,
  { space }: Search,
): Generator<{ readonly ends: Ends; readonly region: Region }> {
  if (one === other) return;
  for (const pair of pairing<A>(space)({ before: one, after: other })) {
    const region = pair.region();
    if (region.parts.length > 0) yield { ends: [pair.one.end, pair.other.end], region };
  }
}

/** The parts of the region, by their results in two partitions. */
function* common<A extends Acl>(
  one: Partition<A>,
  other: Partition<A>,
  region: Region,
  search: Search,
): Generator<readonly [ends: Ends, region: Region]> {
  for (const [first, its] of within(one.endings, region, search)) {
    if (one === other) yield [[first.end, first.end], its];
    else for (const [second, both] of within(other.endings, its, search)) yield [[first.end, second.end], both];
  }
}

function* within<A extends Acl>(
  endings: readonly Ending<A>[],
  region: Region,
  { space, budget }: Search,
): Generator<readonly [Ending<A>, Region]> {
  for (const ending of endings) {
    if (budget.left-- <= 0) throw undecided;
    const rest = intersect(region, ending, space);
    if (rest.parts.length > 0) yield [ending, rest];
  }
}

/** The ACLs whose outcome "blocked" stands for a request that the tenant records. It records logged and blocked requests. */
export function asRecording<A extends Acl>(acls: readonly A[]): A[] {
  return acls.map((acl) => {
    const { action } = acl.rule;
    const records = action["log"] === true || action["block"] === true;
    return { ...acl, rule: { ...acl.rule, action: records ? { block: true } : { allow: true } } };
  });
}
