/** Reads rules: splits them into criteria, one for each signal, matches them against a request, and finds rules that match none. */
import { canonical, hasUnknown, isUnknown } from "../../formats/cty/value";
import type { FactName } from "./facts";
import { not, scopeCovers, type AccessRequest, type Api, type Ternary } from "./request";
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
  if (isUnknown(given)) return [unknownCriterion(side, side, given)];
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
    const isOfKeys = property === signatures && !isUnknown(values[property]) && hasUnknown(one.part);
    return { ...unreadPart(side, property, one.part), ...(isOfKeys && { needsSignature: true as const }) };
  });
  return { side, signal, properties, entries, texts: entries.map(({ text }) => text), unread };
}

const unreadPart = (side: Side, property: string, part: unknown): Unread => ({
  property,
  name: `${side}.${property} ${canonical(part)}`,
  isUnknown: hasUnknown(part),
});

function unknownCriterion(side: Side, property: string, value: unknown): Criterion {
  const unread = [unreadPart(side, property, value)];
  return { side, signal: undefined, properties: [property], entries: [], texts: [], unread };
}

/** What a criterion names. */
export type Named = Pick<Criterion, "side" | "properties" | "entries">;

/** Criteria that certainly exclude each other. Left out: `excluded` alone leaves nothing. */
export interface Contradiction {
  readonly is: "contradiction";
  readonly signal: FactName;
  readonly wanted?: Named;
  readonly excluded: Named;
}

/** Why a rule matches a request, does not match, or may match, by one of its parts. `impact/words/match` words it. */
export type MatchReason =
  /** With the entries that decide. `fact`: that of the request. Left out: not known. Empty: the request has none. */
  | {
      readonly is: "criterion";
      readonly signal: FactName;
      readonly named: Named;
      readonly matches: Ternary;
      readonly fact?: string;
      /** Its properties may be two signals, which must both match. */
      readonly mayBeTwo?: true;
    }
  | {
      readonly is: "unread";
      readonly side: Side;
      readonly properties: readonly string[];
      readonly why: "not known" | "not readable" | "no signal";
    }
  /** Left out: it is not known. */
  | { readonly is: "scope"; readonly scope?: string; readonly api: Api; readonly matches: Ternary }
  | { readonly is: "property"; readonly name: string }
  | { readonly is: "everything" | "unknown action" }
  | Contradiction;

/** Reasons are made on demand, because most are never read. */
interface Match {
  readonly matches: Ternary;
  because?(): MatchReason;
}

export function criterionMatches(criterion: Criterion, request: AccessRequest): Match {
  const { side, signal, properties, texts, unread } = criterion;
  const held = signal ? signal.matches(texts, request) : "no";
  const open = unread.find(({ needsSignature }) => !(needsSignature && request.signature_key === ""));
  if (signal === undefined || (open && held !== "yes")) {
    const why = open?.isUnknown ? "not known" : signal ? "not readable" : "no signal";
    return { matches: "perhaps", because: () => ({ is: "unread", side, properties, why }) };
  }
  const mayBeTwo = held === "yes" && signal.mayBeTwoSignals && side === "match" && properties.length > 1;
  return {
    matches: mayBeTwo ? "perhaps" : held,
    because() {
      const deciding = criterion.entries.filter(({ text }) => signal.matches([text], request) === held);
      const entries = deciding.length > 0 ? deciding : criterion.entries;
      const fact = signal.fact(request);
      return {
        is: "criterion",
        signal: signal.name,
        named: { side, properties, entries },
        matches: held,
        ...(fact !== undefined && { fact }),
        ...(mayBeTwo && { mayBeTwo }),
      };
    },
  };
}

export function matches(rule: Rule, request: AccessRequest): Ternary {
  if (neverMatches(rule)) return "no";
  let matched: Ternary = "yes";
  for (const condition of conditions(rule, request)) {
    if (condition.matches === "no") return "no";
    if (condition.matches === "perhaps") matched = "perhaps";
  }
  return matched;
}

/** The parts of the rule that decide whether it matches. None: it has no criteria. */
export function reasonsOf(rule: Rule, request: AccessRequest): MatchReason[] {
  const never = neverMatches(rule);
  if (never) return [never];
  const matched = matches(rule, request);
  return [...conditions(rule, request)].flatMap((condition) =>
    condition.matches === matched ? (condition.because?.() ?? []) : [],
  );
}

/** The rule matches if all of these match. */
function* conditions(rule: Rule, request: AccessRequest): Generator<Match> {
  yield inScope(rule.scope, request);
  for (const criterion of criteriaOf(rule, "match")) yield criterionMatches(criterion, request);
  for (const criterion of criteriaOf(rule, "not_match")) {
    const match = criterionMatches(criterion, request);
    yield { ...match, matches: not(match.matches) };
  }
  if (rule.match_all) yield { matches: "yes", because: () => ({ is: "everything" }) };
  for (const { name } of unknownProperties(rule))
    yield { matches: "perhaps", because: () => ({ is: "property", name }) };
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
    return {
      is: "contradiction",
      signal: signal.name,
      ...(same && { wanted: named(same) }),
      excluded: named(excluded),
    };
  }
  return undefined;
}

const named = ({ side, properties, entries }: Criterion): Named => ({ side, properties, entries });

function inScope(scope: Rule["scope"], { api }: AccessRequest): Match {
  const matched = scopeCovers(scope, api);
  if (matched === "yes") return { matches: matched };
  const name = isUnknown(scope) ? {} : { scope };
  return { matches: matched, because: () => ({ is: "scope", ...name, api, matches: matched }) };
}

const ownProperties = new Set(["action", "match", "not_match", "scope", "match_all"]);

export function unknownProperties(rule: Rule): { readonly name: string; readonly value: unknown }[] {
  const others = Object.entries(rule).filter(([name, value]) => value !== undefined && !ownProperties.has(name));
  return others.map(([name, value]: [string, unknown]) => ({ name, value }));
}
