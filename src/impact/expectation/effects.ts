/** The expectations that a plan breaks, as effects. */
import { clipped } from "../clipped";
import type { Cause, Effect } from "../verdict/effect";
import type { Expectation } from "./expectation";
import type { JudgedCause, JudgedExpectation } from "./judged";

export function expectationEffects(judged: readonly JudgedExpectation[]): Effect[] {
  return judged
    .filter(({ verdict, already }) => verdict === "broken" && !already)
    .map(({ expectation, text, cause, assumptions, counterexample }) => ({
      kind: "expectation",
      level: expectation.severity === "warning" ? "medium" : "high",
      apis: [],
      share: null,
      who: `the expectation "${clipped(expectation.name)}"`,
      text: `Breaks the expectation "${clipped(expectation.name)}": ${text.replace(/^A(?= )/, "a")}`,
      cause: causeOf(cause, expectation),
      certainty: assumptions.length === 0 ? "certain" : "possible",
      assumptions,
      examples: counterexample ? [counterexample] : [],
    }));
}

const verbs = { requests: "decides this request", policy: "sets this limit", members: "sets these members" };

/** The first object that a plan manages. The text names an unmanaged object. */
function causeOf(all: readonly JudgedCause[], { statement: { kind } }: Expectation): Cause[] {
  const index = all.findIndex(({ address }) => address !== undefined);
  const { address, plan } = all[index] ?? {};
  if (address === undefined) return [];
  const words = kind === "requests" && index > 0 ? "decided this request before" : verbs[kind];
  return [{ address, ...(plan !== undefined && { plan }), words }];
}
