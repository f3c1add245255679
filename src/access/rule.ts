/** One rule: whether it matches a request, and what can be said of it without one. */
import { all, any, not, type Answer } from "./ternary";
import { criteriaOf, hold, written, type Condition, type Criteria, type Rule } from "./criterion";
import { exclusion, extent, pieceOf, type Reading } from "./assumptions";
import { scopeHolds, type AccessRequest } from "./request";

export type { Criteria, Rule };

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

/** `reading`: answers to some questions, for a request that has no facts but those that are given. */
export function matches(rule: Rule, request: AccessRequest, reading?: Reading): Finding {
  const never = reading ? undefined : neverMatches(rule);
  if (never) return { answer: "no", because: never.because };
  const found = [...conditions(rule, request, reading)];
  const answer = all(found.map((condition) => condition.answer));
  return {
    answer,
    // Most rules do not match, and nobody asks those why.
    get because() {
      const words = found.flatMap((condition) => (condition.answer === answer ? condition.because() || [] : []));
      return words.join(", and ") || "the rule has no criteria";
    },
  };
}

/** Whether it matches a request of which all is known, under a reading. */
export function holdsFor(rule: Rule, request: AccessRequest, reading: Reading): boolean {
  for (const { answer } of conditions(rule, request, reading)) if (answer !== "yes") return false;
  return true;
}

/** What must all be so. */
function* conditions(rule: Rule, request: AccessRequest, reading?: Reading): Generator<Condition> {
  yield inScope(rule.scope, request, reading);
  for (const criterion of criteriaOf(rule, "match", reading)) yield hold(criterion, request, reading);
  const excluded = criteriaOf(rule, "not_match", reading);
  if (reading?.get(exclusion) === "all" && excluded.length > 0) {
    yield oneOf(excluded.map((criterion) => reverse(hold(criterion, request, reading))));
  } else {
    for (const criterion of excluded) yield reverse(hold(criterion, request, reading));
  }
  yield* beside(rule, reading);
}

function reverse({ answer, because }: Condition): Condition {
  return { answer: not(answer), because };
}

function oneOf(others: readonly Condition[]): Condition {
  const answer = any(others.map((condition) => condition.answer));
  return others.find((condition) => condition.answer === answer)!;
}

/** The criteria that can never hold together, whatever the request; undefined where that is not certain. */
export function neverMatches(rule: Rule): Contradiction | undefined {
  const wanted = criteriaOf(rule, "match");
  for (const excluded of criteriaOf(rule, "not_match")) {
    const { signal } = excluded;
    if (signal === undefined) continue;
    const same = wanted.find((criterion) => criterion.signal === signal);
    if (same?.open !== undefined) continue;
    if (!signal.exhausted(same && same.texts, excluded.texts)) continue;
    const because = same
      ? `${written(same)} is excluded by ${written(excluded)}: no ${signal.of} is left to match`
      : `${written(excluded)} holds every ${signal.of}: no request is left to match`;
    return { signal: (same ?? excluded).entries[0]!.property, because };
  }
  return undefined;
}

function inScope(scope: string, { api }: AccessRequest, reading: Reading | undefined): Condition {
  const answer = coversApi(scope, api, reading);
  const name = typeof scope === "symbol" ? "that is not known yet" : scope;
  if (answer === "perhaps") return { answer, because: () => `this version does not know the scope ${name}` };
  return { answer, because: () => (answer === "yes" ? "" : `scope ${name} does not cover ${api}`) };
}

/** Whether requests to the API are looked at. */
export function coversApi(scope: string, api: AccessRequest["api"], reading?: Reading): Answer {
  const answer = scopeHolds(scope, api);
  const wide = answer === "perhaps" ? reading?.get(extent(pieceOf("scope", scope))) : undefined;
  return wide === undefined ? answer : wide === "all" ? "yes" : "no";
}

const ownProperties = new Set(["action", "match", "not_match", "scope", "match_all"]);

/** The properties of a rule that this version does not know. */
export function foreignOf(rule: Rule): { readonly name: string; readonly piece: string }[] {
  const others = Object.entries(rule).filter(([name, value]) => value !== undefined && !ownProperties.has(name));
  return others.map(([name, value]) => ({ name, piece: pieceOf(name, value) }));
}

/** What stands in a rule beside `match` and `not_match`. */
function beside(rule: Rule, reading?: Reading): Condition[] {
  const others = foreignOf(rule).map(({ name, piece }): Condition => {
    const wide = reading?.get(extent(piece));
    const answer = wide === undefined ? "perhaps" : wide === "all" ? "yes" : "no";
    return { answer, because: () => `${name} may hold: this version does not know it` };
  });
  const whole: Condition = { answer: "yes", because: () => "match_all holds for every request" };
  return rule.match_all ? [whole, ...others] : others;
}
