/** Finds exactly the requests whose outcome a change of network ACLs changes, for each changed ACL and API. */
import { sameResult, type Result } from "./action";
import type { Cells } from "./address-set";
import { inOrder, type Acl } from "./decide";
import { createCount, isEnding } from "./count";
import { createMeasure, type Extent, type Region } from "./extent";
import { apis, type Api } from "./request";
import { countries, internetUsersOf } from "./country";
import { coversApi, criteriaOf, neverMatches, sides } from "./rule";
import { Undecided } from "./search";
import { candidatesOf, shiftsIn, type Found } from "./shift";

/** Requests to one API whose result changes in the same way because of one changed ACL. */
export interface Shift<A extends Acl> {
  readonly api: Api;
  /** The changed ACL that decides after the change. If an unchanged one decides: the changed ACL that decided before. */
  readonly cause: A;
  /** Whether the cause is a version of the ACL after the change. */
  readonly isAfter: boolean;
  readonly before: Result;
  readonly after: Result;
  /**
   * Whether all these requests have both results whatever an unknown value is, and however the service compares loosely. Otherwise
   * each of them possibly has both.
   */
  readonly isCertain: boolean;
}

export interface Shifts<A extends Acl> {
  readonly all: readonly Shift<A>[];
  /** Measures the requests in at least one of the shifts. A pair of country and address counts once, also if it is affected at several APIs. */
  extent(shifts: readonly Shift<A>[]): Extent;
  /** A plain request of a shift. Without a country: no rule names the country. */
  example(shift: Shift<A>): { readonly ip: string; readonly country?: string };
}

/** The budget of the search, in words of 32 intervals of addresses. */
const mostSteps = 300_000_000;

/**
 * Compares all pairs of country and address, for each API. Every other fact has a value that no rule names, and the connecting
 * address is the address. A request counts if its result possibly changes. Throws Undecided where that would take too long.
 */
export function outcomeShifts<A extends Acl>(
  before: readonly A[],
  after: readonly A[],
  isChanged: (acl: A) => boolean,
  steps = mostSteps,
): Shifts<A> {
  const versions = [before, after].map((acls) =>
    inOrder(acls).filter(({ rule }) => isEnding(rule.action) && neverMatches(rule) === undefined),
  ) as [A[], A[]];
  const acls = versions.flat();
  // An empty text: none of the named host names.
  const { line, groups, candidate } = createCount(acls, { api: "authentication", hostname: "" }, countries);
  if (4 * line.whole.length * acls.length > steps) throw new Undecided();
  const candidatesFor = candidatesOf(versions, candidate, isChanged);
  const budget = { left: steps };
  const known = new Map<string, readonly Collected<A>[]>();
  const all = apis.flatMap((api) => {
    // APIs with the same ACLs have the same shifts.
    const scopes = acls.map(({ rule }) => coversApi(rule.scope, api)).join();
    const sweep = () => groups.map(([country]) => shiftsIn(candidatesFor(api), country!, line, budget));
    const own = known.get(scopes) ?? collect(api, sweep());
    known.set(scopes, own);
    return own.map((shift) => ({ ...shift, api }));
  });
  const named = groups.map((group) => group.map((index) => countries[index]!));
  const regionOf = (shift: Shift<A>) => (shift as Collected<A>).region;
  const measure = createMeasure(named, line);
  const places = placesOf(named, acls);
  return {
    all,
    extent: cached((shifts) => measure(shifts.map(regionOf)), regionOf),
    example(shift) {
      const parts = [...regionOf(shift)].map(([group, [cells]]) => ({ cells: cells!, place: places[group]! }));
      const { cells, place } = parts.reduce((best, part) => (part.place.users > best.place.users ? part : best));
      return { ip: line.plainest(cells), ...(place.country !== undefined && { country: place.country }) };
    },
  };
}

/** Measures each list of regions once: most effects are measured for each API, and for the verdict too. */
function cached<A extends Acl>(
  extent: (shifts: readonly Shift<A>[]) => Extent,
  regionOf: (shift: Shift<A>) => Region,
): Shifts<A>["extent"] {
  const numbers = new Map<Region, number>();
  const numberOf = (region: Region) => numbers.get(region) ?? (numbers.set(region, numbers.size), numbers.size - 1);
  const known = new Map<string, Extent>();
  return (shifts) => {
    const key = shifts.map((shift) => numberOf(regionOf(shift))).join();
    const found = known.get(key) ?? extent(shifts);
    known.set(key, found);
    return found;
  };
}

interface Place {
  /** Left out: the group has a country that no rule names. Requests without a country then have the same outcomes. */
  readonly country?: string;
  readonly users: number;
}

/** The plainest country of each group. */
function placesOf(groups: readonly (readonly string[])[], acls: readonly Acl[]): Place[] {
  const texts = acls.flatMap(({ rule }) => sides.flatMap((side) => criteriaOf(rule, side).flatMap((one) => one.texts)));
  const named = new Set(texts.map((text) => text.toUpperCase()));
  return groups.map((group) => {
    if (group.some((country) => !named.has(country))) return { users: Infinity };
    const country = group.toSorted((one, other) => internetUsersOf(other) - internetUsersOf(one))[0]!;
    return { country, users: internetUsersOf(country) };
  });
}

interface Collected<A extends Acl> extends Shift<A> {
  readonly region: Map<number, Cells[]>;
}

/** Joins the shifts of all groups of countries. */
function collect<A extends Acl>(api: Api, sweep: readonly (readonly Found<A>[])[]): Collected<A>[] {
  const found = new Map<A, Collected<A>[]>();
  sweep.forEach((shifts, group) => {
    for (const { cells, ...shift } of shifts) {
      const { cause, isAfter, before, after, isCertain } = shift;
      const own = found.get(cause) ?? [];
      found.set(cause, own);
      let known = own.find(
        (one) =>
          one.isAfter === isAfter &&
          one.isCertain === isCertain &&
          sameResult(one.before, before) &&
          sameResult(one.after, after),
      );
      if (!known) own.push((known = { api, ...shift, region: new Map() }));
      const parts = known.region.get(group);
      if (parts) parts.push(cells);
      else known.region.set(group, [cells]);
    }
  });
  return [...found.values()].flat();
}
