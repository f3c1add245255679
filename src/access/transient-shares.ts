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
import { waysOf, type Direction, type Stage, type Transition } from "./transition";

/** The requests to one API with the outcome of the direction in at least one intermediate state. */
export interface TransientShare {
  readonly api: Api;
  /** Left out: there are none, although some requests certainly have the opposite outcome before and after the change. */
  readonly found?: {
    readonly extent: Extent;
    /** The requests that certainly have the opposite outcome before and after the change. */
    readonly base: Extent;
    /** One of the requests. */
    readonly example: { readonly ip: string; readonly country: string };
  };
}

/** The budget, in words of 32 intervals of addresses. */
const mostSteps = 20_000_000;

/**
 * Counts like `outcomeShifts`. An unknown value of a rule counts as the one with which more requests have the outcome of the direction.
 * Throws Undecided if counting would take too long. Only APIs are listed
 * where counted requests certainly have the opposite outcome before and after the change.
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
  const ways = stepsOf(transition, direction, new Set(factors.keys()));
  const known = new Map<string, Omit<TransientShare, "api"> | undefined>();
  return of.flatMap((api) => {
    // APIs with the same ACLs have the same shares.
    const scopes = all.map(({ rule }) => coversApi(rule.scope, api)).join();
    if (!known.has(scopes)) {
      const at = (country: number): Spot => ({ api, country, factors, line, budget });
      const candidates = versions.map((acls) => candidatesOf(acls, at(0)));
      known.set(
        scopes,
        sharesOf(
          groups,
          (country) => {
            const base = baseAt(candidates, direction, at(country));
            return { base, found: isEmpty(base) ? base : foundAt(ways, base, at(country)) };
          },
          line,
        ),
      );
    }
    const share = known.get(scopes);
    return share ? [{ api, ...share }] : [];
  });
}

interface Counted {
  readonly base: AddressSet;
  readonly found: AddressSet;
}

/** `groups`: countries, by their indexes, that no rule tells apart. */
function sharesOf(
  groups: readonly (readonly number[])[],
  countIn: (country: number) => Counted,
  line: AddressSpace,
): Omit<TransientShare, "api"> | undefined {
  const found = new Map<number, [Cells]>();
  const bases = new Map<number, [Cells]>();
  groups.forEach(([country], group) => {
    const counted = countIn(country!);
    if (!isEmpty(counted.base)) bases.set(group, [cellsOf(counted.base)]);
    if (!isEmpty(counted.found)) found.set(group, [cellsOf(counted.found)]);
  });
  if (found.size === 0) return bases.size === 0 ? undefined : {};
  const named = groups.map((group) => group.map((index) => countries[index]!));
  const measure = createMeasure(named, line);
  const examples = [...found].map(([group, [cells]]) => ({
    ip: line.plainest(cells),
    country: mostUsed(named[group]!),
  }));
  const example = examples.toSorted((one, other) => internetUsersOf(other.country) - internetUsersOf(one.country))[0]!;
  return { found: { extent: measure([found]), base: measure([bases]), example } };
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

function candidatesOf<A extends Acl>(acls: readonly A[], { api, factors }: Spot): Candidate<A>[] {
  const all = acls.map((acl): Candidate<A> => {
    const { countries: own, addresses } = factors.get(acl.rule)!;
    const results = resultsOf(acl.rule.action);
    return {
      acl,
      isChanged: false,
      results,
      ...(results.length > 1 && { unknownAction: "unknown" }),
      scope: coversApi(acl.rule.scope, api),
      countries: own,
      yes: addresses.yes,
      may: cellsOf(addresses.may),
      limit: Infinity,
    };
  });
  return all.filter(({ scope }) => scope !== "no");
}

/** The addresses with the opposite outcome before and after the change. */
function baseAt<A extends Acl>(
  versions: readonly (readonly Candidate<A>[])[],
  direction: Direction,
  { country, line, budget }: Spot,
): AddressSet {
  const base = line.whole.slice();
  for (const candidates of versions) {
    spend(budget, line.whole.length * (1 + candidates.length));
    for (const { results, cells } of endingsOf(candidates, country, base.slice())) {
      if (results.every(({ outcome }) => (outcome === "allowed") !== (direction === "opens"))) continue;
      cells.words.forEach((word, index) => (base[word]! &= ~cells.bits[index]!));
    }
  }
  return base;
}

/** A way with the rivals of each choice. Groups with a single choice are among the rivals that are always there. */
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
  return waysOf(transition, direction)
    .filter(({ acl }) => !acl || isCounted(acl))
    .map(({ acl, rivals, groups }) => {
      const choices = groups.map((group) => group.map((choice) => choice.rivals.filter(isCounted)));
      const only = choices.flatMap((all) => (all.length === 1 ? all[0]! : []));
      const open = choices.filter((all) => all.length > 1 && all.every(({ length }) => length > 0));
      return { ...(acl && { acl }), always: [...rivals.filter(isCounted), ...only], groups: open };
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
