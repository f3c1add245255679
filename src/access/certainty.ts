/** Decides whether an outcome changes under all assumptions, or on which assumptions the change depends. */
import { sameResult, type Result } from "./action";
import type { Comparison } from "./comparison";
import { decide, endOf, type Acl } from "./decide";
import type { PairsUnder } from "./pair";
import { combinationsOf } from "./uncertainty";
import { connecting, exclusion, letterCase, type Assumptions } from "./assumptions";
import { endingOf, intersect, pointIn, type Region } from "./region";
import { ifDecided, Undecided, type Budget } from "./search";
import type { Box, WholeRequest } from "./space";

/** Budget for one change. Without a proof within it, the change counts as possible. */
const steps = 500;

/** Searches the region for a request whose outcome differs under all assumptions. At `point` it differs under some. */
export function certainPoint<A extends Acl>(
  region: Region,
  point: Box,
  comparison: Comparison<A>,
  pairsUnder: PairsUnder<A>,
  budget: Budget = { left: steps },
): Box | undefined {
  const found = ifDecided(() => findCertain(region, point, comparison, pairsUnder, budget));
  const { complete } = comparison.combinations;
  return found && (complete || differsWithoutAssumptions(found, comparison)) ? found : undefined;
}

/** Assumptions under which the outcome at the point is equal narrow the region. */
function findCertain<A extends Acl>(
  region: Region,
  point: Box,
  comparison: Comparison<A>,
  pairsUnder: PairsUnder<A>,
  budget: Budget,
): Box | undefined {
  const failed = comparison.combinations.all.find((assumptions) => !differsAt(point, assumptions, comparison));
  if (!failed) return point;
  const met = (one: Region, other: Region) => {
    if (budget.left-- <= 0) throw new Undecided();
    return intersect(one, other, comparison.space);
  };
  for (const [one, pairs] of pairsUnder(failed)) {
    const first = met(region, one);
    if (!pointIn(first, comparison.space, budget)) continue;
    for (const { other } of pairs) {
      const second = met(first, other);
      const next = pointIn(second, comparison.space, budget);
      const found = next && findCertain(second, next, comparison, pairsUnder, budget);
      if (found) return found;
    }
  }
  return undefined;
}

function differsAt<A extends Acl>(point: Box, assumptions: Assumptions, { partitions }: Comparison<A>): boolean {
  const { before, after } = partitions(assumptions);
  return !sameResult(endingOf(before, point).end, endingOf(after, point).end);
}

/** Uncertainties about all ACLs. */
const general: ReadonlySet<string> = new Set([exclusion, connecting, letterCase]);

/** If not all combinations are known: every possible ending must differ. */
function differsWithoutAssumptions<A extends Acl>(
  point: Box,
  { before, after, uncertainties, space }: Comparison<A>,
): boolean {
  const request = space.request(point);
  return combinationsOf(uncertainties.filter(({ name }) => general.has(name))).all.every((assumptions) => {
    const [ends, others] = [before, after].map((acls) => decide(acls, request, assumptions).endings);
    return ends!.every((end) => others!.every((other) => !mayBeSame(end, other)));
  });
}

/** The target of a redirect may be unknown. */
function mayBeSame(one: Result, other: Result): boolean {
  const isKnown = one.redirect_uri !== undefined && other.redirect_uri !== undefined;
  return isKnown ? sameResult(one, other) : one.outcome === other.outcome;
}

/** The assumptions without which the outcome would be equal, in words. */
export function decisiveAssumptions<A extends Acl>(
  witness: WholeRequest,
  assumptions: Assumptions,
  { before, after, uncertainties }: Comparison<A>,
): string[] {
  const differs = (variant: Assumptions) =>
    !sameResult(endOf(before, witness, variant), endOf(after, witness, variant));
  const decisive = uncertainties.filter(({ name, options }) =>
    options.some((option) => option !== assumptions.get(name) && !differs(new Map([...assumptions, [name, option]]))),
  );
  return (decisive.length > 0 ? decisive : uncertainties).map(({ name, words }) => words(assumptions.get(name)!));
}
