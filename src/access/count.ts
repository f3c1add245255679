/**
 * Counts requests: the one set-up for all shares. A request has a pair of country and address, and other facts that no rule names.
 * For each group of countries that no rule tells apart, the endings are sets of addresses.
 */
import { effectOf, type Result } from "./action";
import {
  cellsOf,
  createAddressSpace,
  drop,
  empty,
  keep,
  type AddressSet,
  type AddressSpace,
  type Cells,
} from "./address-set";
import type { Acl } from "./decide";
import { unnamedFacts, type AccessRequest, type Api } from "./request";
import { coversApi, criteriaOf, unknownProperties, type Criterion, type Rule } from "./rule";
import { all, any, not, type Ternary } from "./ternary";

export interface Count<A extends Acl> {
  readonly line: AddressSpace;
  readonly countries: readonly string[];
  /** The countries, by index, in groups that no rule tells apart. */
  readonly groups: readonly (readonly number[])[];
  /** An ACL, unless it has another scope. */
  candidate(acl: A, api: Api): Candidate<A> | undefined;
}

/** An ACL that can end the evaluation of a request to the API. */
export interface Candidate<A extends Acl> {
  readonly acl: A;
  /** Several if the action is unknown. */
  readonly results: readonly Result[];
  readonly scope: Ternary;
  /** By the index of the country. */
  readonly countries: readonly Ternary[];
  readonly yes: AddressSet;
  readonly may: Cells;
}

/** `acls`: those that can end the evaluation. Each fact that `request` leaves out takes every value, or one that no ACL names. */
export function createCount<A extends Acl>(
  acls: readonly A[],
  request: AccessRequest,
  countries: readonly string[],
): Count<A> {
  const whole = withDefaults(request, acls);
  const line = createAddressSpace(request.ip, acls.flatMap(addressLists));
  const codes = whole.country === undefined ? countries : [whole.country];
  const factors = new Map(acls.map(({ rule }) => [rule, factorsOf(rule, { line, request: whole, countries: codes })]));
  const cells = new Map([...factors].map(([rule, { addresses }]) => [rule, cellsOf(addresses.may)]));
  return {
    line,
    countries: codes,
    groups: countryGroups([...factors.values()], codes.length),
    candidate(acl, api) {
      const scope = coversApi(acl.rule.scope, api);
      const { countries: matched, addresses } = factors.get(acl.rule)!;
      const results = resultsOf(acl.rule.action);
      if (scope === "no") return undefined;
      return { acl, results, scope, countries: matched, yes: addresses.yes, may: cells.get(acl.rule)! };
    },
  };
}

export const isEnding = (action: Rule["action"]) => effectOf(action) !== "logged";

const everyResult: readonly Result[] = [{ outcome: "allowed" }, { outcome: "redirected" }, { outcome: "blocked" }];

function resultsOf(action: Rule["action"]): readonly Result[] {
  const effect = effectOf(action);
  return effect === undefined || effect === "logged" ? everyResult : [effect];
}

/** Without a candidate: no ACL matches. */
export interface Ending<C> {
  readonly candidate?: C;
  readonly results: readonly Result[];
  readonly cells: Cells;
}

/** Evaluates the candidates for the addresses of `within`, as `decide` does for one request. In order of evaluation. */
export function endingsOf<C extends Candidate<Acl>>(
  candidates: readonly C[],
  country: number,
  within: AddressSet,
): Ending<C>[] {
  const endings: Ending<C>[] = [];
  // `open`: no earlier ACL certainly ends the evaluation. `rest`: no ACL does.
  const [open, rest] = [within.slice(), within.slice()];
  let passed: { cells: Cells; yes: AddressSet }[] = [];
  let priority: number | undefined;
  for (const candidate of candidates) {
    const { acl, scope, countries, yes, may, results } = candidate;
    // The order of equal priorities is not known, so all of them see the same requests.
    if (acl.priority !== priority) {
      for (const one of passed) close(open, one.cells, one.yes);
      passed = [];
    }
    priority = acl.priority;
    if (countries[country] === "no") continue;
    const cells = keepCells(may, open);
    if (!cells) continue;
    endings.push({ candidate, results, cells });
    if (results.length > 1 || scope !== "yes" || countries[country] !== "yes") continue;
    close(rest, cells, yes);
    // An ACL with an unknown priority may be evaluated after the others.
    if (!Number.isNaN(acl.priority)) passed.push({ cells, yes });
  }
  return [...endings, { results: [{ outcome: "allowed" }], cells: cellsOf(rest) }];
}

/** Takes the addresses that are in both sets out of `set`. */
function close(set: AddressSet, { words, bits }: Cells, yes: AddressSet): void {
  for (let at = 0; at < words.length; at++) set[words[at]!]! &= ~(bits[at]! & yes[words[at]!]!);
}

/** The part in `set` and not in `without`. Undefined if it is empty. The same object if it is everything. */
export function keepCells(cells: Cells, set: AddressSet, without?: AddressSet): Cells | undefined {
  const { words, bits } = cells;
  const kept = (at: number) => bits[at]! & set[words[at]!]! & (without ? ~without[words[at]!]! : -1);
  let same = 0;
  while (same < words.length && kept(same) === bits[same]) same++;
  if (same === words.length) return same > 0 ? cells : undefined;
  const rest = { words: words.slice(0, same), bits: bits.slice(0, same) };
  for (let at = same; at < words.length; at++) {
    const found = kept(at);
    if (found === 0) continue;
    rest.words.push(words[at]!);
    rest.bits.push(found);
  }
  return rest.words.length > 0 ? rest : undefined;
}

export function commonCells(one: Cells, other: Cells): Cells | undefined {
  const kept: { words: number[]; bits: number[] } = { words: [], bits: [] };
  let at = 0;
  one.words.forEach((word, index) => {
    while (other.words[at]! < word) at++;
    const rest = other.words[at] === word ? one.bits[index]! & other.bits[at]! : 0;
    if (rest === 0) return;
    kept.words.push(word);
    kept.bits.push(rest);
  });
  return kept.words.length > 0 ? kept : undefined;
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
  const constants: Ternary[] = unknownProperties(rule).length > 0 ? ["perhaps"] : [];
  const lists: CountryMatches[] = [];
  const addresses: AddressMatches = { yes: line.whole.slice(), may: line.whole.slice() };
  for (const criterion of bothSides(rule)) {
    const isWanted = criterion.side === "match";
    const turn = (value: Ternary) => (isWanted ? value : not(value));
    const held = matchesOf(criterion, world);
    if (typeof held === "string") constants.push(turn(held));
    else if ("yes" in held) {
      (isWanted ? keep : drop)(addresses.yes, isWanted ? held.yes : held.may);
      (isWanted ? keep : drop)(addresses.may, isWanted ? held.may : held.yes);
    } else
      lists.push({ named: new Map([...held.named].map(([code, is]) => [code, turn(is)])), other: turn(held.other) });
  }
  // Most of 250 countries are named nowhere.
  const at = (code?: string) => all([...constants, ...lists.map(({ named, other }) => named.get(code!) ?? other)]);
  const [rest, named] = [at(), new Set(lists.flatMap((list) => [...list.named.keys()]))];
  return { addresses, countries: world.countries.map((code) => (named.has(code) ? at(code) : rest)) };
}

interface CountryMatches {
  readonly named: ReadonlyMap<string, Ternary>;
  /** For every other country. */
  readonly other: Ternary;
}

/** One value, one value for each country, or the addresses. */
function matchesOf(criterion: Criterion, { line, request }: World): Ternary | CountryMatches | AddressMatches {
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
    return { named: new Map([...upper].map(([code, is]) => [code, weigh(is)])), other: weigh("no") };
  }
  return weigh(signal.matches(texts, request));
}

/** The countries, by index, in groups that no rule tells apart. */
function countryGroups(factors: readonly Factors[], count: number): number[][] {
  const groups = new Map<string, number[]>();
  for (let country = 0; country < count; country++) {
    const key = factors.map(({ countries }) => countries[country]![0]).join("");
    const group = groups.get(key);
    if (group) group.push(country);
    else groups.set(key, [country]);
  }
  return [...groups.values()];
}
