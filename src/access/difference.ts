/** Finds exactly which outcomes a change of ACLs changes, for each pair of an ACL before and an ACL after the change. */
import type { Outcome } from "./action";
import { certainPoints } from "./certainty";
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
}

/** Steps for one pair, and for all together: ten dense ACLs need a small part of them, and they take some seconds. */
const stepsOfPair = 2_000;
const stepsOfAll = 60_000;

export function difference<A extends Acl>(
  comparison: Comparison<A>,
  { perPair = stepsOfPair, inAll = stepsOfAll } = {},
): Difference<A> {
  const { all: combinations, complete } = comparison.combinations;
  const pairsUnder = pairsByAssumptions(comparison);
  const certainOf = certainPoints(comparison, pairsUnder);
  const pointOf = pointSearch<A>(comparison.space, { left: inAll }, perPair);
  const list = createList(comparison);
  for (const assumptions of combinations) {
    for (const pair of [...pairsUnder(assumptions).values()].flat()) {
      const found = { pair, assumptions };
      const point = pointOf(pair);
      if (point === undefined) list.add({ ...found, certainty: "not decided" });
      if (point === undefined || point === "none" || list.hasCertain(pair)) continue;
      const sure = certainOf(point, found);
      list.add({ ...found, certainty: sure ? "certain" : "possible", point: sure ?? point });
    }
  }
  const changes = list.changes();
  const isCertain = changes.every(({ certainty }) => certainty === "certain");
  return { verdict: verdictOf(changes), proven: complete && isCertain, changes };
}

/** Finds a request of a pair once. Undefined if the steps do not suffice. */
function pointSearch<A extends Acl>(space: Space, purse: Budget, steps: number) {
  const known = new Map<Pair<A>, Box | "none" | undefined>();
  return (pair: Pair<A>): Box | "none" | undefined => {
    if (known.has(pair)) return known.get(pair);
    const budget: Budget = { left: Math.min(steps, purse.left) };
    purse.left -= budget.left;
    const found = ifDecided(() => pointIn(pair.region(), space, budget) ?? "none");
    purse.left += Math.max(budget.left, 0);
    known.set(pair, found);
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
