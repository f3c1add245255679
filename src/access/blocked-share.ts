/** Counts exactly how much of an API network ACLs block, over every address and country that a request can come from. */
import { effectOf } from "./action";
import { all, any, not, type Ternary } from "./ternary";
import {
  both,
  createAddressSpace,
  drop,
  empty,
  isEmpty,
  keep,
  without,
  type AddressSpace,
  type AddressSet,
} from "./address-set";
import { criteriaOf, type Criterion } from "./criterion";
import { inOrder, type Acl } from "./decide";
import type { AccessRequest } from "./request";
import { coversApi, unknownProperties, type Rule } from "./rule";
import { Undecided } from "./search";

/** The share of the requests over one address family. */
export interface Share {
  /** Blocked or redirected under all assumptions. */
  readonly certain: bigint;
  /** Certainly or possibly blocked or redirected. */
  readonly possible: bigint;
  readonly all: bigint;
  /** Whether the earlier version lets some of them through, certainly or possibly. */
  readonly isNew: { readonly certain: boolean; readonly possible: boolean };
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

/** The budget of the count: a hundred ACLs with sixty entries each take a tenth of it. */
const mostSteps = 150_000_000;

/**
 * Counts for the last version, and compares it with the first. Each fact that `request` leaves out takes every value that no
 * ACL names. Throws Undecided where counting would take too long.
 */
export function blockedSharesOf<A extends Acl>(
  versions: readonly [readonly A[], readonly A[]],
  request: AccessRequest,
  countries: readonly string[],
  steps = mostSteps,
): BlockedShares<A> {
  const [before, after] = versions.map((acls) => inOrder(acls)) as [A[], A[]];
  const acls = [...before, ...after];
  const whole = withDefaults(request, acls);
  const line = createAddressSpace(request.ip, acls.flatMap(addressLists));
  const world: World = { line, request: whole, countries: whole.country === undefined ? countries : [whole.country] };
  const size = line.whole.length * acls.length;
  // Two sets are kept for each ACL.
  if (8 * size > steps) throw new Undecided();
  const factors = new Map(acls.map(({ rule }) => [rule, factorsOf(rule, world)]));
  const groups = countryGroups([...factors.values()], world.countries.length);
  if (groups.length * size > steps) throw new Undecided();
  const sweeps = groups.map(({ country, weight }) => ({
    weight,
    was: evaluate(before, factors, country, line),
    is: evaluate(after, factors, country, line),
  }));
  const share = (family: 4 | 6): Share | undefined => {
    if (!line.hasAny(line.whole, family)) return undefined;
    const count = (of: keyof BlockedAddresses) =>
      sweeps.reduce((sum, { weight, is }) => sum + weight * line.sizeOf(is[of], family), 0n);
    const isNew = (of: keyof BlockedAddresses) =>
      sweeps.some(({ was, is }) => line.hasAny(without(is[of], was[of]), family));
    return {
      certain: count("certain"),
      possible: count("possible"),
      all: line.sizeOf(line.whole, family) * BigInt(world.countries.length),
      isNew: { certain: isNew("certain"), possible: isNew("possible") },
    };
  };
  const [ipv4, ipv6] = [share(4), share(6)];
  return {
    ...(ipv4 && { ipv4 }),
    ...(ipv6 && { ipv6 }),
    byCountry: groups.length > 1,
    by() {
      const of = sweeps.some(({ is }) => !isEmpty(is.certain)) ? "certain" : "possible";
      const found = new Set<Acl>();
      groups.forEach(({ country }, index) => {
        const blocked = sweeps[index]!.is[of];
        evaluate(after, factors, country, line, (acl, may) => !isEmpty(both(may, blocked)) && found.add(acl));
      });
      return after.filter((acl) => found.has(acl));
    },
  };
}

interface World {
  readonly line: AddressSpace;
  readonly request: AccessRequest;
  readonly countries: readonly string[];
}

/** The request with a value that no ACL names in place of each fact that is not counted: its host name stays unknown. */
function withDefaults(request: AccessRequest, acls: readonly Acl[]): AccessRequest {
  const texts = acls.flatMap(({ rule }) =>
    bothSides(rule).flatMap((criterion) => (isOfAddresses(criterion) ? [] : criterion.texts)),
  );
  const named = new Set(texts);
  const letters = new Set(texts.flatMap((text) => [...text.toLowerCase(), ...text.toUpperCase()]));
  let code = 0x1f600;
  while (letters.has(String.fromCodePoint(code))) code++;
  const other = String.fromCodePoint(code);
  let asn = 4_294_967_294;
  while (named.has(String(asn))) asn--;
  const country = request.country ?? request.subdivision?.replace(/-.*/s, "");
  return {
    asn,
    subdivision: other,
    user_agent: other,
    ja3: other,
    ja4: other,
    managed: [],
    signature_key: "",
    ...request,
    ...(country !== undefined && { country: country.toUpperCase() }),
  };
}

function bothSides(rule: Rule): Criterion[] {
  return [...criteriaOf(rule, "match"), ...criteriaOf(rule, "not_match")];
}

const isOfAddresses = ({ properties }: Criterion) => /(ipv4|ipv6)_cidrs$/.test(properties[0]!);

function addressLists({ rule }: Acl): (readonly string[])[] {
  return bothSides(rule).flatMap((criterion) => (isOfAddresses(criterion) ? [criterion.texts] : []));
}

/** A rule in two parts, by country and by address: it matches if both parts match. */
interface Factors {
  /** By the index of the country. */
  readonly countries: readonly Ternary[];
  readonly addresses: AddressMatches;
}

/** The addresses that certainly match, and those that possibly match. */
interface AddressMatches {
  readonly yes: AddressSet;
  readonly may: AddressSet;
}

function factorsOf(rule: Rule, world: World): Factors {
  const { line } = world;
  const constants: Ternary[] = [coversApi(rule.scope, world.request.api)];
  if (unknownProperties(rule).length > 0) constants.push("perhaps");
  const lists: (readonly Ternary[])[] = [];
  const addresses: AddressMatches = { yes: line.whole.slice(), may: line.whole.slice() };
  for (const criterion of bothSides(rule)) {
    const isWanted = criterion.side === "match";
    const turn = (value: Ternary) => (isWanted ? value : not(value));
    const held = matchesOf(criterion, world);
    if (typeof held === "string") constants.push(turn(held));
    else if ("yes" in held) {
      (isWanted ? keep : drop)(addresses.yes, isWanted ? held.yes : held.may);
      (isWanted ? keep : drop)(addresses.may, isWanted ? held.may : held.yes);
    } else lists.push(held.map(turn));
  }
  const constant = all(constants);
  return {
    addresses,
    countries: world.countries.map((_, index) => all([constant, ...lists.map((list) => list[index]!)])),
  };
}

/** One value, one value for each country, or the addresses. */
function matchesOf(
  criterion: Criterion,
  { line, request, countries }: World,
): Ternary | readonly Ternary[] | AddressMatches {
  const { signal, texts, unreadable: open, properties, side, needsSignature } = criterion;
  if (!signal) return "perhaps";
  if (needsSignature && request.signature_key === "") return "no";
  const isPair = signal.mayBeTwoSignals === true && side === "match" && properties.length > 1;
  const weigh = (value: Ternary): Ternary =>
    (isPair && value === "yes") || (open !== undefined && value !== "yes") ? "perhaps" : value;
  const property = properties[0]!;
  const isFree = property.startsWith("connecting_")
    ? request.connecting_ip === undefined && request.ip === undefined
    : request.ip === undefined;
  if (isOfAddresses(criterion) && isFree) {
    const { yes, may } = line.matching(texts);
    return { yes: isPair ? empty(line) : yes, may: open === undefined ? may : line.whole };
  }
  if (property === "geo_country_codes" && request.country === undefined) {
    const upper = new Map<string, Ternary>();
    for (const text of texts) {
      const code = text.toUpperCase();
      upper.set(code, any([upper.get(code) ?? "no", text === code ? "yes" : "perhaps"]));
    }
    return countries.map((country) => weigh(upper.get(country) ?? "no"));
  }
  return weigh(signal.matches(texts, request));
}

/** Countries that no rule tells apart are counted together. */
function countryGroups(factors: readonly Factors[], count: number): { country: number; weight: bigint }[] {
  const groups = new Map<string, { country: number; weight: bigint }>();
  for (let country = 0; country < count; country++) {
    const key = factors.map(({ countries }) => countries[country]![0]).join("");
    const group = groups.get(key);
    groups.set(key, { country: group?.country ?? country, weight: (group?.weight ?? 0n) + 1n });
  }
  return [...groups.values()];
}

interface BlockedAddresses {
  readonly certain: AddressSet;
  readonly possible: AddressSet;
}

/** Evaluates the ACLs for all addresses at once, as `decide` does for one request. */
function evaluate(
  acls: readonly Acl[],
  factors: ReadonlyMap<Rule, Factors>,
  country: number,
  line: AddressSpace,
  onBlocked?: (acl: Acl, spans: AddressSet) => unknown,
): BlockedAddresses {
  const [allowed, ended, possible, passed] = [empty(line), empty(line), empty(line), empty(line)];
  const open = line.whole.slice();
  let priority: number | undefined;
  for (const acl of acls) {
    // The order of equal priorities is not known, so all of them see the same requests.
    if (acl.priority !== priority) drop(open, passed);
    priority = acl.priority;
    const effect = effectOf(acl.rule.action);
    const { countries, addresses } = factors.get(acl.rule)!;
    if (effect === "logged" || countries[country] === "no") continue;
    const isSure = countries[country] === "yes" && effect !== undefined;
    // An ACL with an unknown priority may be evaluated before these.
    const isPlaced = !Number.isNaN(acl.priority);
    const [mayBlock, mayAllow] = [effect?.outcome !== "allowed", effect === undefined || effect.outcome === "allowed"];
    for (let word = 0; word < open.length; word++) {
      const may = open[word]! & addresses.may[word]!;
      if (may === 0) continue;
      if (mayAllow) allowed[word]! |= may;
      if (mayBlock) possible[word]! |= may;
      if (!isSure) continue;
      const yes = may & addresses.yes[word]!;
      ended[word]! |= yes;
      if (isPlaced) passed[word]! |= yes;
    }
    if (mayBlock) onBlocked?.(acl, both(open, addresses.may));
  }
  return { certain: without(both(possible, ended), allowed), possible };
}
