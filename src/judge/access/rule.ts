/** Reads rules: splits them into criteria, one for each signal, matches them against a request, and finds rules that match none. */
import { canonical, unknownIn } from "../../formats/cty/value";
import { not, scopeCovers, type AccessRequest, type Ternary } from "./request";
import { entriesOf, signals, signatures, type Signal } from "./signal";

/** A value, or a symbol if it is not known. Symbols of one name stand for equal values. */
export type Possibly<T> = T | symbol;

/** None if the value is not known. */
export const partsOf = (value: Possibly<Criteria> | undefined): Criteria => (typeof value === "object" ? value : {});

/** The service's form. Any other property may match. */
export interface Rule {
  /** Its flags, and the target of a redirect. */
  readonly action: Possibly<Criteria>;
  /** All signals must match. */
  readonly match?: Possibly<Criteria>;
  /** No signal may match. */
  readonly not_match?: Possibly<Criteria>;
  /** Matches every request. Replaces the other two. */
  readonly match_all?: Possibly<boolean>;
  readonly scope: Possibly<string>;
  readonly [property: string]: unknown;
}

export interface Criteria {
  readonly [property: string]: unknown;
}

export const sides = ["match", "not_match"] as const;

type Side = (typeof sides)[number];

/** The entries of one signal. */
export interface Criterion {
  readonly side: Side;
  /** undefined: an unknown property. */
  readonly signal: Signal | undefined;
  readonly properties: readonly string[];
  readonly entries: readonly { readonly property: string; readonly text: string }[];
  readonly texts: readonly string[];
  /** The parts that this version cannot read: each may match any request. */
  readonly unread: readonly Unread[];
}

export interface Unread {
  readonly property: string;
  /** Equal for parts with the same value, whatever that is. */
  readonly name: string;
  readonly isUnknown: boolean;
  /** Only signed requests can match the part, because it names keys. */
  readonly needsSignature?: true;
}

const known = new WeakMap<Rule, Map<string, readonly Criterion[]>>();

/** Cached for each rule, because rules never change. */
export function criteriaOf(rule: Rule, side: Side): readonly Criterion[] {
  const made = known.get(rule) ?? new Map<string, readonly Criterion[]>();
  known.set(rule, made);
  const criteria = made.get(side) ?? readCriteria(rule[side] ?? {}, side);
  made.set(side, criteria);
  return criteria;
}

/** Those of both sides. */
export const criteriaIn = (rule: Rule): readonly Criterion[] => sides.flatMap((side) => criteriaOf(rule, side));

function readCriteria(given: unknown, side: Side): Criterion[] {
  if (typeof given === "symbol") return [unknownCriterion(side, side, given)];
  const values = given as Criteria;
  const names = Object.keys(values).filter((name) => values[name] !== undefined);
  const owners = new Set(names.map((name) => signals.find(({ properties }) => properties.includes(name)) ?? name));
  return [...owners].flatMap((owner) => {
    if (typeof owner === "string") return [unknownCriterion(side, owner, values[owner])];
    const properties = owner.properties.filter((property) => names.includes(property));
    return [readCriterion(side, owner, properties, values)];
  });
}

function readCriterion(side: Side, signal: Signal, properties: readonly string[], values: Criteria): Criterion {
  const lists = properties.map((property) => ({ property, ...entriesOf(property, values[property]) }));
  const entries = lists.flatMap(({ property, texts: own }) => own.map((text) => ({ property, text })));
  const unread = lists.flatMap(({ property, unread: one }) => {
    if (!one) return [];
    const isOfKeys = property === signatures && typeof values[property] !== "symbol" && isOpen(one.part);
    return { ...unreadPart(side, property, one.part), ...(isOfKeys && { needsSignature: true as const }) };
  });
  return { side, signal, properties, entries, texts: entries.map(({ text }) => text), unread };
}

const isOpen = (part: unknown) => unknownIn(part) !== undefined;

const unreadPart = (side: Side, property: string, part: unknown): Unread => ({
  property,
  name: `${side}.${property} ${canonical(part)}`,
  isUnknown: isOpen(part),
});

function unknownCriterion(side: Side, property: string, value: unknown): Criterion {
  const unread = [unreadPart(side, property, value)];
  return { side, signal: undefined, properties: [property], entries: [], texts: [], unread };
}

/** A result and its reason. Most reasons are never needed, so they are made on demand. */
export interface Match {
  readonly matches: Ternary;
  because(): string;
}

export function criterionMatches(criterion: Criterion, request: AccessRequest): Match {
  const { side, signal, properties, texts, unread } = criterion;
  const held = signal ? signal.matches(texts, request) : "no";
  const open = unread.find(({ needsSignature }) => !(needsSignature && request.signature_key === ""));
  if (signal === undefined || (open && held !== "yes")) {
    const strange = signal ? "this version cannot read its value" : "this version does not know the signal";
    const why = open?.isUnknown ? "its value is not known yet" : strange;
    return { matches: "perhaps", because: () => `${side}.${properties.join(" and ")} may match: ${why}` };
  }
  const doubted = held === "yes" && signal.mayBeTwoSignals && side === "match" && properties.length > 1;
  return {
    matches: doubted ? "perhaps" : held,
    because() {
      const words = wordsOf(criterion, signal, held, request);
      return doubted ? `${words}, but maybe ${properties.join(" and ")} must both match` : words;
    },
  };
}

function wordsOf(criterion: Criterion, signal: Signal, held: Ternary, request: AccessRequest): string {
  const deciding = criterion.entries.filter(({ text }) => signal.matches([text], request) === held);
  const entries = deciding.length > 0 ? deciding : criterion.entries;
  const subject = describe({ ...criterion, entries });
  const isOne = entries.every(({ property }) => property === entries[0]!.property);
  const fact = signal.fact(request);
  const object = `the ${signal.noun} ${fact ?? ""}`.trim() + (fact === "" ? ", which is missing" : "");
  if (held === "yes") return `${subject} ${isOne ? "matches" : "match"} ${object}`;
  if (held === "no") return `${subject} ${isOne ? "does" : "do"} not match ${object}`;
  return `${subject} may match ${object}, ${fact === undefined ? "which is not known" : signal.mayMatchIf}`;
}

/** `match.ipv4_cidrs 192.0.2.0/24, 203.0.113.7`, with at most four entries. */
export function describe({ side, properties, entries }: Criterion): string {
  const lists = properties.map((property) => {
    const own = entries.filter((entry) => entry.property === property).map(({ text }) => shownEntry(text));
    const shown = own.length > 4 ? [...own.slice(0, 3), `${own.length - 3} more`] : own;
    return { property, shown };
  });
  const named = lists.filter(({ shown }) => shown.length > 0);
  if (named.length === 0) return `${side}.${properties.join(" and ")} without entries`;
  return named.map(({ property, shown }) => `${side}.${property} ${shown.join(", ")}`).join(" and ");
}

/** Quoted if it looks like several entries, or begins or ends with a space. */
export function shownEntry(text: string): string {
  return /[,"\n\r\t]|^\s|\s$|^$/.test(text) ? JSON.stringify(text) : text;
}

export interface RuleMatch {
  readonly matches: Ternary;
  readonly because: string;
}

export interface Contradiction {
  /** The property to correct, such as ipv4_cidrs. */
  readonly signal: string;
  readonly because: string;
}

export function matches(rule: Rule, request: AccessRequest): RuleMatch {
  const never = neverMatches(rule);
  if (never) return { matches: "no", because: never.because };
  const matched = matchedBy(conditions(rule, request));
  return {
    matches: matched,
    // Most reasons are never read, so the conditions after the first that does not match are evaluated only for the reason.
    get because() {
      const found = [...conditions(rule, request)];
      const words = found.flatMap((condition) => (condition.matches === matched ? condition.because() || [] : []));
      return words.join(", and ") || "the rule has no criteria";
    },
  };
}

function matchedBy(found: Iterable<Match>): Ternary {
  let matched: Ternary = "yes";
  for (const condition of found) {
    if (condition.matches === "no") return "no";
    if (condition.matches === "perhaps") matched = "perhaps";
  }
  return matched;
}

/** The rule matches if all of these match. */
function* conditions(rule: Rule, request: AccessRequest): Generator<Match> {
  yield inScope(rule.scope, request);
  for (const criterion of criteriaOf(rule, "match")) yield criterionMatches(criterion, request);
  for (const criterion of criteriaOf(rule, "not_match")) yield reverse(criterionMatches(criterion, request));
  yield* otherConditions(rule);
}

function reverse({ matches: matched, because }: Match): Match {
  return { matches: not(matched), because };
}

/** Criteria that certainly exclude each other. */
export function neverMatches(rule: Rule): Contradiction | undefined {
  const wanted = criteriaOf(rule, "match");
  for (const excluded of criteriaOf(rule, "not_match")) {
    const { signal } = excluded;
    if (signal === undefined) continue;
    const same = wanted.find((criterion) => criterion.signal === signal);
    if (same && same.unread.length > 0) continue;
    if (!signal.matchesNothing(same && same.texts, excluded.texts)) continue;
    const because = same
      ? `${describe(same)} is excluded by ${describe(excluded)}: no ${signal.noun} is left to match`
      : `${describe(excluded)} matches every ${signal.noun}: no request is left to match`;
    return { signal: (same ?? excluded).entries[0]!.property, because };
  }
  return undefined;
}

function inScope(scope: Rule["scope"], { api }: AccessRequest): Match {
  const matched = scopeCovers(scope, api);
  const name = typeof scope === "symbol" ? "that is not known yet" : scope;
  if (matched === "perhaps") return { matches: matched, because: () => `this version does not know the scope ${name}` };
  return { matches: matched, because: () => (matched === "yes" ? "" : `scope ${name} does not cover ${api}`) };
}

const ownProperties = new Set(["action", "match", "not_match", "scope", "match_all"]);

export function unknownProperties(rule: Rule): { readonly name: string; readonly value: unknown }[] {
  const others = Object.entries(rule).filter(([name, value]) => value !== undefined && !ownProperties.has(name));
  return others.map(([name, value]: [string, unknown]) => ({ name, value }));
}

function otherConditions(rule: Rule): Match[] {
  const others = unknownProperties(rule).map(({ name }): Match => {
    return { matches: "perhaps", because: () => `${name} may match: this version does not know it` };
  });
  const whole: Match = { matches: "yes", because: () => "match_all matches every request" };
  return rule.match_all ? [whole, ...others] : others;
}
