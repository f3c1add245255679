/** Decides whether a change of outcome holds under all assumptions, or on which assumptions it depends. */
import { sameResult, type Result } from "./action";
import type { Comparison } from "./comparison";
import { decide, type Acl } from "./decide";
import type { Pair, PairsUnder } from "./pair";
import { combinationsOf } from "./uncertainty";
import { connecting, exclusion, letterCase, pieceOf, target, type Assumptions, type Uncertainty } from "./assumptions";
import { endingOf, intersect, pointIn, type Region } from "./region";
import { ifDecided, Undecided, type Budget } from "./search";
import type { Box } from "./space";

/** Steps for one pair, and for all together. Without a proof within them, a change counts as possible. */
const stepsOfPair = 500;
const stepsOfAll = 20_000;

/** Searches a request with certain results, given one that has them under some assumptions. */
export type CertainPoints<A extends Acl> = (point: Box, found: Found<A>) => Box | undefined;

/** Searches each pair once for the same documented semantics. */
export function certainPoints<A extends Acl>(comparison: Comparison<A>, pairsUnder: PairsUnder<A>): CertainPoints<A> {
  const known = new Map<Pair<A>, Map<Assumptions | "own", Box | undefined>>();
  const purse: Budget = { left: stepsOfAll };
  const { all } = comparison.combinations;
  const documented = new Map(all.map((one) => [one, documentedFrom(one, all)]));
  return (point, found) => {
    const { pair, assumptions } = found;
    const searches = known.get(pair) ?? new Map<Assumptions | "own", Box | undefined>();
    known.set(pair, searches);
    // Under these assumptions, the ACLs of the pair decide each of its requests.
    const key = documented.get(assumptions) === assumptions ? "own" : documented.get(assumptions)!;
    if (!searches.has(key)) {
      const budget: Budget = { left: Math.min(stepsOfPair, purse.left) };
      purse.left -= budget.left;
      searches.set(key, certainPoint(pair.region(), point, found, comparison, pairsUnder, budget));
      purse.left += Math.max(budget.left, 0);
    }
    return searches.get(key);
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

/** The results that a request must have under some assumptions. */
interface Wanted<A extends Acl> {
  readonly assumptions: Assumptions;
  isMet(pair: Met<A>): boolean;
}

function wantedOf<A extends Acl>({ pair, assumptions }: Found<A>, { combinations }: Comparison<A>): Wanted<A>[] {
  const documented = documentedFrom(assumptions, combinations.all);
  const hasResults = ({ one, other }: Met<A>) =>
    sameResult(one.end, pair.one.end) && sameResult(other.end, pair.other.end);
  const isPair = (met: Met<A>) => hasResults(met) && met.one.acl === pair.one.acl && met.other.acl === pair.other.acl;
  return [...new Set([documented, ...combinations.all])].map((one) => ({
    assumptions: one,
    isMet: one === documented ? isPair : hasResults,
  }));
}

/** The options that the service documents are the first ones. */
function documentedFrom(assumptions: Assumptions, all: readonly Assumptions[]): Assumptions {
  const documented = new Map(
    [...assumptions].map(([name, option]) => [name, documentedOptions.get(name) ?? option] as const),
  );
  return all.find((one) => [...documented].every(([name, option]) => one.get(name) === option)) ?? documented;
}

/** Uncertainties about all ACLs, with their documented options. */
export const documentedOptions: Assumptions = new Map([
  [exclusion, "any"],
  [connecting, "one"],
  [letterCase, "exact"],
]);

/** Assumptions that are not met at the point narrow the region. */
function findCertain<A extends Acl>(
  region: Region,
  point: Box,
  wanted: readonly Wanted<A>[],
  comparison: Comparison<A>,
  pairsUnder: PairsUnder<A>,
  budget: Budget,
): Box | undefined {
  const failed = wanted.find(({ assumptions, isMet }) => !isMet(pairAt(point, assumptions, comparison)));
  if (!failed) return point;
  const met = (one: Region, other: Region) => {
    if (budget.left-- <= 0) throw new Undecided();
    return intersect(one, other, comparison.space);
  };
  for (const [one, pairs] of pairsUnder(failed.assumptions)) {
    const own = pairs.filter(failed.isMet);
    if (own.length === 0) continue;
    const first = met(region, one);
    if (!pointIn(first, comparison.space, budget)) continue;
    for (const { other } of own) {
      const second = met(first, other);
      const next = pointIn(second, comparison.space, budget);
      const found = next && findCertain(second, next, wanted, comparison, pairsUnder, budget);
      if (found) return found;
    }
  }
  return undefined;
}

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
  return combinationsOf(uncertainties.filter(({ name }) => documentedOptions.has(name))).all.every((assumptions) =>
    [
      { acls: before, end: one.end },
      { acls: after, end: other.end },
    ].every(({ acls, end }) =>
      decide(acls, request, assumptions).endings.every((ending) => isSurely(ending, end, uncertainties)),
    ),
  );
}

/** Whether an ending certainly has the result. The target of a redirect may be unknown. */
function isSurely(
  { by, ...ending }: Result & { readonly by?: Acl },
  result: Result,
  uncertainties: readonly Uncertainty[],
): boolean {
  if (ending.outcome !== "redirected" || ending.redirect_uri !== undefined) return sameResult(ending, result);
  const name = target(pieceOf("redirect_uri", by?.rule.action["redirect_uri"]));
  const options = uncertainties.find((uncertainty) => uncertainty.name === name)?.options ?? [];
  return result.outcome === "redirected" && options.length === 1 && options[0] === result.redirect_uri;
}
