/** What a rule does to the requests that it matches. */
import { effect, pieceOf, target, type Assumptions } from "./assumptions";
import type { Rule } from "./rule";

export type Outcome = "allowed" | "blocked" | "redirected";

/** Of an action that ends the evaluation. */
export interface Result {
  readonly outcome: Outcome;
  readonly redirect_uri?: string;
}

const outcomes = new Map<string, Outcome | "logged">([
  ["allow", "allowed"],
  ["block", "blocked"],
  ["log", "logged"],
  ["redirect", "redirected"],
]);

/** undefined: not exactly one of the actions that are known, so that it may do anything, unless a assumptions says what. */
export function effectOf(action: Rule["action"], assumptions?: Assumptions): Result | "logged" | undefined {
  const taken = flagOf(action) ?? assumptions?.get(effect(pieceOf("action", action))) ?? "";
  const isNamed = taken.startsWith(redirectTo);
  const outcome = isNamed ? "redirected" : outcomes.get(taken);
  if (outcome !== "redirected") return outcome === undefined || outcome === "logged" ? outcome : { outcome };
  const uri: unknown = isNamed ? taken.slice(redirectTo.length) : action["redirect_uri"];
  const redirect_uri = typeof uri === "string" ? uri : assumptions?.get(target(pieceOf("redirect_uri", uri)));
  return { outcome, ...(redirect_uri !== undefined && { redirect_uri }) };
}

/** The one flag that is set; undefined where it is not one that is known. What is not known at all has no keys. */
export function flagOf(action: Rule["action"]): string | undefined {
  const [flag, ...more] = Object.keys(action).filter((name) => name !== "redirect_uri" && action[name]);
  const known = flag !== undefined && more.length === 0 && typeof action[flag] !== "symbol";
  return known && outcomes.has(flag) ? flag : undefined;
}

export const flags: readonly string[] = [...outcomes.keys()];

/** What an action that is not known may be besides: a redirect to where others lead. */
export const redirectTo = "redirect to ";

export function sameResult(one: Result, other: Result): boolean {
  return one.outcome === other.outcome && one.redirect_uri === other.redirect_uri;
}
