/**
 * What a change of the lists means for requests, exactly: for every list (or none) that decides before and every one
 * that decides after, whether a request is in both regions whose outcome is another.
 */
import { effectOf, sameEnd, type End, type Outcome } from "./action";
import type { Comparison } from "./comparison";
import { decide, type Acl } from "./decide";
import type { Reading } from "./reading";
import { endingAt, meet, pointIn, type Ending, type Region } from "./region";
import { Undecided, type Budget } from "./search";
import type { Box, WholeRequest } from "./space";

export type Certainty = "certain" | "possible" | "not decided";

export interface Side<A extends Acl> extends End {
  /** The list that decides; left out: none matches. */
  readonly acl?: A;
}

export interface Change<A extends Acl> {
  readonly before: Side<A>;
  readonly after: Side<A>;
  /** Certain: for the witness the outcome differs however the open questions are answered. */
  readonly certainty: Certainty;
  /** Left out where it is not decided. */
  readonly witness?: WholeRequest;
  /** The answers to open questions on which it depends, in words. */
  readonly assumptions: readonly string[];
}

export type DifferenceVerdict = "equivalent" | "more_permissive" | "less_permissive" | "incomparable";

export interface Difference<A extends Acl> {
  readonly verdict: DifferenceVerdict;
  /** Every pair is decided, and nothing that is open makes a difference. */
  readonly proven: boolean;
  readonly changes: readonly Change<A>[];
}

/** Steps of one pair, and of all together: what they cost at most is measured by the benchmark. */
const stepsOfPair = 2_000;
const stepsOfAll = 60_000;
/** What is spent on making sure of one change; what is not sure then is possible. */
const stepsToBeSure = 500;

export function difference<A extends Acl>(
  comparison: Comparison<A>,
  { perPair = stepsOfPair, inAll = stepsOfAll } = {},
): Difference<A> {
  const changes = new Map<string, Change<A>>();
  const places = new Map([...comparison.before, ...comparison.after].map((acl, place) => [acl, place]));
  const purse: Budget = { left: inAll };
  for (const reading of comparison.readings.all) {
    for (const pair of pairs(comparison, reading)) {
      const sides = [pair.one, pair.other];
      const key = sides.map(({ acl, end }) => [acl && places.get(acl), end.outcome, end.redirect_uri]).join("|");
      const known = changes.get(key);
      if (known?.certainty === "certain") continue;
      const budget: Budget = { left: Math.min(perPair, purse.left) };
      purse.left -= budget.left;
      const change = changeOf(pair, reading, comparison, budget);
      purse.left += Math.max(budget.left, 0);
      if (change && (!known || strength[change.certainty] > strength[known.certainty])) changes.set(key, change);
    }
  }
  const all = [...changes.values()];
  const proven = comparison.readings.complete && all.every(({ certainty }) => certainty === "certain");
  return { verdict: verdictOf(all), proven, changes: all };
}

const strength: Record<Certainty, number> = { "not decided": 0, possible: 1, certain: 2 };

/** Two endings with another outcome, and the requests that may have both. */
interface Pair<A extends Acl> {
  readonly one: Ending<A>;
  readonly other: Ending<A>;
  readonly region: Region;
}

function* pairs<A extends Acl>({ layouts, space }: Comparison<A>, reading: Reading): Generator<Pair<A>> {
  const { before, after } = layouts(reading);
  for (const one of before.endings) {
    for (const other of after.endings) {
      const region = sameEnd(one.end, other.end) ? undefined : meet(one, other, space);
      if (region) yield { one, other, region };
    }
  }
}

function changeOf<A extends Acl>(
  { one, other, region }: Pair<A>,
  reading: Reading,
  comparison: Comparison<A>,
  budget: Budget,
): Change<A> | undefined {
  const sides = { before: sideOf(one), after: sideOf(other) };
  const { space } = comparison;
  try {
    const found = pointIn(region, space, budget);
    if (!found) return undefined;
    const surest = differsAlways(found, comparison) ? found : surely(region, found, comparison);
    const witness = space.request(surest ?? found);
    if (!isHeld(witness, one, other, reading, comparison)) throw new Undecided();
    if (surest) return { ...sides, certainty: "certain", witness, assumptions: [] };
    return { ...sides, certainty: "possible", witness, assumptions: assumptionsOf(witness, reading, comparison) };
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return { ...sides, certainty: "not decided", assumptions: [] };
  }
}

const sideOf = <A extends Acl>({ acl, end }: Ending<A>): Side<A> => ({ ...end, ...(acl && { acl }) });

/** Whether the evaluator says the same of the witness. */
function isHeld<A extends Acl>(
  witness: WholeRequest,
  one: Ending<A>,
  other: Ending<A>,
  reading: Reading,
  { before, after }: Comparison<A>,
): boolean {
  return decide(before, witness, reading).by === one.acl && decide(after, witness, reading).by === other.acl;
}

function differs<A extends Acl>(request: WholeRequest, reading: Reading, { before, after }: Comparison<A>): boolean {
  return !sameEnd(decide(before, request, reading), decide(after, request, reading));
}

/** The same of a point, without asking the evaluator. */
function differsAt<A extends Acl>(point: Box, reading: Reading, { layouts }: Comparison<A>): boolean {
  const { before, after } = layouts(reading);
  return !sameEnd(endingAt(before, point).end, endingAt(after, point).end);
}

/** Where not all readings are at hand, every ending that the evaluator thinks possible must be another. */
function differsAlways<A extends Acl>(point: Box, comparison: Comparison<A>): boolean {
  const { before, after, readings, space } = comparison;
  if (readings.complete) return readings.all.every((reading) => differsAt(point, reading, comparison));
  const request = space.request(point);
  const [ends, others] = [before, after].map((acls) => decide(acls, request).endings);
  const isPlaced = [...before, ...after].every(({ priority }) => !Number.isNaN(priority));
  const isReadable = [...before, ...after].every(({ rule }) => effectOf(rule.action) !== undefined);
  return isPlaced && isReadable && ends!.every((end) => others!.every((other) => !sameEnd(end, other)));
}

/** A request of the region whose outcome differs under every reading, as far as the search goes. */
function surely<A extends Acl>(region: Region, point: Box, comparison: Comparison<A>): Box | undefined {
  if (!comparison.readings.complete) return undefined;
  try {
    return always(region, point, comparison, { left: stepsToBeSure });
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

/** `point` is one of the region; the reading under which it fails narrows the region to where it does not. */
function always<A extends Acl>(region: Region, point: Box, comparison: Comparison<A>, budget: Budget): Box | undefined {
  const failed = comparison.readings.all.find((reading) => !differsAt(point, reading, comparison));
  if (!failed) return point;
  const { before, after } = comparison.layouts(failed);
  for (const one of before.endings) {
    const first = met(region, one, comparison, budget);
    for (const other of first ? after.endings : []) {
      const second = sameEnd(one.end, other.end) ? undefined : met(first!, other, comparison, budget);
      const next = second && pointIn(second, comparison.space, budget);
      const found = next && always(second, next, comparison, budget);
      if (found) return found;
    }
  }
  return undefined;
}

function met<A extends Acl>(one: Region, other: Region, { space }: Comparison<A>, budget: Budget): Region | undefined {
  if (budget.left-- <= 0) throw new Undecided();
  return meet(one, other, space);
}

/** The answers without which the outcome would be the same. */
function assumptionsOf<A extends Acl>(witness: WholeRequest, reading: Reading, comparison: Comparison<A>): string[] {
  const decisive = comparison.questions.filter(({ name, options }) =>
    options.some((option) => !differs(witness, new Map([...reading, [name, option]]), comparison)),
  );
  const named = decisive.length > 0 ? decisive : comparison.questions;
  return named.map(({ name, words }) => words(reading.get(name)!));
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
