/** One rule: whether it matches a request, and what can be said of it without one. */
import { all, not, type Answer } from "./answer";
import { scopeHolds, type AccessRequest } from "./request";
import { entriesOf, signals, type Signal } from "./signal";

/** The service's form. Properties that this version does not know are read as criteria that match perhaps. */
export interface Rule {
  readonly action: { readonly [flag: string]: unknown };
  /** Matches if all signals hold. */
  readonly match?: Criteria;
  /** Matches if no signal holds. */
  readonly not_match?: Criteria;
  /** Matches every request; stands in place of the other two. */
  readonly match_all?: boolean;
  readonly scope: string;
}

export interface Criteria {
  readonly [property: string]: unknown;
}

export interface Finding {
  readonly answer: Answer;
  /** The criteria that decide, in words. */
  readonly because: string;
}

export interface Contradiction {
  /** The property at fault, such as ipv4_cidrs. */
  readonly signal: string;
  readonly because: string;
}

export function matches(rule: Rule, request: AccessRequest): Finding {
  const never = neverMatches(rule);
  if (never) return { answer: "no", because: never.because };
  const findings = [
    inScope(rule.scope, request),
    ...criteriaOf(rule, "match").map((criterion) => hold(criterion, request)),
    ...criteriaOf(rule, "not_match")
      .map((criterion) => hold(criterion, request))
      .map(({ answer, because }) => ({ answer: not(answer), because })),
    ...beside(rule),
  ];
  const answer = all(findings.map((finding) => finding.answer));
  const deciding = findings.filter((finding) => finding.answer === answer && finding.because !== "");
  return { answer, because: deciding.map(({ because }) => because).join(", and ") || "the rule has no criteria" };
}

/**
 * Why a rule matches every request of its scope, but for exceptions in `not_match` and, where the words say so, but for
 * the other address family; undefined if `match` narrows it.
 */
export function matchesAnything(rule: Rule): string | undefined {
  if (neverMatches(rule) || beside(rule).some(({ answer }) => answer !== "yes")) return undefined;
  const wanted = criteriaOf(rule, "match");
  const wholes = wanted.map((criterion) => criterion.signal?.wholes(texts(criterion)) ?? []);
  if (wholes.some((held) => held.length === 0)) return undefined;
  const held = wanted.map((criterion, index) => `${written(criterion)} holds ${wholes[index]!.join(" and ")}`);
  const why =
    held.join(", and ") || (rule.match_all ? "match_all holds for every request" : "it has no match criteria");
  const exceptions = criteriaOf(rule, "not_match").map(written);
  return exceptions.length > 0 ? `${why}; the only exceptions are ${exceptions.join(" and ")}` : why;
}

/** The criteria that can never hold together, whatever the request; undefined where that is not certain. */
export function neverMatches(rule: Rule): Contradiction | undefined {
  const wanted = criteriaOf(rule, "match");
  for (const excluded of criteriaOf(rule, "not_match")) {
    const { signal } = excluded;
    if (signal === undefined) continue;
    const same = wanted.find((criterion) => criterion.signal === signal);
    if (same?.entries.length === 0) continue;
    if (!signal.exhausted(same && texts(same), texts(excluded))) continue;
    const because = same
      ? `${written(same)} is excluded by ${written(excluded)}: no ${signal.of} is left to match`
      : `${written(excluded)} holds every ${signal.of}: no request is left to match`;
    return { signal: (same ?? excluded).entries[0]!.property, because };
  }
  return undefined;
}

type Side = "match" | "not_match";

/** What a side says of one signal. */
interface Criterion {
  readonly side: Side;
  /** undefined: a property that this version does not know. */
  readonly signal: Signal | undefined;
  readonly properties: readonly string[];
  /** None: not known, or not in a known form. */
  readonly entries: readonly { readonly property: string; readonly text: string }[];
}

function criteriaOf(rule: Rule, side: Side): Criterion[] {
  const given = rule[side] ?? {};
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  const owners = new Set(names.map((name) => signals.find(({ properties }) => properties.includes(name)) ?? name));
  return [...owners].map((owner) => {
    if (typeof owner === "string") return { side, signal: undefined, properties: [owner], entries: [] };
    const properties = owner.properties.filter((property) => names.includes(property));
    const lists = properties.map((property) => entriesOf(property, given[property]));
    const entries = lists.flatMap((list, index) => list?.map((text) => ({ property: properties[index]!, text })) ?? []);
    return { side, signal: owner, properties, entries: lists.includes(undefined) ? [] : entries };
  });
}

function hold(criterion: Criterion, request: AccessRequest): Finding {
  const { side, signal, properties, entries } = criterion;
  if (signal === undefined || entries.length === 0) {
    const unread = signal ? "cannot read what it says" : "does not know the signal";
    return { answer: "perhaps", because: `${side}.${properties.join(" and ")} may hold: this version ${unread}` };
  }
  const answer = signal.holds(texts(criterion), request);
  const deciding = entries.filter(({ text }) => signal.holds([text], request) === answer);
  const subject = written({ ...criterion, entries: deciding.length > 0 ? deciding : entries });
  const fact = signal.fact(request);
  const object = `the ${signal.of} ${fact ?? ""}`.trim() + (fact === "" ? ", which is missing" : "");
  if (answer === "yes" && signal.loosePair && side === "match" && properties.length > 1) {
    const because = `${subject} holds ${object}, but perhaps ${properties.join(" and ")} must both hold`;
    return { answer: "perhaps", because };
  }
  if (answer === "yes") return { answer, because: `${subject} holds ${object}` };
  if (answer === "no") return { answer, because: `${subject} does not hold ${object}` };
  const doubt = fact === undefined ? "which is not known" : signal.doubt;
  return { answer, because: `${subject} may hold ${object}, ${doubt}` };
}

function inScope(scope: string, { api }: AccessRequest): Finding {
  const answer = scopeHolds(scope, api);
  if (answer === "perhaps") return { answer, because: `this version does not know the scope ${scope}` };
  return { answer, because: answer === "yes" ? "" : `scope ${scope} does not cover ${api}` };
}

const known = new Set(["action", "match", "not_match", "scope", "match_all"]);

/** What stands in a rule beside `match` and `not_match`. */
function beside(rule: Rule): Finding[] {
  const foreign = Object.entries(rule).filter(([name, value]) => value !== undefined && !known.has(name));
  const findings = foreign.map(([name]): Finding => {
    return { answer: "perhaps", because: `${name} may hold: this version does not know it` };
  });
  return rule.match_all ? [{ answer: "yes", because: "match_all holds for every request" }, ...findings] : findings;
}

function texts({ entries }: Criterion): string[] {
  return entries.map(({ text }) => text);
}

/** `match.ipv4_cidrs 192.0.2.0/24, 203.0.113.7`, long lists cut short. */
function written({ side, properties, entries }: Criterion): string {
  const lists = properties.map((property) => {
    const own = entries.filter((entry) => entry.property === property).map(({ text }) => text);
    const shown = own.length > 4 ? [...own.slice(0, 3), `${own.length - 3} more`] : own;
    return { property, shown };
  });
  const told = lists.filter(({ shown }) => shown.length > 0 || entries.length === 0);
  return told.map(({ property, shown }) => `${side}.${property} ${shown.join(", ")}`.trim()).join(" and ");
}
