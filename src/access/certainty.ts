/** Decides whether a change of outcome holds under all assumptions, or on which assumptions it depends. */
import { sameResult, type Result } from "./action";
import type { Comparison } from "./comparison";
import { decide, type Acl } from "./decide";
import type { Pair, PairsUnder } from "./pair";
import { combinationsOf } from "./uncertainty";
import { documentedOptions, pieceOf, target, type Assumptions, type Uncertainty } from "./assumptions";
import { endingOf, intersect, pointIn, type Ending, type Region } from "./region";
import { ifDecided, undecided, type Budget } from "./search";
import type { Box } from "./space";

/** Steps for one pair, and for all together. Without a proof within them, a change counts as possible. */
const stepsOfPair = 500;
const stepsOfAll = 20_000;
/** Most searches for two ACLs, if not all combinations of assumptions are known. */
const mostSearches = 8;

/** Searches a request with certain results, given one that has them under some assumptions. */
export type CertainPoints<A extends Acl> = (point: Box, found: Found<A>) => Box | undefined;

/** Searches each pair once. */
export function certainPoints<A extends Acl>(comparison: Comparison<A>, pairsUnder: PairsUnder<A>): CertainPoints<A> {
  const known = new Map<Pair<A>, Box | undefined>();
  const purse: Budget = { left: stepsOfAll };
  const { all, complete } = comparison.combinations;
  const failures = new Map<A | undefined, Map<A | undefined, number>>();
  return (point, found) => {
    const { pair, assumptions } = found;
    const documented = documentedFrom(assumptions, all);
    // The ACLs must decide under the documented semantics, so their pair has all such requests there.
    if (documented !== assumptions && all.includes(documented)) return undefined;
    if (known.has(pair)) return known.get(pair);
    const failed = failures.get(pair.one.acl) ?? new Map<A | undefined, number>();
    failures.set(pair.one.acl, failed);
    const searches = failed.get(pair.other.acl) ?? 0;
    if (!complete && searches >= mostSearches) return undefined;
    failed.set(pair.other.acl, searches + 1);
    const budget: Budget = { left: Math.min(stepsOfPair, purse.left) };
    purse.left -= budget.left;
    const sure = certainPoint(pair.region(), point, found, comparison, pairsUnder, budget);
    purse.left += Math.max(budget.left, 0);
    known.set(pair, sure);
    return sure;
  };
}

/** A pair of endings, and the assumptions under which it was found. */
export interface Found<A extends Acl> {
  readonly pair: Pair<A>;
  readonly assumptions: Assumptions;
}

/**
 * Searches the region for a request that has both results of the pair under all assumptions. Under the documented semantics, the
 * ACLs of the pair must decide it. At `point` it may have other results.
 */
export function certainPoint<A extends Acl>(
  region: Region,
  point: Box,
  found: Found<A>,
  comparison: Comparison<A>,
  pairsUnder: PairsUnder<A>,
  budget: Budget = { left: stepsOfPair },
): Box | undefined {
  const wanted = wantedOf(found, comparison);
  const sure = ifDecided(() => findCertain(region, point, wanted, comparison, pairsUnder, budget));
  const { complete } = comparison.combinations;
  return sure && (complete || holdsWithoutAssumptions(sure, found.pair, comparison)) ? sure : undefined;
}
/** The endings of one request. */
type Met<A extends Acl> = Pick<Pair<A>, "one" | "other">;

/** The results that a request must have under all assumptions. */
interface Wanted<A extends Acl> {
  readonly pair: Met<A>;
  /** The documented semantics: the ACLs of the pair must decide. */
  readonly documented: Assumptions;
  readonly all: readonly Assumptions[];
}

function wantedOf<A extends Acl>({ pair, assumptions }: Found<A>, { combinations }: Comparison<A>): Wanted<A> {
  const documented = documentedFrom(assumptions, combinations.all);
  const isListed = combinations.all.includes(documented);
  return { pair, documented, all: isListed ? combinations.all : [documented, ...combinations.all] };
}

function isMet<A extends Acl>(met: Met<A>, { pair, documented }: Wanted<A>, assumptions: Assumptions): boolean {
  if (!sameResult(met.one.end, pair.one.end) || !sameResult(met.other.end, pair.other.end)) return false;
  return assumptions !== documented || (met.one.acl === pair.one.acl && met.other.acl === pair.other.acl);
}

const documentedBy = new WeakMap<Assumptions, Assumptions>();

/** The same assumptions with the options that the service documents. */
function documentedFrom(assumptions: Assumptions, all: readonly Assumptions[]): Assumptions {
  const known = documentedBy.get(assumptions) ?? findDocumented(assumptions, all);
  documentedBy.set(assumptions, known);
  return known;
}

function findDocumented(assumptions: Assumptions, all: readonly Assumptions[]): Assumptions {
  const documented = new Map(
    [...assumptions].map(([name, option]) => [name, documentedOptions.get(name) ?? option] as const),
  );
  return all.find((one) => [...documented].every(([name, option]) => one.get(name) === option)) ?? documented;
}

/** Assumptions that are not met at the point narrow the region. */
function findCertain<A extends Acl>(
  region: Region,
  point: Box,
  wanted: Wanted<A>,
  comparison: Comparison<A>,
  pairsUnder: PairsUnder<A>,
  budget: Budget,
): Box | undefined {
  const failed = wanted.all.find((assumptions) => !isMet(pairAt(point, assumptions, comparison), wanted, assumptions));
  if (!failed) return point;
  const common = (one: Region, other: Region) => {
    if (budget.left-- <= 0) throw undecided;
    return intersect(one, other, comparison.space);
  };
  const isDocumented = failed === wanted.documented;
  for (const [one, pairs] of pairsWith(wanted.pair, pairsUnder(failed))) {
    if (isDocumented && one.acl !== wanted.pair.one.acl) continue;
    const own = isDocumented ? pairs.filter((met) => isMet(met, wanted, failed)) : pairs;
    if (own.length === 0) continue;
    const first = common(region, one);
    if (!pointIn(first, comparison.space, budget)) continue;
    for (const { other } of own) {
      const second = common(first, other);
      const next = pointIn(second, comparison.space, budget);
      const found = next && findCertain(second, next, wanted, comparison, pairsUnder, budget);
      if (found) return found;
    }
  }
  return undefined;
}

type Pairs<A extends Acl> = ReturnType<PairsUnder<A>>;

const byResults = new WeakMap<Pairs<Acl>, ReadonlyMap<string, Pairs<Acl>>>();

/** The pairs with the same results. */
function pairsWith<A extends Acl>(wanted: Met<A>, pairs: Pairs<A>): Pairs<A> {
  const known = byResults.get(pairs) ?? groupedByResults(pairs);
  byResults.set(pairs, known);
  return (known.get(resultsOf(wanted)) ?? new Map()) as Pairs<A>;
}

function groupedByResults(pairs: Pairs<Acl>): Map<string, Map<Ending<Acl>, Pair<Acl>[]>> {
  const groups = new Map<string, Map<Ending<Acl>, Pair<Acl>[]>>();
  for (const pair of [...pairs.values()].flat()) {
    const results = resultsOf(pair);
    const group = groups.get(results) ?? new Map<Ending<Acl>, Pair<Acl>[]>();
    groups.set(results, group);
    const own = group.get(pair.one) ?? [];
    group.set(pair.one, own);
    own.push(pair);
  }
  return groups;
}

const resultsOf = ({ one, other }: Met<Acl>) =>
  JSON.stringify([one, other].map(({ end }) => [end.outcome, end.redirect_uri]));

function pairAt<A extends Acl>(point: Box, assumptions: Assumptions, { partitions }: Comparison<A>): Met<A> {
  const { before, after } = partitions(assumptions);
  return { one: endingOf(before, point), other: endingOf(after, point) };
}

/** If not all combinations are known: every possible ending must have the result. */
function holdsWithoutAssumptions<A extends Acl>(
  point: Box,
  { one, other }: Met<A>,
  { before, after, uncertainties, space }: Comparison<A>,
): boolean {
  const request = space.request(point);
  return documentedCombinations(uncertainties).every((assumptions) =>
    [
      { acls: before, end: one.end },
      { acls: after, end: other.end },
    ].every(({ acls, end }) =>
      decide(acls, request, assumptions).endings.every((ending) => isSurely(ending, end, uncertainties)),
    ),
  );
}

const combinations = new WeakMap<readonly Uncertainty[], readonly Assumptions[]>();

/** Cached, because many requests are judged in one comparison. */
function documentedCombinations(uncertainties: readonly Uncertainty[]): readonly Assumptions[] {
  const documented = () => combinationsOf(uncertainties.filter(({ name }) => documentedOptions.has(name))).all;
  const known = combinations.get(uncertainties) ?? documented();
  combinations.set(uncertainties, known);
  return known;
}

/** Whether an ending certainly has the result. The target of a redirect may be unknown. */
function isSurely(
  ending: Result & { readonly by?: Acl },
  result: Result,
  uncertainties: readonly Uncertainty[],
): boolean {
  if (ending.outcome !== "redirected" || ending.redirect_uri !== undefined) return sameResult(ending, result);
  const name = target(pieceOf("redirect_uri", ending.by?.rule.action["redirect_uri"]));
  const options = uncertainties.find((uncertainty) => uncertainty.name === name)?.options ?? [];
  return result.outcome === "redirected" && options.length === 1 && options[0] === result.redirect_uri;
}
