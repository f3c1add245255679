/** Proves statements about the outcomes of all requests of a set, or finds a request that contradicts them. */
import { flagOf, type Result } from "./action";
import { extent, letterCase, connecting, type Assumptions, type Uncertainty } from "./assumptions";
import type { Rule } from "./rule";
import type { Acl } from "./decide";
import { extentOfRule, type ExtentOfRule } from "./extent-of-rule";
import { createLooseness, type Looseness } from "./loose";
import { isCertainViolation, possibleViolation } from "./possible";
import { intersect, pointIn, type Part } from "./region";
import { aclsOfSets, asOne, boxesOfSet, type RequestLists } from "./request-set";
import { isCovered, isHit, ifDecided, undecided, type Budget } from "./search";
import { createSpace, type Box, type Space, type WholeRequest } from "./space";
import { combinationsOf, type Combinations, uncertaintiesOf } from "./uncertainty";
import { endAt, endedParts, type EndedPart, type Evaluation, type Requests, type StatedOutcome } from "./violation";

export type { StatedOutcome };

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
  const extentOf = cached((rule: Rule) => extentOfRule(rule, looseness, space));
  const common = { looseness, space, extentOf, combinationsOf: combinationsByUncertainties() };
  const requestsOf = cached((statement: Statement) => requestsIn(statement, space));
  const casesOf = cached((version: readonly A[]) => {
    const active = version.filter((acl) => acl.active);
    return cached((statement: Statement): Case<A> => {
      const requests = requestsOf(statement);
      const outcomes = new Set(statement.outcomes);
      return { ...common, requests, outcomes, acls: relevant(active, requests, extentOf) };
    });
  });
  const forProofs = allowance(stepsOfProof, stepsOfAll);
  const forComparisons = allowance(stepsOfComparison, stepsOfComparisons);
  return {
    prove: (statement, version) =>
      forProofs((budget) => prove(casesOf(version)(statement), budget)) ?? { verdict: "undecided", assumptions: [] },
    isNoWorse: (statement, before, after) =>
      forComparisons((budget) => isNoWorse(casesOf(before)(statement), casesOf(after)(statement), budget)) ?? false,
    deciderIn(version, { point, assumptions }) {
      const active = version.filter((acl) => acl.active);
      const evaluation = { acls: active, requests: { boxes: [], except: [] }, outcomes: new Set<StatedOutcome>() };
      return endAt(point, { ...evaluation, looseness, space }, assumptions).acl;
    },
  };
}

/** Limits each search, and all together. Undefined: the steps do not suffice. */
function allowance(each: number, all: number): <Found>(find: (budget: Budget) => Found) => Found | undefined {
  let left = all;
  return (find) => {
    const granted = Math.min(each, left);
    const budget: Budget = { left: granted };
    const found = ifDecided(() => find(budget));
    left -= granted - Math.max(budget.left, 0);
    return found;
  };
}

function cached<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}

interface Case<A extends Acl> extends Evaluation<A> {
  extentOf(rule: Rule): ExtentOfRule;
  /** The same combinations for the same uncertainties, because results are cached for each combination. */
  combinationsOf(uncertainties: readonly Uncertainty[]): Combinations;
}

function combinationsByUncertainties(): (uncertainties: readonly Uncertainty[]) => Combinations {
  const known = new Map<string, Combinations>();
  return (uncertainties) => {
    const key = JSON.stringify(uncertainties);
    const combinations = known.get(key) ?? combinationsOf(uncertainties);
    known.set(key, combinations);
    return combinations;
  };
}

function spaceOf(acls: readonly Acl[], sets: readonly RequestLists[], looseness: Looseness): Space {
  const rules = [...new Set(acls.map(({ rule }) => rule))];
  const all = rules.flatMap((rule) =>
    looseness.versions(rule).map((version) => ({ active: true, priority: 0, rule: version })),
  );
  return createSpace([...all, ...aclsOfSets(sets)], combinationsOfLists(acls));
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
function relevant<A extends Acl>(
  acls: readonly A[],
  { boxes }: Requests,
  extentOf: (rule: Rule) => ExtentOfRule,
): readonly A[] {
  const own = acls.filter(({ rule }) =>
    extentOf(rule).possible.some((one) => boxes.some(({ box }) => isHit(box, one))),
  );
  const walls = own.filter(({ rule }) => {
    const { certain } = extentOf(rule);
    return isEnd(rule) && boxes.every(({ box }) => certain.some((one) => isCovered(box, one)));
  });
  const last = Math.min(...walls.map(({ priority }) => priority).filter((priority) => !Number.isNaN(priority)));
  return own.filter(({ priority }) => !(priority > last));
}

const isEnd = ({ action }: Rule) => ["allow", "block", "redirect"].includes(flagOf(action) ?? "");

function uncertaintiesIn(versions: readonly (readonly Acl[])[], looseness: Looseness): Uncertainty[] {
  const rules = versions.flat().map(({ rule }) => rule);
  return [...uncertaintiesOf(versions), ...looseness.uncertainties(rules)];
}

function prove<A extends Acl>(own: Case<A>, budget: Budget): Proof<A> {
  if (own.requests.boxes.length === 0) return { verdict: "held" };
  const uncertainties = uncertaintiesIn([own.acls], own.looseness);
  const { all, complete } = own.combinationsOf(uncertainties);
  const possible = { ...own, acls: own.acls.map((acl) => ({ acl, extent: own.extentOf(acl.rule) })) };
  const isCertain = (point: Box) =>
    complete
      ? all.every((assumptions) => !endAt(point, own, assumptions).isStated)
      : isCertainViolation(point, possible);
  let isSafe = false;
  let first: Counterexample<A> | undefined;
  for (const assumptions of all) {
    const point = violationUnder(own, assumptions, budget);
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
    return complete ? { verdict: "held" } : { verdict: "undecided", assumptions: wordsOf(uncertainties, all[0]!) };
  }
  const common = complete && !isSafe ? commonViolation(own, all, budget) : undefined;
  if (common) return { verdict: "broken", counterexample: counterexampleAt(common, own, all[0]!) };
  return { verdict: "undecided", counterexample: first, assumptions: decisive(first, own, uncertainties) };
}

const wordsOf = (uncertainties: readonly Uncertainty[], assumptions: Assumptions) =>
  uncertainties.slice(0, mostNamed).map(({ name, words }) => words(assumptions.get(name)!));

const mostNamed = 5;

function counterexampleAt<A extends Acl>(point: Box, own: Case<A>, assumptions: Assumptions): Counterexample<A> {
  const { acl, end } = endAt(point, own, assumptions);
  return { request: own.space.request(point), end, ...(acl && { acl }), point, assumptions };
}

function violationUnder<A extends Acl>(own: Case<A>, assumptions: Assumptions, budget: Budget): Box | undefined {
  for (const part of endedParts(own, assumptions, false)) {
    const point = pointIn({ parts: [part] }, own.space, budget);
    if (point) return point;
  }
  return undefined;
}

/** A request that violates the statement under all assumptions. */
function commonViolation<A extends Acl>(own: Case<A>, all: readonly Assumptions[], budget: Budget): Box | undefined {
  const known = new Map<Assumptions, readonly EndedPart<A>[]>();
  const violationsUnder = (assumptions: Assumptions) => {
    const parts = known.get(assumptions) ?? [...endedParts(own, assumptions, false)];
    known.set(assumptions, parts);
    return parts;
  };
  const search = (parts: Iterable<Part>): Box | undefined => {
    for (const part of parts) {
      if (budget.left-- <= 0) throw undecided;
      const point = pointIn({ parts: [part] }, own.space, budget);
      const failed = point && all.find((assumptions) => endAt(point, own, assumptions).isStated);
      if (!failed) {
        if (point) return point;
        continue;
      }
      const narrowed = violationsUnder(failed).flatMap(
        (other) => intersect({ parts: [part] }, { parts: [other] }, own.space).parts,
      );
      const found = search(narrowed);
      if (found) return found;
    }
    return undefined;
  };
  return search(violationsUnder(all[0]!));
}

/** The assumptions without which the counterexample would have a stated outcome, in words. All, if no single one decides. */
function decisive<A extends Acl>(
  { point, assumptions }: Counterexample<A>,
  own: Case<A>,
  uncertainties: readonly Uncertainty[],
): string[] {
  const found = uncertainties.filter(({ name, options }) =>
    options.some((option) => endAt(point, own, new Map([...assumptions, [name, option]])).isStated),
  );
  return wordsOf(found.length > 0 ? found : uncertainties, assumptions);
}

function isNoWorse<A extends Acl>(before: Case<A>, after: Case<A>, budget: Budget): boolean {
  if (keyOf(before.acls) === keyOf(after.acls)) return true;
  const { all, complete } = after.combinationsOf(uncertaintiesIn([before.acls, after.acls], after.looseness));
  if (!complete) return false;
  return all.every((assumptions) => {
    const violations: Part[] = [];
    for (const part of endedParts(after, assumptions, false)) {
      const point = pointIn({ parts: [part] }, after.space, budget);
      if (!point) continue;
      // Most changes for the worse show at one of these points, and a search of all pairs is slow.
      if (endAt(point, before, assumptions).isStated) return false;
      violations.push(part);
    }
    const fine = [...endedParts(before, assumptions, true)];
    return violations.every((part) =>
      fine.every((other) => {
        if (budget.left-- <= 0) throw undecided;
        const common = intersect({ parts: [part] }, { parts: [other] }, after.space);
        return pointIn(common, after.space, budget) === undefined;
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
