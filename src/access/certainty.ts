/** Decides whether a change of outcome holds under all assumptions. */
import { sameResult, type Result } from "./action";
import { documentedOptions, pieceOf, target, type Assumptions, type Uncertainty } from "./assumptions";
import { commonPointFrom, type CommonSearch } from "./certain";
import { once, type Comparison, type Pair } from "./comparison";
import { decide, type Acl } from "./decide";
import { endAt } from "./region";
import { allowance, type Budget } from "./search";
import type { Box } from "./space";
import { combinationsOf } from "./uncertainty";

/** Steps for one pair, and for all together. Without a proof within them, a change counts as possible. */
const stepsOfPair = 500;
const stepsOfAll = 20_000;
/** Most searches for two ACLs, if not all combinations of assumptions are known. */
const mostSearches = 8;

/** A pair of endings, and the assumptions under which it was found. */
export interface Found<A extends Acl> {
  readonly pair: Pair<A>;
  readonly assumptions: Assumptions;
}

/**
 * Searches a request with both results of the pair under all assumptions, once for each pair. Under the documented semantics, the
 * ACLs of the pair must decide it. At `point` it may have other results.
 */
export function certainPoints<A extends Acl>(
  comparison: Comparison<A>,
): (point: Box, found: Found<A>) => Box | undefined {
  const { all, complete } = comparison.combinations;
  const known = new Map<Pair<A>, Box | undefined>();
  const searches = once((_one: A | undefined) => new Map<A | undefined, number>());
  const documentedFrom = once((assumptions: Assumptions) => findDocumented(assumptions, all));
  const holds = withoutAssumptions(comparison);
  const limited = allowance(stepsOfPair, stepsOfAll);
  return (point, { pair, assumptions }) => {
    const documented = documentedFrom(assumptions);
    // The ACLs must decide under the documented semantics, so their pair has all such requests there.
    if (documented !== assumptions && all.includes(documented)) return undefined;
    if (known.has(pair)) return known.get(pair);
    const own = searches(pair.one.acl);
    const count = own.get(pair.other.acl) ?? 0;
    if (!complete && count >= mostSearches) return undefined;
    own.set(pair.other.acl, count + 1);
    const found = limited((budget) =>
      commonPointFrom(point, pair.region(), searchOf(pair, documented, comparison, budget)),
    );
    const sure = found && (complete || holds(found, pair)) ? found : undefined;
    known.set(pair, sure);
    return sure;
  };
}

function searchOf<A extends Acl>(
  { one, other }: Pair<A>,
  documented: Assumptions,
  { before, after, combinations, pairs, space }: Comparison<A>,
  budget: Budget,
): CommonSearch {
  const isMet = (found: Met<A>, wanted: Met<A>, isDocumented: boolean) =>
    sameResult(found.end, wanted.end) && (!isDocumented || found.acl === wanted.acl);
  const areMet = (first: Met<A>, second: Met<A>, assumptions: Assumptions) =>
    isMet(first, one, assumptions === documented) && isMet(second, other, assumptions === documented);
  return {
    all: combinations.all.includes(documented) ? combinations.all : [documented, ...combinations.all],
    *regions(assumptions) {
      for (const pair of pairs(assumptions)) if (areMet(pair.one, pair.other, assumptions)) yield pair.region();
    },
    has: (point, assumptions) =>
      areMet(endAt(before, point, assumptions, space), endAt(after, point, assumptions, space), assumptions),
    space,
    budget,
  };
}

/** The ending of a request. */
interface Met<A extends Acl> {
  readonly acl?: A;
  readonly end: Result;
}

/** The same assumptions with the options that the service documents. */
function findDocumented(assumptions: Assumptions, all: readonly Assumptions[]): Assumptions {
  const documented = new Map(
    [...assumptions].map(([name, option]) => [name, documentedOptions.get(name) ?? option] as const),
  );
  return all.find((one) => [...documented].every(([name, option]) => one.get(name) === option)) ?? documented;
}

/** If not all combinations are known: whether every possible ending has the result. */
function withoutAssumptions<A extends Acl>({ before, after, uncertainties, space }: Comparison<A>) {
  const { all } = combinationsOf(uncertainties.filter(({ name }) => documentedOptions.has(name)));
  return (point: Box, { one, other }: Pair<A>): boolean => {
    const request = space.request(point);
    const has = (acls: readonly A[], { end }: Met<A>, assumptions: Assumptions) =>
      decide(acls, request, assumptions).endings.every((ending) => isSurely(ending, end, uncertainties));
    return all.every((assumptions) => has(before, one, assumptions) && has(after, other, assumptions));
  };
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
