/**
 * Counts requests: the one set-up for all shares. A request has a pair of country and address, and other facts that no rule names.
 * Countries that no rule tells apart are a group, and so are addresses, so each pair of groups is evaluated once, as one request is.
 */
import { effectOf } from "./action";
import { addressAt, families, familyOf, hostIntervals, type Family, type Range } from "./addresses";
import { parseBlock, unmapped } from "./cidr";
import { inOrder, possibleEnds, type Acl, type PossibleEnd } from "./decide";
import { scopeCovers, unnamedFacts, type AccessRequest, type Api } from "./request";
import { criteriaIn, criterionMatches, neverMatches, unknownProperties, type Rule } from "./rule";
import { all, not, type Ternary } from "./unknown";

/** Addresses that no rule tells apart. */
interface Addresses {
  /** In order. Empty if the address is known. */
  readonly ranges: readonly Range[];
  /** How many addresses of each family. */
  readonly sizes: Readonly<Record<Family, bigint>>;
}

interface Count {
  /** The countries in groups that no rule tells apart. */
  readonly countries: readonly (readonly string[])[];
  readonly addresses: readonly Addresses[];
  /**
   * How the evaluation of requests from a group of countries to the API possibly ends, for each group of addresses. `acls`: in order
   * of evaluation.
   */
  endsFrom<A extends Acl>(acls: readonly A[], api: Api, country: number): PossibleEnd<A>[][];
}

/** `acls`: all that are evaluated later. Each fact that `request` leaves out takes every value, or one that no ACL names. */
function createCount(acls: readonly Acl[], request: AccessRequest, countries: readonly string[]): Count {
  const mayEnd = (rule: Rule) => effectOf(rule.action) !== "logged" && neverMatches(rule) === undefined;
  const rules = [...new Set(acls.map(({ rule }) => rule))].filter(mayEnd);
  const whole = withDefaults(request, rules);
  const intervals = request.ip === undefined ? hostIntervals(rules.flatMap(blocksIn)) : [[0n, 0n] as const];
  const codes = whole.country === undefined ? countries : [whole.country];
  const factors = new Map(rules.map((rule) => [rule, factorsOf(rule, { request: whole, intervals, codes })]));
  const grouped = (axis: "countries" | "addresses", count: number) =>
    groupsBy(count, (index) => [...factors.values()].map((one) => one[axis][index]![0]).join(""));
  const groups = {
    countries: grouped("countries", codes.length),
    addresses: grouped("addresses", intervals.length),
  };
  return {
    countries: groups.countries.map((group) => group.map((index) => codes[index]!)),
    addresses: groups.addresses.map((group) => {
      if (request.ip !== undefined) return addressesOf(request.ip);
      const ranges = group.map((index) => intervals[index]!);
      return { ranges, sizes: sizesOf(ranges) };
    }),
    endsFrom(own, api, country) {
      const [place] = groups.countries[country]!;
      const reached = own.flatMap((acl) => {
        const found = factors.get(acl.rule);
        const isHere = found ? all([scopeCovers(acl.rule.scope, api), found.countries[place!]!]) : "no";
        return isHere === "no" ? [] : [{ acl, isHere, addresses: found!.addresses }];
      });
      const matched = new Map(reached.map(({ acl, ...rest }) => [acl, rest]));
      const order = reached.map(({ acl }) => acl);
      return groups.addresses.map(([index]) =>
        possibleEnds(order, (acl) => {
          const { isHere, addresses } = matched.get(acl)!;
          const there = addresses[index!]!;
          return { matches: there === "no" || isHere === "yes" ? there : "perhaps" };
        }),
      );
    },
  };
}

function groupsBy(count: number, keyOf: (index: number) => string): number[][] {
  const groups = new Map<string, number[]>();
  for (let index = 0; index < count; index++) {
    const key = keyOf(index);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(index);
  }
  return [...groups.values()];
}

/** The only address. */
function addressesOf(ip: string): Addresses {
  const block = parseBlock(ip);
  const isFour = block && unmapped(block).family === 4;
  return { ranges: [], sizes: { 4: isFour ? 1n : 0n, 6: isFour ? 0n : 1n } };
}

function sizesOf(ranges: readonly Range[]): Addresses["sizes"] {
  const sum = (family: Family) =>
    ranges.reduce((size, range) => (familyOf(range[0]) === family ? size + range[1] - range[0] : size), 0n);
  const [four, six] = families.map(sum) as [bigint, bigint];
  return { 4: four, 6: six };
}

interface World {
  readonly request: AccessRequest;
  readonly intervals: readonly Range[];
  readonly codes: readonly string[];
}

/** A rule in two parts: it matches if both parts match. */
interface Factors {
  /** By the index of the country. */
  readonly countries: Ternary[];
  /** By the index of the interval. */
  readonly addresses: Ternary[];
}

function factorsOf(rule: Rule, { request, intervals, codes }: World): Factors {
  const fixed: Ternary = unknownProperties(rule).length > 0 ? "perhaps" : "yes";
  const factors: Factors = { countries: codes.map(() => fixed), addresses: intervals.map(() => "yes") };
  for (const criterion of criteriaIn(rule)) {
    const at = (facts: Partial<AccessRequest>) => {
      const { matches } = criterionMatches(criterion, { ...facts, ...request });
      return criterion.side === "match" ? matches : not(matches);
    };
    const join = (axis: keyof Factors, valueAt: (index: number) => Ternary) =>
      factors[axis].forEach((value, index) => (factors[axis][index] = all([value, valueAt(index)])));
    const [property] = criterion.properties;
    if (isOfAddresses(criterion) && isOpen(property!, request)) {
      // The criterion has one value between two of its own boundaries.
      const own = new Set(hostIntervals(criterion.texts).map(([from]) => from));
      let last: Ternary = "yes";
      join("addresses", (index) => {
        const [from] = intervals[index]!;
        const address = own.has(from) ? addressAt(from) : undefined;
        return address === undefined ? last : (last = at({ ip: address, connecting_ip: address }));
      });
    } else if (property === "geo_country_codes" && request.country === undefined) {
      const named = new Set(criterion.texts.map((text) => text.toUpperCase()));
      const other = at({ country: "?" });
      join("countries", (index) => (named.has(codes[index]!) ? at({ country: codes[index]! }) : other));
    } else {
      const value = at({});
      join("countries", () => value);
    }
  }
  return factors;
}

/** Whether the criterion is about an address that is not known. The connecting address is the address, unless one of them is known. */
const isOpen = (property: string, { ip, connecting_ip }: AccessRequest) =>
  ip === undefined && (connecting_ip === undefined || !property.startsWith("connecting_"));

type Named = { readonly properties: readonly string[] };
const isOfAddresses = ({ properties }: Named) => properties[0]!.endsWith("_cidrs");

const blocksIn = (rule: Rule) => criteriaIn(rule).flatMap((one) => (isOfAddresses(one) ? one.texts : []));

/** The request with a value that no rule names in place of each fact that is not counted: its host name stays unknown. */
function withDefaults(request: AccessRequest, rules: readonly Rule[]): AccessRequest {
  const texts = rules.flatMap((rule) => criteriaIn(rule).flatMap((one) => (isOfAddresses(one) ? [] : one.texts)));
  const named = new Set(texts);
  const letters = new Set(texts.flatMap((text) => [...text.toLowerCase(), ...text.toUpperCase()]));
  let code = 0x1f600;
  while (letters.has(String.fromCodePoint(code))) code++;
  let asn = 4_294_967_294;
  while (named.has(String(asn))) asn--;
  const country = request.country ?? request.subdivision?.replace(/-.*/s, "");
  const { country: _counted, hostname: _unknown, ...others } = unnamedFacts(String.fromCodePoint(code), asn);
  return { ...others, ...request, ...(country !== undefined && { country: country.toUpperCase() }) };
}

/** The share of the requests over one address family. */
export interface Share {
  /** Blocked or redirected under all assumptions. */
  readonly certain: bigint;
  /** Certainly or possibly blocked or redirected. */
  readonly possible: bigint;
  readonly all: bigint;
  /** The same for the earlier version. */
  readonly before: { readonly certain: bigint; readonly possible: bigint };
}

export interface BlockedShares<A extends Acl> {
  /** Left out: the request comes from an address of the other family. */
  readonly ipv4?: Share;
  readonly ipv6?: Share;
  /** Whether the country makes a difference. A share then counts pairs of address and country. */
  readonly byCountry: boolean;
  /** The ACLs that certainly block; if there are none, those that possibly block. In order of evaluation. */
  by(): A[];
}

/**
 * Counts for the last version, and compares it with the first. Each fact that `request` leaves out takes every value that no
 * ACL names.
 */
export function blockedSharesOf<A extends Acl>(
  versions: readonly [readonly A[], readonly A[]],
  request: AccessRequest,
  countries: readonly string[],
): BlockedShares<A> {
  const [before, after] = versions.map((acls) =>
    inOrder(acls).filter(({ rule }) => scopeCovers(rule.scope, request.api) !== "no"),
  ) as [A[], A[]];
  const count = createCount([...before, ...after], request, countries);
  const blocked = count.countries.flatMap((group, country) => {
    const [was, is] = [before, after].map((acls) => count.endsFrom(acls, request.api, country).map(blockedBy));
    return count.addresses.map(({ sizes }, index) => {
      const size = (family: Family) => BigInt(group.length) * sizes[family];
      return { size, was: was![index]!, is: is![index]! };
    });
  });
  const share = (family: Family): Share => {
    const sum = (isCounted: (one: (typeof blocked)[number]) => boolean) =>
      blocked.reduce((total, one) => (isCounted(one) ? total + one.size(family) : total), 0n);
    return {
      certain: sum(({ is }) => is.isCertain),
      possible: sum(({ is }) => is.by.length > 0),
      all: sum(() => true),
      before: { certain: sum(({ was }) => was.isCertain), possible: sum(({ was }) => was.by.length > 0) },
    };
  };
  const [ipv4, ipv6] = families.map(share) as [Share, Share];
  return {
    ...(ipv4.all > 0n && { ipv4 }),
    ...(ipv6.all > 0n && { ipv6 }),
    byCountry: count.countries.length > 1,
    by() {
      const isAnyCertain = blocked.some(({ is }) => is.isCertain);
      const found = new Set(blocked.flatMap(({ is }) => (is.isCertain || !isAnyCertain ? is.by : [])));
      return after.filter((acl) => found.has(acl));
    },
  };
}

/** The ACLs that possibly block or redirect. */
function blockedBy<A extends Acl>(ends: readonly PossibleEnd<A>[]): { readonly isCertain: boolean; readonly by: A[] } {
  const denying = ends.filter(({ results }) => results.some(({ outcome }) => outcome !== "allowed"));
  return {
    isCertain: ends.every(({ results }) => results.every(({ outcome }) => outcome !== "allowed")),
    by: denying.flatMap(({ acl }) => acl ?? []),
  };
}
