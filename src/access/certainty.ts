/** Whether a change of outcome is there however the open questions are answered, and what it depends on otherwise. */
import { sameEnd, type End } from "./action";
import type { Comparison } from "./comparison";
import { decide, endOf, type Acl } from "./decide";
import type { Pairing } from "./pair";
import { readingsOf } from "./uncertainty";
import { connecting, exclusion, letterCase, type Reading } from "./assumptions";
import { endingAt, meet, pointIn, type Region } from "./region";
import { ifDecided, Undecided, type Budget } from "./search";
import type { Box, WholeRequest } from "./space";

/** What is spent on making sure of one change; what is not sure then is possible. */
const steps = 500;

/**
 * A request of the region whose outcome differs under every reading, as far as the search goes. `point` is one whose
 * outcome differs under some.
 */
export function surely<A extends Acl>(
  region: Region,
  point: Box,
  comparison: Comparison<A>,
  inPairs: Pairing<A>,
  budget: Budget = { left: steps },
): Box | undefined {
  const found = ifDecided(() => always(region, point, comparison, inPairs, budget));
  const { complete } = comparison.readings;
  return found && (complete || differsForSure(found, comparison)) ? found : undefined;
}

/** The reading under which the point fails narrows the region to where its outcome differs too. */
function always<A extends Acl>(
  region: Region,
  point: Box,
  comparison: Comparison<A>,
  inPairs: Pairing<A>,
  budget: Budget,
): Box | undefined {
  const failed = comparison.readings.all.find((reading) => !differsAt(point, reading, comparison));
  if (!failed) return point;
  const met = (one: Region, other: Region) => {
    if (budget.left-- <= 0) throw new Undecided();
    return meet(one, other, comparison.space);
  };
  for (const [one, pairs] of inPairs(failed)) {
    const first = met(region, one);
    if (!pointIn(first, comparison.space, budget)) continue;
    for (const { other } of pairs) {
      const second = met(first, other);
      const next = pointIn(second, comparison.space, budget);
      const found = next && always(second, next, comparison, inPairs, budget);
      if (found) return found;
    }
  }
  return undefined;
}

function differsAt<A extends Acl>(point: Box, reading: Reading, { layouts }: Comparison<A>): boolean {
  const { before, after } = layouts(reading);
  return !sameEnd(endingAt(before, point).end, endingAt(after, point).end);
}

/** Questions about how all lists are read. */
const general: ReadonlySet<string> = new Set([exclusion, connecting, letterCase]);

/** Where not all readings are at hand: every ending that may be must be another, while what lists say is left open. */
function differsForSure<A extends Acl>(point: Box, { before, after, questions, space }: Comparison<A>): boolean {
  const request = space.request(point);
  return readingsOf(questions.filter(({ name }) => general.has(name))).all.every((reading) => {
    const [ends, others] = [before, after].map((acls) => decide(acls, request, reading).endings);
    return ends!.every((end) => others!.every((other) => !mayBeSame(end, other)));
  });
}

/** Where a redirect leads may not be known. */
function mayBeSame(one: End, other: End): boolean {
  const isKnown = one.redirect_uri !== undefined && other.redirect_uri !== undefined;
  return isKnown ? sameEnd(one, other) : one.outcome === other.outcome;
}

/** The answers without which the outcome would be the same, in words. */
export function assumptionsOf<A extends Acl>(
  witness: WholeRequest,
  reading: Reading,
  { before, after, questions }: Comparison<A>,
): string[] {
  const differs = (answers: Reading) => !sameEnd(endOf(before, witness, answers), endOf(after, witness, answers));
  const decisive = questions.filter(({ name, options }) =>
    options.some((option) => option !== reading.get(name) && !differs(new Map([...reading, [name, option]]))),
  );
  return (decisive.length > 0 ? decisive : questions).map(({ name, words }) => words(reading.get(name)!));
}
