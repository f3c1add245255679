/** Counts the requests that have another outcome for a moment than before and after a change, by country and address. */
import {
  cellsOf,
  createAddressSpace,
  empty,
  isEmpty,
  type AddressSet,
  type AddressSpace,
  type Cells,
} from "./address-set";
import { inOrder, type Acl } from "./decide";
import { endingsOf, resultsOf, isEnding, type Candidate } from "./ending";
import { createMeasure, type Extent } from "./extent";
import { addressLists, countryGroups, factorsOf, withDefaults, type Factors } from "./factors";
import { countries } from "./country";
import { internetUsersOf } from "./internet-users";
import { apis, type Api } from "./request";
import { coversApi, neverMatches, type Rule } from "./rule";
import { Undecided, type Budget } from "./search";
import { decidersOf, rivalsOf, type Direction, type Stage, type Transition } from "./transition";

/** The requests to one API with the outcome of the direction for a moment, in whatever state. */
export interface TransientShare {
  readonly api: Api;
  readonly extent: Extent;
  /** The requests that certainly have the opposite outcome before and after the change. */
  readonly base: Extent;
  /** One of the requests. */
  readonly example: { readonly ip: string; readonly country: string };
}

/** The budget, in words of 32 intervals of addresses. */
const mostSteps = 20_000_000;

/**
 * Counts like `outcomeShifts`. An unknown value of a rule counts as the one with which more requests have the outcome of the direction.
 * Throws Undecided if counting would take too long. Only APIs with such requests are listed.
 */
export function transientShares<A extends Acl, S extends Stage<A>>(
  transition: Transition<A, S>,
  direction: Direction,
  of: readonly Api[] = apis,
  steps = mostSteps,
): TransientShare[] {
  const versions = [transition.before, transition.after].map((acls) =>
    inOrder(acls).filter(({ rule }) => isEnding(rule.action) && neverMatches(rule) === undefined),
  ) as [A[], A[]];
  const all = versions.flat();
  const line = createAddressSpace(undefined, all.flatMap(addressLists));
  const budget: Budget = { left: steps };
  spend(budget, 4 * line.whole.length * all.length);
  const world = { line, request: withDefaults({ api: "authentication", hostname: "" }, all), countries };
  const factors = new Map(all.map(({ rule }) => [rule, factorsOf(rule, world)]));
  const groups = countryGroups([...factors.values()], countries.length);
  const named = groups.map((group) => group.map((index) => countries[index]!));
  const measure = createMeasure(named, line);
  const steadily = stepsOf(transition, direction, new Set([...factors.keys()]));
  return of.flatMap((api) => {
    const found = new Map<number, [Cells]>();
    const bases = new Map<number, [Cells]>();
    groups.forEach(([country], index) => {
      const at: Spot = { api, country: country!, factors, line, budget };
      const base = baseAt(versions, direction, at);
      if (isEmpty(base)) return;
      bases.set(index, [cellsOf(base)]);
      const cells = foundAt(steadily, base, at);
      if (!isEmpty(cells)) found.set(index, [cellsOf(cells)]);
    });
    if (found.size === 0) return [];
    const examples = [...found].map(([group, [cells]]) => ({
      ip: line.plainest(cells),
      country: mostUsed(named[group]!),
    }));
    const example = examples.toSorted(
      (one, other) => internetUsersOf(other.country) - internetUsersOf(one.country),
    )[0]!;
    return [{ api, extent: measure([found]), base: measure([bases]), example }];
  });
}

const mostUsed = (group: readonly string[]) =>
  group.reduce((best, one) => (internetUsersOf(one) > internetUsersOf(best) ? one : best));

function spend(budget: Budget, steps: number): void {
  budget.left -= steps;
  if (budget.left < 0) throw new Undecided();
}

/** One API and one country. */
interface Spot {
  readonly api: Api;
  readonly country: number;
  readonly factors: ReadonlyMap<Rule, Factors>;
  readonly line: AddressSpace;
  readonly budget: Budget;
}

/** The addresses that the ACL certainly or possibly matches. undefined: none. */
function addressesOf({ rule }: Acl, measure: "yes" | "may", { api, country, factors }: Spot): AddressSet | undefined {
  const own = factors.get(rule);
  if (!own) return undefined;
  const values = [coversApi(rule.scope, api), own.countries[country]!];
  const isIn = measure === "yes" ? values.every((value) => value === "yes") : !values.includes("no");
  return isIn ? own.addresses[measure] : undefined;
}

/** The addresses with the opposite outcome before and after the change. */
function baseAt<A extends Acl>(versions: readonly (readonly A[])[], direction: Direction, at: Spot): AddressSet {
  const { api, country, factors, line, budget } = at;
  const base = line.whole.slice();
  for (const acls of versions) {
    const candidates = acls.map((acl): Candidate<A> => ({
      acl,
      isChanged: false,
      results: resultsOf(acl.rule.action),
      ...(resultsOf(acl.rule.action).length > 1 && { unknownAction: "unknown" }),
      scope: coversApi(acl.rule.scope, api),
      countries: factors.get(acl.rule)!.countries,
      yes: factors.get(acl.rule)!.addresses.yes,
      may: cellsOf(factors.get(acl.rule)!.addresses.may),
      limit: Infinity,
    }));
    spend(budget, line.whole.length * (1 + acls.length));
    const inScope = candidates.filter(({ scope }) => scope !== "no");
    for (const { results, cells } of endingsOf(inScope, country, base.slice())) {
      if (results.every(({ outcome }) => (outcome === "allowed") !== (direction === "opens"))) continue;
      cells.words.forEach((word, index) => (base[word]! &= ~cells.bits[index]!));
    }
  }
  return base;
}

/** A decider, with the rivals that are always there, and those of the stages of each group that has rivals in all stages. */
interface Step<A extends Acl> {
  readonly acl?: A;
  readonly always: readonly A[];
  readonly groups: readonly (readonly (readonly A[])[])[];
}

function stepsOf<A extends Acl, S extends Stage<A>>(
  transition: Transition<A, S>,
  direction: Direction,
  rules: ReadonlySet<Rule>,
): Step<A>[] {
  const isCounted = ({ rule }: Acl) => rules.has(rule);
  return decidersOf(transition, direction)
    .filter(({ acl }) => !acl || isCounted(acl))
    .map((decider) => {
      const { acl, own } = decider;
      const rivals = (acls: readonly A[]) => rivalsOf(acls, direction, decider).filter(isCounted);
      const groups = transition.groups
        .filter((group) => group !== own?.group)
        .map((group) => group.map(({ acls }) => rivals(acls)))
        .filter((stages) => stages.every(({ length }) => length > 0));
      return { ...(acl && { acl }), always: rivals([...transition.unchanged, ...(own?.stage.acls ?? [])]), groups };
    });
}

function foundAt<A extends Acl>(all: readonly Step<A>[], base: AddressSet, at: Spot): AddressSet {
  const found = empty(at.line);
  const without = (set: AddressSet, acls: readonly A[]) => {
    spend(at.budget, set.length * (1 + acls.length));
    const rest = set.slice();
    for (const acl of acls) {
      const own = addressesOf(acl, "yes", at);
      if (own) for (let word = 0; word < rest.length; word++) rest[word]! &= ~own[word]!;
    }
    return rest;
  };
  for (const { acl, always, groups } of all) {
    const own = acl && addressesOf(acl, "may", at);
    if (acl && !own) continue;
    let set: AddressSet = base.slice();
    if (own) for (let word = 0; word < set.length; word++) set[word]! &= own[word]!;
    if (isEmpty(set)) continue;
    set = without(set, always);
    for (const stages of groups) {
      if (isEmpty(set)) break;
      const rest = empty(at.line);
      for (const rivals of stages) without(set, rivals).forEach((bits, word) => (rest[word]! |= bits));
      set = rest;
    }
    set.forEach((bits, word) => (found[word]! |= bits));
  }
  return found;
}
