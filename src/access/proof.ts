/** Proves statements about the outcomes of all requests of a set, or finds a request that contradicts them. */
import { effectOf, effectUnder, type Outcome, type Reading, type Result } from "./action";
import { extent, letterCase, connecting, type Assumptions, type Uncertainty } from "./assumptions";
import { once } from "./comparison";
import type { Acl } from "./decide";
import { createLooseness, type Looseness } from "./loose";
import { isCertainViolation, possibleViolation, reachOf, type Reach } from "./possible";
import {
  commonPoint,
  endAt,
  intersect,
  partition,
  pointIn,
  type CommonSearch,
  type Partition,
  type Region,
} from "./region";
import { aclsOfSets, asOne, boxesOfSet, type RequestLists } from "./request-set";
import type { Rule } from "./rule";
import { allowance, isCovered, isHit, undecided, type Budget, type Obstacle } from "./search";
import { createSpace, type Box, type Space, type WholeRequest } from "./space";
import { combinationsOf, decisive, uncertaintiesOf } from "./uncertainty";

/** Reached: allowed and not redirected. Logged: an ACL with the action `log` records the request. */
export type StatedOutcome = "blocked" | "reached" | "redirected" | "logged";

/** Every request of `requests`, without those of `except`, has one of the outcomes. */
export interface Statement {
  readonly outcomes: readonly StatedOutcome[];
  /** Together, as a union. Empty: all requests. */
  readonly requests: readonly RequestLists[];
  readonly except: readonly RequestLists[];
}

export interface Counterexample<A extends Acl> {
  readonly request: WholeRequest;
  readonly end: Result;
  /** The ACL that decides. Left out: no ACL matches. */
  readonly acl?: A;
  /** The point of the request in the space of the prover. */
  readonly point: Box;
  readonly assumptions: Assumptions;
}

export type Proof<A extends Acl> =
  | { readonly verdict: "held" }
  /** The counterexample has its outcome under all assumptions. */
  | { readonly verdict: "broken"; readonly counterexample: Counterexample<A> }
  /** Left out: the proof takes too long. `assumptions`: those of the counterexample, in words. */
  | {
      readonly verdict: "undecided";
      readonly counterexample?: Counterexample<A>;
      readonly assumptions: readonly string[];
    };

export interface Prover<A extends Acl> {
  /** `acls`: one version of the ACLs. */
  prove(statement: Statement, acls: readonly A[]): Proof<A>;
  /** Whether every request that violates the statement after a change also violates it before, under all assumptions. */
  isNoWorse(statement: Statement, before: readonly A[], after: readonly A[]): boolean;
  /** The ACL that decides the counterexample in another version. */
  deciderIn(acls: readonly A[], counterexample: Counterexample<A>): A | undefined;
}

/** Steps for one proof, and for all together. Proofs for a hundred dense ACLs need about a hundred steps. */
const stepsOfProof = 10_000;
const stepsOfAll = 100_000;
/** Without a comparison within these steps, a change counts as worse. */
const stepsOfComparison = 2_000;
const stepsOfComparisons = 20_000;

/** `versions`: all ACLs that a version has. `statements`: all statements that will be proved. */
export function createProver<A extends Acl>(
  versions: readonly (readonly A[])[],
  statements: readonly Statement[],
): Prover<A> {
  const acls = [...new Set(versions.flat())].filter(({ active }) => active);
  const sets = statements.flatMap(({ requests, except }) => [...requests, ...except]);
  const looseness = createLooseness(
    acls.map(({ rule }) => rule),
    sets.flatMap(({ user_agents = [] }) => user_agents.map(String)),
  );
  const space = spaceOf(acls, sets, looseness);
  const reach = once((rule: Rule) => reachOf(looseness.versions(rule), space));
  const requestsOf = once((statement: Statement) => requestsIn(statement, space));
  const casesOf = once((version: readonly A[]) =>
    once((statement: Statement): Case<A> => {
      const requests = requestsOf(statement);
      const own = relevant(
        version.filter((acl) => acl.active),
        requests,
        reach,
      );
      const reading = readingOf(statement);
      const partitioned = once((assumptions: Assumptions) => partition(own, assumptions, space, reading));
      const { outcomes } = statement;
      return { requests, outcomes, acls: own, reading, partition: partitioned, looseness, space, reach };
    }),
  );
  const forProofs = allowance(stepsOfProof, stepsOfAll);
  const forComparisons = allowance(stepsOfComparison, stepsOfComparisons);
  return {
    prove: (statement, version) =>
      forProofs((budget) => prove(casesOf(version)(statement), budget)) ?? { verdict: "undecided", assumptions: [] },
    isNoWorse: (statement, before, after) =>
      forComparisons((budget) => isNoWorse(casesOf(before)(statement), casesOf(after)(statement), budget)) ?? false,
    deciderIn: (version, { point, assumptions }) => endAt(version, point, assumptions, space).acl,
  };
}

/** The requests in a box, except those in the exceptions. */
interface Requests {
  readonly boxes: readonly Obstacle[];
  readonly except: readonly Obstacle[];
}

/** A statement about the ACLs of one version that may match one of its requests. */
interface Case<A extends Acl> {
  readonly acls: readonly A[];
  readonly requests: Requests;
  readonly outcomes: readonly StatedOutcome[];
  readonly reading: Reading;
  readonly looseness: Looseness;
  readonly space: Space;
  partition(assumptions: Assumptions): Partition<A>;
  reach(rule: Rule): Reach;
}

function spaceOf(acls: readonly Acl[], sets: readonly RequestLists[], looseness: Looseness): Space {
  const rules = [...new Set(acls.map(({ rule }) => rule))];
  const all = rules.flatMap((rule) =>
    looseness.versions(rule).map((version) => ({ active: true, priority: 0, rule: version })),
  );
  const space = createSpace([...all, ...aclsOfSets(sets)], combinationsOfLists(acls));
  return { ...space, under: looseness.under };
}

/** Combinations of the assumptions that change the lists of rules and the APIs of unknown scopes. */
function combinationsOfLists(acls: readonly Acl[]): Assumptions[] {
  const found = uncertaintiesOf([acls]);
  const general = found.filter(({ name }) => name === connecting || name === letterCase);
  const extents = found.flatMap(({ name }) => (name.startsWith(extent("")) ? [name] : []));
  const options = extents.length > 0 ? ["all", "none"] : ["all"];
  return combinationsOf(general).all.flatMap((combination) =>
    options.map((option) => new Map([...asOne, ...combination, ...extents.map((name) => [name, option] as const)])),
  );
}

function requestsIn({ requests, except }: Statement, space: Space): Requests {
  const sets = requests.length > 0 ? requests : [{}];
  return {
    boxes: sets.flatMap((set) => boxesOfSet(set, space)),
    except: except.flatMap((set) => boxesOfSet(set, space)),
  };
}

/** The ACLs that may match one of the requests, up to the first one that certainly ends the evaluation of all of them. */
function relevant<A extends Acl>(acls: readonly A[], { boxes }: Requests, reach: (rule: Rule) => Reach): readonly A[] {
  const own = acls.filter(({ rule }) => reach(rule).possible.some((one) => boxes.some(({ box }) => isHit(box, one))));
  const walls = own.filter(({ rule }) => {
    const isEnd = typeof effectOf(rule.action) === "object";
    return isEnd && boxes.every(({ box }) => reach(rule).certain.some((one) => isCovered(box, one)));
  });
  const last = Math.min(...walls.map(({ priority }) => priority).filter((priority) => !Number.isNaN(priority)));
  return own.filter(({ priority }) => !(priority > last));
}

function uncertaintiesIn(versions: readonly (readonly Acl[])[], looseness: Looseness): Uncertainty[] {
  const rules = versions.flat().map(({ rule }) => rule);
  return [...uncertaintiesOf(versions), ...looseness.uncertainties(rules)];
}

function prove<A extends Acl>(own: Case<A>, budget: Budget): Proof<A> {
  if (own.requests.boxes.length === 0) return { verdict: "held" };
  const uncertainties = uncertaintiesIn([own.acls], own.looseness);
  const { all, complete } = combinationsOf(uncertainties);
  const possible = {
    ...own,
    acls: own.acls.map((acl) => ({ acl, reach: own.reach(acl.rule) })),
    isStated: (outcome: Outcome | "logged") => isStated(outcome, own.outcomes),
  };
  const search: CommonSearch = {
    all,
    regions: (assumptions) => regionsOf(own, assumptions, false),
    has: (point, assumptions) => !isStatedAt(point, own, assumptions),
    space: own.space,
    budget,
  };
  const isCertain = (point: Box) =>
    complete ? all.every((assumptions) => search.has(point, assumptions)) : isCertainViolation(point, possible);
  let isSafe = false;
  let first: Counterexample<A> | undefined;
  for (const assumptions of all) {
    const point = commonPoint(search.regions(assumptions), { ...search, all: [] });
    if (point && isCertain(point)) return { verdict: "broken", counterexample: counterexampleAt(point, own, all[0]!) };
    if (point) first ??= counterexampleAt(point, own, assumptions);
    else {
      // Without a violation under any assumption, the other combinations have none.
      if (!isSafe && all.length > 1 && !possibleViolation(possible, budget)) return { verdict: "held" };
      isSafe = true;
    }
    if (isSafe && first && complete) break;
  }
  if (!first) {
    const words = decisive(uncertainties, all[0]!, () => false);
    return complete ? { verdict: "held" } : { verdict: "undecided", assumptions: words };
  }
  const common = complete && !isSafe ? commonPoint(search.regions(all[0]!), search) : undefined;
  if (common) return { verdict: "broken", counterexample: counterexampleAt(common, own, all[0]!) };
  const { point, assumptions } = first;
  const words = decisive(uncertainties, assumptions, (others) => !search.has(point, others));
  return { verdict: "undecided", counterexample: first, assumptions: words };
}

function counterexampleAt<A extends Acl>(point: Box, own: Case<A>, assumptions: Assumptions): Counterexample<A> {
  const { acl, end } = endAt(own.acls, point, assumptions, own.space);
  return { request: own.space.request(point), end, ...(acl && { acl }), point, assumptions };
}

const isStated = (outcome: Outcome | "logged", outcomes: readonly StatedOutcome[]): boolean =>
  outcomes.includes(outcome === "allowed" ? "reached" : outcome);

/** "allowed" stands for every stated outcome, and "blocked" for the others. A request that is logged first has a stated one. */
function readingOf({ outcomes }: Statement): Reading {
  const resultOf = (outcome: Outcome | "logged"): Result => ({
    outcome: isStated(outcome, outcomes) ? "allowed" : "blocked",
  });
  return {
    of(action, assumptions) {
      const effect = effectUnder(action, assumptions);
      if (effect !== "logged") return resultOf(effect.outcome);
      return isStated(effect, outcomes) ? resultOf(effect) : undefined;
    },
    otherwise: resultOf("allowed"),
  };
}

const isStatedAt = <A extends Acl>(point: Box, { acls, space, reading }: Case<A>, assumptions: Assumptions): boolean =>
  endAt(acls, point, assumptions, space, reading).end.outcome === "allowed";

/** The requests with a stated outcome, or those with another one. */
function* regionsOf<A extends Acl>(own: Case<A>, assumptions: Assumptions, stated: boolean): Generator<Region> {
  const { boxes, except } = own.requests;
  const requests = { parts: boxes.map(({ box }) => ({ box, obstacles: except })) };
  for (const ending of own.partition(assumptions)) {
    if ((ending.end.outcome === "allowed") === stated) yield intersect(requests, ending, own.space);
  }
}

function isNoWorse<A extends Acl>(before: Case<A>, after: Case<A>, budget: Budget): boolean {
  if (keyOf(before.acls) === keyOf(after.acls)) return true;
  const { all, complete } = combinationsOf(uncertaintiesIn([before.acls, after.acls], after.looseness));
  if (!complete) return false;
  return all.every((assumptions) => {
    const violations: Region[] = [];
    for (const region of regionsOf(after, assumptions, false)) {
      const point = pointIn(region, after.space, budget);
      if (!point) continue;
      // Most changes for the worse show at one of these points, and a search of all pairs is slow.
      if (isStatedAt(point, before, assumptions)) return false;
      violations.push(region);
    }
    const fine = [...regionsOf(before, assumptions, true)];
    return violations.every((region) =>
      fine.every((other) => {
        if (budget.left-- <= 0) throw undecided;
        return pointIn(intersect(region, other, after.space), after.space, budget) === undefined;
      }),
    );
  });
}

/** Equal for ACLs with the same effect. Unknown values are compared by their names. */
function keyOf(acls: readonly Acl[]): string {
  const texts = acls.map(({ priority, rule }) =>
    JSON.stringify([String(priority), rule], (_, part: unknown) =>
      typeof part === "symbol" ? { unknown: part.description } : part,
    ),
  );
  return texts.toSorted().join();
}
