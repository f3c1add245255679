/** Finds exactly which outcomes a change of ACLs changes, for each pair of an ACL before and an ACL after the change. */
import { type Result, type Outcome } from "./action";
import { decisiveAssumptions, certainPoint } from "./certainty";
import type { Comparison } from "./comparison";
import { endOf, type Acl } from "./decide";
import { pairsByAssumptions, type Pair, type PairsUnder } from "./pair";
import type { Assumptions } from "./assumptions";
import { intersect, pointIn, type Ending } from "./region";
import { Undecided, type Budget } from "./search";
import type { WholeRequest } from "./space";

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

/** Steps for one pair, and for all together. The benchmark measures their cost. */
const stepsOfPair = 2_000;
const stepsOfAll = 60_000;
export function difference<A extends Acl>(
  comparison: Comparison<A>,
  { perPair = stepsOfPair, inAll = stepsOfAll } = {},
): Difference<A> {
  const changes = new Map<string, Change<A>>();
  const places = new Map([...comparison.before, ...comparison.after].map((acl, place) => [acl, place]));
  const pairsUnder = pairsByAssumptions(comparison);
  const purse: Budget = { left: inAll };
  for (const assumptions of comparison.combinations.all) {
    for (const pair of [...pairsUnder(assumptions).values()].flat()) {
      const sides = [pair.one, pair.other];
      const key = JSON.stringify(sides.map(({ acl, end }) => [acl && places.get(acl), end.outcome, end.redirect_uri]));
      const known = changes.get(key);
      if (known?.certainty === "certain") continue;
      const budget: Budget = { left: Math.min(perPair, purse.left) };
      purse.left -= budget.left;
      const change = changeOf(pair, assumptions, comparison, pairsUnder, budget, known);
      purse.left += Math.max(budget.left, 0);
      if (change && (!known || strength[change.certainty] > strength[known.certainty])) changes.set(key, change);
    }
  }
  const all = [...changes.values()];
  const proven = comparison.combinations.complete && all.every(({ certainty }) => certainty === "certain");
  return { verdict: verdictOf(all), proven, changes: all };
}

const strength: Record<Certainty, number> = { "not decided": 0, possible: 1, certain: 2 };

function changeOf<A extends Acl>(
  pair: Pair<A>,
  assumptions: Assumptions,
  comparison: Comparison<A>,
  pairsUnder: PairsUnder<A>,
  budget: Budget,
  known: Change<A> | undefined,
): Change<A> | undefined {
  const { one, other } = pair;
  const sides = { before: sideOf(one), after: sideOf(other) };
  const { space } = comparison;
  try {
    const region = intersect(one, other, space);
    const found = pointIn(region, space, budget);
    if (!found) return undefined;
    const surest = certainPoint(region, found, { pair, assumptions }, comparison, pairsUnder);
    if (!surest && known?.certainty === "possible") return known;
    const witness = space.request(surest ?? found);
    if (!isConfirmed(witness, one, other, assumptions, comparison)) throw new Undecided();
    if (surest) return { ...sides, certainty: "certain", witness, assumptions: [] };
    return {
      ...sides,
      certainty: "possible",
      witness,
      assumptions: decisiveAssumptions(witness, assumptions, comparison),
    };
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return { ...sides, certainty: "not decided", assumptions: [] };
  }
}

const sideOf = <A extends Acl>({ acl, end }: Ending<A>): Side<A> => ({ ...end, ...(acl && { acl }) });

/** Whether the evaluation of the witness confirms the change. */
function isConfirmed<A extends Acl>(
  witness: WholeRequest,
  one: Ending<A>,
  other: Ending<A>,
  assumptions: Assumptions,
  { before, after }: Comparison<A>,
): boolean {
  return endOf(before, witness, assumptions).by === one.acl && endOf(after, witness, assumptions).by === other.acl;
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
