/** Finds exactly which outcomes a change of ACLs changes, for each pair of an ACL before and an ACL after the change. */
import type { Outcome } from "./action";
import { certainPoints, type Found } from "./certainty";
import { createList, type Change } from "./change-list";
import type { Comparison } from "./comparison";
import type { Acl } from "./decide";
import { pairsByAssumptions, type Pair } from "./pair";
import { pointIn } from "./region";
import { ifDecided, type Budget } from "./search";
import type { Box, Space } from "./space";

export type { Change, Certainty, Side } from "./change-list";

export type DifferenceVerdict = "equivalent" | "more_permissive" | "less_permissive" | "incomparable";

export interface Difference<A extends Acl> {
  readonly verdict: DifferenceVerdict;
  /** Every pair is decided, and no assumption matters. */
  readonly proven: boolean;
  readonly changes: readonly Change<A>[];
  /** The number of further changes. `changes` has each result that one of their ACLs changes. */
  readonly more: number;
}

/** Steps for one pair in a first and in a second try, and for all together. The benchmark measures their cost. */
const stepsAtFirst = 50;
const stepsOfPair = 2_000;
const stepsOfAll = 60_000;
/** Enough for a list. Each further change is only counted, unless it shows another effect of an ACL. */
const mostChanges = 1_000;

export function difference<A extends Acl>(
  comparison: Comparison<A>,
  { perPair = stepsOfPair, inAll = stepsOfAll, most = mostChanges } = {},
): Difference<A> {
  const { all: combinations, complete } = comparison.combinations;
  const pairsUnder = pairsByAssumptions(comparison);
  const certainOf = certainPoints(comparison, pairsUnder);
  const pointOf = pointSearch<A>(comparison.space, { left: inAll });
  const list = createList(comparison, most);
  /** False if the steps do not suffice. */
  const examine = (found: Found<A>, steps: number): boolean => {
    const point = pointOf(found.pair, steps);
    if (point === undefined) return false;
    if (point === "none" || list.hasCertain(found.pair)) return true;
    const sure = certainOf(point, found);
    list.add({ ...found, certainty: sure ? "certain" : "possible", point: sure ?? point });
    return true;
  };
  const open: Found<A>[] = [];
  for (const assumptions of combinations) {
    for (const pair of [...pairsUnder(assumptions).values()].flat()) {
      const found = { pair, assumptions };
      if (!examine(found, Math.min(stepsAtFirst, perPair))) open.push(found);
    }
  }
  for (const found of open) if (!examine(found, perPair)) list.add({ ...found, certainty: "not decided" });
  const changes = list.changes();
  const isCertain = changes.every(({ certainty }) => certainty === "certain");
  return {
    verdict: verdictOf(changes),
    proven: complete && isCertain && list.areOthersCertain(),
    changes,
    more: list.more(),
  };
}

/** Finds a request of a pair once. Undefined if the steps do not suffice. */
function pointSearch<A extends Acl>(space: Space, purse: Budget) {
  const known = new Map<Pair<A>, Box | "none">();
  return (pair: Pair<A>, steps: number): Box | "none" | undefined => {
    if (known.has(pair)) return known.get(pair);
    const budget: Budget = { left: Math.min(steps, purse.left) };
    purse.left -= budget.left;
    const found = ifDecided(() => pointIn(pair.region(), space, budget) ?? "none");
    purse.left += Math.max(budget.left, 0);
    if (found) known.set(pair, found);
    return found;
  };
}

const ranks: Record<Outcome, number> = { blocked: 0, redirected: 1, allowed: 2 };

function verdictOf(changes: readonly Change<Acl>[]): DifferenceVerdict {
  const directions = new Set(
    changes.map(({ before, after }) => Math.sign(ranks[after.outcome] - ranks[before.outcome])),
  );
  if (directions.size === 0) return "equivalent";
  if (directions.size > 1 || directions.has(0)) return "incomparable";
  return directions.has(1) ? "more_permissive" : "less_permissive";
}
