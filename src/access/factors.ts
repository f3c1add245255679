/** Splits a rule by country and by address, so that all requests can be counted. */
import { drop, empty, keep, type AddressSet, type AddressSpace } from "./address-set";
import { criteriaOf, type Criterion } from "./rule";
import type { Acl } from "./decide";
import { unnamedFacts, type AccessRequest } from "./request";
import { unknownProperties, type Rule } from "./rule";
import { all, any, not, type Ternary } from "./ternary";

export interface World {
  readonly line: AddressSpace;
  readonly request: AccessRequest;
  readonly countries: readonly string[];
}

/** The request with a value that no ACL names in place of each fact that is not counted: its host name stays unknown. */
export function withDefaults(request: AccessRequest, acls: readonly Acl[]): AccessRequest {
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
  const { country: _counted, hostname: _unknown, ...others } = unnamedFacts(other, asn);
  return {
    ...others,
    ...request,
    ...(country !== undefined && { country: country.toUpperCase() }),
  };
}

function bothSides(rule: Rule): Criterion[] {
  return [...criteriaOf(rule, "match"), ...criteriaOf(rule, "not_match")];
}

const countryCodes = "geo_country_codes";

const isOfAddresses = ({ properties }: Criterion) => /(ipv4|ipv6)_cidrs$/.test(properties[0]!);

export function addressLists({ rule }: Acl): (readonly string[])[] {
  return bothSides(rule).flatMap((criterion) => (isOfAddresses(criterion) ? [criterion.texts] : []));
}

/** A rule in two parts, by country and by address: it matches if both parts match. */
export interface Factors {
  /** By the index of the country. */
  readonly countries: readonly Ternary[];
  readonly addresses: AddressMatches;
}

/** The addresses that certainly match, and those that possibly match. */
export interface AddressMatches {
  readonly yes: AddressSet;
  readonly may: AddressSet;
}

export function factorsOf(rule: Rule, world: World): Factors {
  const { line } = world;
  const constants: Ternary[] = unknownProperties(rule).length > 0 ? ["perhaps"] : [];
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
  if (property === countryCodes && request.country === undefined) {
    const upper = new Map<string, Ternary>();
    for (const text of texts) {
      const code = text.toUpperCase();
      upper.set(code, any([upper.get(code) ?? "no", text === code ? "yes" : "perhaps"]));
    }
    return countries.map((country) => weigh(upper.get(country) ?? "no"));
  }
  return weigh(signal.matches(texts, request));
}

/** The countries, by index, in groups that no rule tells apart. */
export function countryGroups(factors: readonly Factors[], count: number): number[][] {
  const groups = new Map<string, number[]>();
  for (let country = 0; country < count; country++) {
    const key = factors.map(({ countries }) => countries[country]![0]).join("");
    const group = groups.get(key);
    if (group) group.push(country);
    else groups.set(key, [country]);
  }
  return [...groups.values()];
}
