/** Reads the action of a rule. */
import type { Rule } from "./rule";

export type Outcome = "allowed" | "blocked" | "redirected";

/** The result of an action that ends the evaluation. */
export interface Result {
  readonly outcome: Outcome;
  /** Left out: it is not known. */
  readonly redirect_uri?: string;
}

const outcomes = new Map<string, Outcome | "logged">([
  ["allow", "allowed"],
  ["block", "blocked"],
  ["log", "logged"],
  ["redirect", "redirected"],
]);

/** Undefined if the action is unknown: then it may do anything. */
export function effectOf(action: Rule["action"]): Result | "logged" | undefined {
  const outcome = outcomes.get(flagOf(action) ?? "");
  if (outcome !== "redirected") return outcome === undefined || outcome === "logged" ? outcome : { outcome };
  const uri: unknown = action["redirect_uri"];
  return { outcome, ...(typeof uri === "string" && { redirect_uri: uri }) };
}

/** The flag that is set. Undefined unless it is exactly one known flag. An unknown action has no keys. */
export function flagOf(action: Rule["action"]): string | undefined {
  const [flag, ...more] = Object.keys(action).filter((name) => name !== "redirect_uri" && action[name]);
  const known = flag !== undefined && more.length === 0 && typeof action[flag] !== "symbol";
  return known && outcomes.has(flag) ? flag : undefined;
}

export function sameResult(one: Result, other: Result): boolean {
  return one.outcome === other.outcome && one.redirect_uri === other.redirect_uri;
}
