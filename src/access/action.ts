/** Reads the action of a rule. */
import { effect, pieceOf, target, type Assumptions } from "./assumptions";
import type { Rule } from "./rule";

export type Outcome = "allowed" | "blocked" | "redirected";

/** The result of an action that ends the evaluation. */
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

/** Undefined if the action is unknown and no assumption names one: then it may do anything. */
export function effectOf(action: Rule["action"], assumptions?: Assumptions): Result | "logged" | undefined {
  const taken = flagOf(action) ?? assumptions?.get(effect(pieceOf("action", action))) ?? "";
  const isNamed = taken.startsWith(redirectTo);
  const outcome = isNamed ? "redirected" : outcomes.get(taken);
  if (outcome !== "redirected") return outcome === undefined || outcome === "logged" ? outcome : { outcome };
  const uri: unknown = isNamed ? taken.slice(redirectTo.length) : action["redirect_uri"];
  const redirect_uri = typeof uri === "string" ? uri : assumptions?.get(target(pieceOf("redirect_uri", uri)));
  return { outcome, ...(redirect_uri !== undefined && { redirect_uri }) };
}

/** How ACLs are read: what an action means for a request that its rule matches, and what holds if no rule matches. */
export interface Reading {
  /** Undefined: the evaluation continues. */
  of(action: Rule["action"], assumptions: Assumptions): Result | undefined;
  readonly otherwise: Result;
}

/** An unknown action that no assumption names blocks. */
export const effectUnder = (action: Rule["action"], assumptions: Assumptions): Result | "logged" =>
  effectOf(action, assumptions) ?? { outcome: "blocked" };

export const byOutcome: Reading = {
  of(action, assumptions) {
    const meant = effectUnder(action, assumptions);
    return meant === "logged" ? undefined : meant;
  },
  otherwise: { outcome: "allowed" },
};

/** Whether the tenant records a request: it records logged and blocked ones. "blocked" stands for recorded. */
export const byRecord: Reading = {
  of(action, assumptions) {
    const meant = effectUnder(action, assumptions);
    return { outcome: meant === "logged" || meant.outcome === "blocked" ? "blocked" : "allowed" };
  },
  otherwise: { outcome: "allowed" },
};

/** The flag that is set. Undefined unless it is exactly one known flag. An unknown action has no keys. */
export function flagOf(action: Rule["action"]): string | undefined {
  const [flag, ...more] = Object.keys(action).filter((name) => name !== "redirect_uri" && action[name]);
  const known = flag !== undefined && more.length === 0 && typeof action[flag] !== "symbol";
  return known && outcomes.has(flag) ? flag : undefined;
}

export const flags: readonly string[] = [...outcomes.keys()];

/** Prefix of an assumption: the unknown action redirects to the target of another rule. */
export const redirectTo = "redirect to ";

export function sameResult(one: Result, other: Result): boolean {
  return one.outcome === other.outcome && one.redirect_uri === other.redirect_uri;
}
