/** Finds exactly the requests whose outcome a change of network ACLs changes, for each changed ACL and API, and measures them. */
import { effectOf, sameResult, type Result } from "./action";
import { blocksOf, families, plainestOf, type Family } from "./addresses";
import { createCount, type Count } from "./count";
import { countries, internetUsersOf } from "./country";
import { inOrder, type Acl, type PossibleEnd } from "./decide";
import { apis, type Api } from "./request";
import { criteriaIn, type Rule } from "./rule";
import { Undecided } from "./search";

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

/** A set of pairs of country and address, measured. */
export interface Extent {
  /**
   * The share of the requests over IPv4, and over IPv6. The addresses of a family count equally, and a country counts by its
   * Internet users. 0 exactly if no pair of the family is affected, and 1 exactly if all are.
   */
  readonly ipv4: number;
  readonly ipv6: number;
  /** Countries with at least one affected address. */
  readonly countries: readonly string[];
  /** Countries with only affected addresses. */
  readonly wholeCountries: readonly string[];
  /** Country -> affected share of its addresses: the larger share of the two families. Only countries with affected addresses. */
  readonly byCountry: ReadonlyMap<string, number>;
  /** The most affected addresses in one country. */
  readonly addresses: { readonly ipv4: bigint; readonly ipv6: bigint };
  /**
   * The fewest CIDR blocks of the affected addresses, and those of the other addresses. Left out: all addresses are affected,
   * affected countries differ in their addresses, or the list is too long.
   */
  readonly blocks?: readonly string[];
  readonly otherBlocks?: readonly string[];
}

export interface Shifts<A extends Acl> {
  readonly all: readonly Shift<A>[];
  /** Measures the requests in at least one of the shifts. A pair of country and address counts once, also if it is affected at several APIs. */
  extent(shifts: readonly Shift<A>[]): Extent;
  /** A plain request of a shift. Without a country: no rule names the country. */
  example(shift: Shift<A>): { readonly ip: string; readonly country?: string };
}

/** The most evaluations of an ACL: ten dense ACLs need a small part of them. */
const mostSteps = 20_000_000;

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
  const [first, last] = [inOrder(before), inOrder(after)];
  const acls = [...first, ...last];
  // An empty text: none of the named host names.
  const count = createCount(acls, { api: "authentication", hostname: "" }, countries);
  if (apis.length * count.countries.length * count.addresses.length * acls.length > steps) throw new Undecided();
  const arePossible = possiblePairs(first, last);
  const found = new Map<string, Located<A>>();
  const numbers = new Map(acls.map((acl, index) => [acl, index]));
  const add = (shift: Shift<A>, country: number, address: number) => {
    const { api, cause, before: was, after: is, isCertain } = shift;
    const results = [was.outcome, was.redirect_uri, is.outcome, is.redirect_uri];
    const key = JSON.stringify([api, numbers.get(cause), shift.isAfter, ...results, isCertain]);
    const known = found.get(key) ?? { ...shift, region: new Map<number, Set<number>>() };
    found.set(key, known);
    known.region.set(country, (known.region.get(country) ?? new Set()).add(address));
  };
  for (const api of apis) {
    for (const country of count.countries.keys()) {
      const was = count.endsFrom(first, api, country);
      const is = count.endsFrom(last, api, country);
      for (const address of count.addresses.keys()) {
        const [old, fresh] = [was[address]!, is[address]!];
        const isCertain = !isOpen(old) && !isOpen(fresh);
        for (const shift of shiftsBetween(old, fresh, isChanged, arePossible)) {
          add({ api, isCertain, ...shift }, country, address);
        }
      }
    }
  }
  const regionOf = (shift: Shift<A>) => (shift as Located<A>).region;
  const places = placesOf(count.countries, acls);
  return {
    all: [...found.values()],
    extent: (shifts) => measure(shifts.map(regionOf), count),
    example(shift) {
      const parts = [...regionOf(shift)].map(([country, addresses]) => ({ place: places[country]!, addresses }));
      const { place, addresses } = parts.reduce((best, part) => (part.place.users > best.place.users ? part : best));
      const ranges = rangesOf(addresses, count);
      return { ip: plainestOf(ranges), ...(place.country !== undefined && { country: place.country }) };
    },
  };
}

type Ends<A extends Acl> = readonly PossibleEnd<A>[];

/** Group of countries -> groups of addresses. */
type Region = ReadonlyMap<number, ReadonlySet<number>>;

interface Located<A extends Acl> extends Shift<A> {
  readonly region: Map<number, Set<number>>;
}

/** Whether several results are possible. The unknown target of a redirect may be any. */
function isOpen(ends: Ends<Acl>): boolean {
  const [first, ...others] = ends.flatMap(({ results }) => results);
  const isAny = first!.outcome === "redirected" && first!.redirect_uri === undefined;
  return isAny || others.some((result) => !sameResult(result, first!));
}

type Cause<A extends Acl> = Pick<Shift<A>, "cause" | "isAfter" | "before" | "after">;

function* shiftsBetween<A extends Acl>(
  was: Ends<A>,
  is: Ends<A>,
  isChanged: (acl: A) => boolean,
  arePossible: (one: A | undefined, other: A | undefined) => boolean,
): Generator<Cause<A>> {
  for (const fresh of is) {
    for (const old of was) {
      const isAfter = fresh.acl !== undefined && isChanged(fresh.acl);
      const cause = isAfter ? fresh.acl : old.acl && isChanged(old.acl) ? old.acl : undefined;
      if (!cause || !arePossible(old.acl, fresh.acl)) continue;
      for (const before of old.results) {
        for (const after of fresh.results) if (!sameResult(before, after)) yield { cause, isAfter, before, after };
      }
    }
  }
}

/**
 * Whether one ACL can decide a request before the change, and the other one after it. A request that matches in one version also
 * matches in the other, so the request is decided there by the same criteria at the latest.
 */
function possiblePairs<A extends Acl>(before: readonly A[], after: readonly A[]) {
  const [ofOld, ofFresh] = [limitsFor(before, after), limitsFor(after, before)];
  return (one: A | undefined, other: A | undefined): boolean => {
    const isLate = (late: A | undefined, limit = Infinity) => (late ? late.priority : Infinity) > limit;
    if (isLate(other, one && ofOld.get(one)) || isLate(one, other && ofFresh.get(other))) return false;
    const isUnknown = one !== undefined && effectOf(one.rule.action) === undefined;
    return !isUnknown || textOf(one.rule.action) !== textOf(other?.rule.action);
  };
}

/** For each ACL: the lowest priority of another version that ends the evaluation if the ACL matches. */
function limitsFor<A extends Acl>(acls: readonly A[], others: readonly A[]): ReadonlyMap<A, number> {
  const keysOf = ({ action, ...criteria }: Rule) => [textOf(criteria), textOf([criteria, action])] as const;
  const limits = new Map<string, number>();
  for (const { rule, priority } of others) {
    const effect = effectOf(rule.action);
    if (Number.isNaN(priority) || effect === "logged") continue;
    const key = keysOf(rule)[effect === undefined ? 1 : 0];
    limits.set(key, Math.min(limits.get(key) ?? Infinity, priority));
  }
  return new Map(acls.map((acl) => [acl, Math.min(...keysOf(acl.rule).map((key) => limits.get(key) ?? Infinity))]));
}

/** Equal for values that are the same under every assumption. */
const textOf = (value: unknown) =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === "symbol" ? [part.toString()] : part));

interface Place {
  /** Left out: the group has a country that no rule names. Requests without a country then have the same outcomes. */
  readonly country?: string;
  readonly users: number;
}

/** The plainest country of each group. */
function placesOf(groups: Count["countries"], acls: readonly Acl[]): Place[] {
  const texts = acls.flatMap(({ rule }) => criteriaIn(rule).flatMap((one) => one.texts));
  const named = new Set(texts.map((text) => text.toUpperCase()));
  return groups.map((group) => {
    if (group.some((country) => !named.has(country))) return { users: Infinity };
    const country = group.toSorted((one, other) => internetUsersOf(other) - internetUsersOf(one))[0]!;
    return { country, users: internetUsersOf(country) };
  });
}

const rangesOf = (groups: Iterable<number>, { addresses }: Count) =>
  [...groups].flatMap((group) => addresses[group]!.ranges).toSorted(([one], [other]) => (one < other ? -1 : 1));

const mostBlocks = 64;

function measure(regions: readonly Region[], count: Count): Extent {
  const sizeOf = (family: Family, groups: Iterable<number>) =>
    [...groups].reduce((sum, group) => sum + count.addresses[group]!.sizes[family], 0n);
  const whole = [...count.addresses.keys()];
  const parts = [...unionOf(regions)].map(([country, own]) => ({
    countries: count.countries[country]!,
    own,
    sizes: families.map((family) => ({ count: sizeOf(family, own), all: sizeOf(family, whole) })),
  }));
  const usersOf = (group: readonly string[]) =>
    BigInt(group.reduce((sum, country) => sum + internetUsersOf(country), 0));
  const allUsers = usersOf(count.countries.flat());
  const isAll = (chosen: typeof parts, at: number) => chosen.every(({ sizes }) => sizes[at]!.count === sizes[at]!.all);
  const share = (at: number) => {
    const some = parts.filter(({ sizes }) => sizes[at]!.count > 0n);
    if (some.length === 0) return 0;
    if (some.length === count.countries.length && isAll(some, at)) return 1;
    return between(
      some.reduce((sum, one) => sum + usersOf(one.countries) * one.sizes[at]!.count, 0n),
      allUsers * some[0]!.sizes[at]!.all,
    );
  };
  const most = (at: number) => parts.reduce((max, { sizes }) => (sizes[at]!.count > max ? sizes[at]!.count : max), 0n);
  const shareIn = ({ sizes }: (typeof parts)[number]) =>
    Math.max(...sizes.map((one) => (one.count === 0n ? 0 : one.count === one.all ? 1 : between(one.count, one.all))));
  const countriesOf = (chosen: typeof parts) => chosen.flatMap((part) => part.countries).toSorted();
  return {
    ipv4: share(0),
    ipv6: share(1),
    countries: countriesOf(parts),
    wholeCountries: countriesOf(parts.filter(({ own }) => own.size === whole.length)),
    byCountry: new Map(parts.flatMap((part) => part.countries.map((country) => [country, shareIn(part)] as const))),
    addresses: { ipv4: most(0), ipv6: most(1) },
    ...commonBlocks(
      parts.map(({ own }) => own),
      count,
    ),
  };
}

function unionOf(regions: readonly Region[]): Map<number, Set<number>> {
  const union = new Map<number, Set<number>>();
  for (const [country, addresses] of regions.flatMap((region) => [...region])) {
    union.set(country, new Set([...(union.get(country) ?? []), ...addresses]));
  }
  return union;
}

function commonBlocks(
  [one, ...others]: readonly ReadonlySet<number>[],
  count: Count,
): Pick<Extent, "blocks" | "otherBlocks"> {
  const rest = [...count.addresses.keys()].filter((group) => one && !one.has(group));
  const isSame = (other: ReadonlySet<number>) =>
    other.size === one!.size && [...other].every((group) => one!.has(group));
  if (!one || rest.length === 0 || !others.every(isSame)) return {};
  const [blocks, otherBlocks] = [[...one], rest].map((groups) => blocksOf(rangesOf(groups, count), mostBlocks));
  return { ...(blocks && { blocks }), ...(otherBlocks && { otherBlocks }) };
}

/** A quotient that rounding makes neither 0 nor 1. */
function between(count: bigint, all: bigint): number {
  return Math.min(Math.max(Number(count) / Number(all), Number.MIN_VALUE), 1 - Number.EPSILON / 2);
}
