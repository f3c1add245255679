/** Matches one rule against a request, and finds rules that match none. */
import { not, type Ternary } from "./ternary";
import { criteriaOf, criterionMatches, describe, type Match, type Criteria, type Rule } from "./criterion";
import { extent, pieceOf, type Assumptions } from "./assumptions";
import { scopeCovers, type AccessRequest } from "./request";

export type { Criteria, Rule };

export interface RuleMatch {
  readonly matches: Ternary;
  readonly because: string;
}

export interface Contradiction {
  /** The property to correct, such as ipv4_cidrs. */
  readonly signal: string;
  readonly because: string;
}

/** With `assumptions`, the request has only the given facts. */
export function matches(rule: Rule, request: AccessRequest, assumptions?: Assumptions): RuleMatch {
  const never = assumptions ? undefined : neverMatches(rule);
  if (never) return { matches: "no", because: never.because };
  const matched = matchedBy(conditions(rule, request, assumptions));
  return {
    matches: matched,
    // Most reasons are never read, so the conditions after the first that does not match are evaluated only for the reason.
    get because() {
      const found = [...conditions(rule, request, assumptions)];
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

/** Whether the rule matches a request with all facts known. */
export function matchesUnder(rule: Rule, request: AccessRequest, assumptions: Assumptions): boolean {
  for (const { matches: matched } of conditions(rule, request, assumptions)) if (matched !== "yes") return false;
  return true;
}

/** The rule matches if all of these match. */
function* conditions(rule: Rule, request: AccessRequest, assumptions?: Assumptions): Generator<Match> {
  yield inScope(rule.scope, request, assumptions);
  for (const criterion of criteriaOf(rule, "match", assumptions))
    yield criterionMatches(criterion, request, assumptions);
  for (const criterion of criteriaOf(rule, "not_match", assumptions))
    yield reverse(criterionMatches(criterion, request, assumptions));
  yield* otherConditions(rule, assumptions);
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
    if (same?.unreadable !== undefined) continue;
    if (!signal.matchesNothing(same && same.texts, excluded.texts)) continue;
    const because = same
      ? `${describe(same)} is excluded by ${describe(excluded)}: no ${signal.noun} is left to match`
      : `${describe(excluded)} matches every ${signal.noun}: no request is left to match`;
    return { signal: (same ?? excluded).entries[0]!.property, because };
  }
  return undefined;
}

function inScope(scope: string, { api }: AccessRequest, assumptions: Assumptions | undefined): Match {
  const matched = coversApi(scope, api, assumptions);
  const name = typeof scope === "symbol" ? "that is not known yet" : scope;
  if (matched === "perhaps") return { matches: matched, because: () => `this version does not know the scope ${name}` };
  return { matches: matched, because: () => (matched === "yes" ? "" : `scope ${name} does not cover ${api}`) };
}

export function coversApi(scope: string, api: AccessRequest["api"], assumptions?: Assumptions): Ternary {
  const matched = scopeCovers(scope, api);
  const wide = matched === "perhaps" ? assumptions?.get(extent(pieceOf("scope", scope))) : undefined;
  return wide === undefined ? matched : wide === "all" ? "yes" : "no";
}

const ownProperties = new Set(["action", "match", "not_match", "scope", "match_all"]);

export function unknownProperties(rule: Rule): { readonly name: string; readonly piece: string }[] {
  const others = Object.entries(rule).filter(([name, value]) => value !== undefined && !ownProperties.has(name));
  return others.map(([name, value]) => ({ name, piece: pieceOf(name, value) }));
}

function otherConditions(rule: Rule, assumptions?: Assumptions): Match[] {
  const others = unknownProperties(rule).map(({ name, piece }): Match => {
    const wide = assumptions?.get(extent(piece));
    const matched = wide === undefined ? "perhaps" : wide === "all" ? "yes" : "no";
    return { matches: matched, because: () => `${name} may match: this version does not know it` };
  });
  const whole: Match = { matches: "yes", because: () => "match_all matches every request" };
  return rule.match_all ? [whole, ...others] : others;
}
