/** Finds exactly which outcomes and records a change of ACLs changes, for each pair of an ACL before and an ACL after the change. */
import { byOutcome, byRecord, effectUnder, sameResult, type Outcome, type Result } from "./action";
import { documentedOptions, pieceOf, target, type Assumptions } from "./assumptions";
import { once, readAs, type Comparison, type Pair } from "./comparison";
import { decide, endOf, inOrder, type Acl } from "./decide";
import { commonPoint, endAt, pointIn, type Ending } from "./region";
import { allowance } from "./search";
import type { Box, WholeRequest } from "./space";
import { combinationsOf, decisive } from "./uncertainty";

export type Certainty = "certain" | "possible" | "not decided";

export interface Side<A extends Acl> extends Result {
  /** The ACL that decides. Missing if none matches. */
  readonly acl?: A;
}

export interface Change<A extends Acl> {
  readonly before: Side<A>;
  readonly after: Side<A>;
  /** Certain: the witness has both outcomes under all assumptions, and these ACLs decide it under the documented semantics. */
  readonly certainty: Certainty;
  /** Missing if the change is not decided. */
  readonly witness?: WholeRequest;
  /** The assumptions on which the change depends, in words. */
  readonly assumptions: readonly string[];
}

export type DifferenceVerdict = "equivalent" | "more_permissive" | "less_permissive" | "incomparable";

export interface Difference<A extends Acl> {
  readonly verdict: DifferenceVerdict;
  /** Every pair is decided, and no assumption matters. */
  readonly proven: boolean;
  readonly changes: readonly Change<A>[];
}

/** Steps for one pair, and for all together: ten dense ACLs need a small part of them, and they take some seconds. */
const stepsOfPair = 2_000;
const stepsOfAll = 60_000;

/** A pair whose ACLs change a result, with a request as a point unless it is not decided. */
interface Entry<A extends Acl> {
  readonly pair: Pair<A>;
  readonly assumptions: Assumptions;
  readonly certainty: Certainty;
  readonly point?: Box;
}

const strength: Record<Certainty, number> = { "not decided": 0, possible: 1, certain: 2 };

/** Keeps the most certain entry for two ACLs and their results. */
export function difference<A extends Acl>(
  comparison: Comparison<A>,
  { perPair = stepsOfPair, inAll = stepsOfAll } = {},
): Difference<A> {
  const { all, complete } = comparison.combinations;
  const certainOf = certainPoints(comparison);
  const limited = allowance(perPair, inAll);
  const pointOf = once(({ region }: Pair<A>) =>
    limited((budget) => pointIn(region(), comparison.space, budget) ?? ("none" as const)),
  );
  const keyOf = keys(comparison);
  const listed = new Map<string, Entry<A>>();
  for (const assumptions of all) {
    for (const pair of comparison.pairs(assumptions)) {
      const point = pointOf(pair);
      const known = listed.get(keyOf(pair));
      if (point === "none" || known?.certainty === "certain") continue;
      // Under the documented semantics, the ACLs of the pair decide these requests.
      const sure = point && isDocumented(assumptions) ? certainOf(pair) : undefined;
      const certainty = sure ? "certain" : point ? "possible" : "not decided";
      if (known && strength[certainty] <= strength[known.certainty]) continue;
      const at = sure ?? point;
      listed.set(keyOf(pair), { pair, assumptions, certainty, ...(at && { point: at }) });
    }
  }
  const changes = [...listed.values()].map((entry) => changeOf(entry, comparison));
  const isCertain = changes.every(({ certainty }) => certainty === "certain");
  return { verdict: verdictOf(changes), proven: complete && isCertain, changes };
}

function keys<A extends Acl>({ before, after }: Comparison<A>): (pair: Pair<A>) => string {
  const places = new Map([...before, ...after].map((acl, place) => [acl, place]));
  const keyOf = ({ acl, end }: Ending<A>) => [acl && places.get(acl), end.outcome, end.redirect_uri];
  return once(({ one, other }: Pair<A>) => JSON.stringify([keyOf(one), keyOf(other)]));
}

const isDocumented = (assumptions: Assumptions) =>
  [...documentedOptions].every(([name, option]) => (assumptions.get(name) ?? option) === option);

/** Steps for one pair, and for all together. Without a proof within them, a change counts as possible. */
const stepsOfCertainPair = 500;
const stepsOfCertain = 20_000;

/** Searches a request that has both results of the pair under all assumptions, once for each pair. */
function certainPoints<A extends Acl>(comparison: Comparison<A>): (pair: Pair<A>) => Box | undefined {
  const { before, after, reading, combinations, pairs, space } = comparison;
  const limited = allowance(stepsOfCertainPair, stepsOfCertain);
  return once((pair: Pair<A>) => {
    const isMet = (one: { readonly end: Result }, other: { readonly end: Result }) =>
      sameResult(one.end, pair.one.end) && sameResult(other.end, pair.other.end);
    const found = limited((budget) =>
      commonPoint([pair.region()], {
        all: combinations.all,
        *regions(assumptions) {
          for (const each of pairs(assumptions)) if (isMet(each.one, each.other)) yield each.region();
        },
        has(point, assumptions) {
          const [was, is] = [before, after].map((acls) => endAt(acls, point, assumptions, space, reading));
          return isMet(was!, is!);
        },
        space,
        budget,
      }),
    );
    return found && (combinations.complete || isCertainly(pair, found, comparison)) ? found : undefined;
  });
}

/** If not all combinations are known: whether every possible ending has the result. */
function isCertainly<A extends Acl>(pair: Pair<A>, point: Box, comparison: Comparison<A>): boolean {
  const { before, after, reading, uncertainties, space } = comparison;
  if (reading !== byOutcome) return false;
  const { all } = combinationsOf(uncertainties.filter(({ name }) => documentedOptions.has(name)));
  const request = space.request(point);
  /** The target of a redirect may be unknown. */
  const resultOf = ({ by, ...result }: Result & { readonly by?: A }): Result => {
    if (result.outcome !== "redirected" || result.redirect_uri !== undefined) return result;
    const name = target(pieceOf("redirect_uri", by?.rule.action["redirect_uri"]));
    const { options = [] } = uncertainties.find((one) => one.name === name) ?? {};
    return options.length === 1 ? { ...result, redirect_uri: options[0]! } : result;
  };
  const has = (acls: readonly A[], { end }: Ending<A>, assumptions: Assumptions) =>
    decide(acls, request, assumptions).endings.every((ending) => sameResult(resultOf(ending), end));
  return all.every((assumptions) => has(before, pair.one, assumptions) && has(after, pair.other, assumptions));
}

function changeOf<A extends Acl>(
  { pair: { one, other }, assumptions, certainty, point }: Entry<A>,
  { before, after, reading, uncertainties, space }: Comparison<A>,
): Change<A> {
  const sides = { before: sideOf(one), after: sideOf(other) };
  const witness = point && space.request(point);
  const ends = (under: Assumptions) => [before, after].map((acls) => endOf(acls, witness!, under, reading));
  const [first, second] = witness ? ends(assumptions) : [];
  // The evaluation of the witness must confirm the change.
  if (!first || !second || first.by !== one.acl || second.by !== other.acl) {
    return { ...sides, certainty: "not decided", assumptions: [] };
  }
  if (certainty === "certain") return { ...sides, certainty, witness: witness!, assumptions: [] };
  const isChanged = (under: Assumptions) => {
    const [then, now] = ends(under);
    return !sameResult(then!, first) || !sameResult(now!, second);
  };
  return { ...sides, certainty, witness: witness!, assumptions: decisive(uncertainties, assumptions, isChanged) };
}

const sideOf = <A extends Acl>({ acl, end }: Ending<A>): Side<A> => ({ ...end, ...(acl && { acl }) });

const ranks: Record<Outcome, number> = { blocked: 0, redirected: 1, allowed: 2 };

function verdictOf(changes: readonly Change<Acl>[]): DifferenceVerdict {
  const directions = new Set(
    changes.map(({ before, after }) => Math.sign(ranks[after.outcome] - ranks[before.outcome])),
  );
  if (directions.size === 0) return "equivalent";
  if (directions.size > 1 || directions.has(0)) return "incomparable";
  return directions.has(1) ? "more_permissive" : "less_permissive";
}

export interface LoggingChange<A extends Acl> {
  /** The first ACL that logs the request. */
  readonly acl: A;
  /** A request that the tenant does not record on the other side: no ACL logs or blocks it. */
  readonly witness: WholeRequest;
  /** Certain: under all assumptions, the tenant records the witness on one side only. */
  readonly certainty: "certain" | "possible";
}

const stepsOfRecords = 20_000;

/** Finds requests that the tenant records only before or only after the change, under the most likely assumptions. Leaves out what the budget does not decide. */
export function loggingChanges<A extends Acl>(given: Comparison<A>): Record<"lost" | "gained", LoggingChange<A>[]> {
  const { before, after, combinations } = given;
  const logs = ({ active, rule }: A) => active && effectUnder(rule.action, new Map()) === "logged";
  if (![...before, ...after].some(logs)) return { lost: [], gained: [] };
  const [likeliest] = combinations.all;
  const { changes } = difference(readAs(byRecord, given), { inAll: stepsOfRecords });
  const isLikely = ({ witness }: Change<A>) => {
    const [was, is] = [before, after].map((acls) => witness && endOf(acls, witness, likeliest!, byRecord));
    return was?.outcome !== is?.outcome;
  };
  const only = (side: "before" | "after") => {
    const found = new Map<A, LoggingChange<A>>();
    for (const change of changes) {
      const { acl, outcome } = change[side];
      const { witness, certainty } = change;
      if (!acl || !logs(acl) || outcome !== "blocked" || !witness || certainty === "not decided") continue;
      if (found.get(acl)?.certainty === "certain" || !isLikely(change)) continue;
      if (!found.has(acl) || certainty === "certain") found.set(acl, { acl, witness, certainty });
    }
    return inOrder(given[side]).flatMap((acl) => found.get(acl) ?? []);
  };
  return { lost: only("before"), gained: only("after") };
}
