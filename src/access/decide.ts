/** What a set of access control lists does to a request, as the service evaluates them. */
import { not, type Answer } from "./answer";
import { matches, type Rule } from "./rule";
import type { AccessRequest } from "./request";

/** The service's form. */
export interface Acl {
  readonly active: boolean;
  /** The lowest is asked first. The order of two with the same is not known. */
  readonly priority: number;
  readonly rule: Rule;
}

export type Outcome = "allowed" | "blocked" | "redirected";

/** One way in which the evaluation can end. */
export interface Ending<A extends Acl> {
  readonly outcome: Outcome;
  /** The list that does it; left out: none matches. */
  readonly by?: A;
  /** The criteria that decide, in words. */
  readonly because: string;
}

/** The worst that can happen, over all that is not known; of several such endings the last, which is the surest. */
export interface Verdict<A extends Acl> extends Ending<A> {
  /** Whether the outcome stays the same whatever the unknown facts are. */
  readonly certain: boolean;
  /** Whether the request is blocked or redirected. "no" and "yes" are certain. */
  readonly cutOff: Answer;
  /**
   * Every way in which it can end, in order of evaluation. Each fact is weighed for each list anew: two lists that look
   * at the same unknown fact may give endings too many, never too few.
   */
  readonly endings: readonly Ending<A>[];
  /** The lists that certainly record the request and let the evaluation go on. */
  readonly logged: readonly A[];
}

export function decide<A extends Acl>(acls: readonly A[], request: AccessRequest): Verdict<A> {
  const endings: Ending<A>[] = [];
  const recording: A[] = [];
  let decided = Infinity;
  const inOrder = acls.filter(({ active }) => active).toSorted((a, b) => a.priority - b.priority);
  for (const acl of inOrder) {
    if (acl.priority > decided) break;
    const { answer, because } = matches(acl.rule, request);
    if (answer === "no") continue;
    const effect = effectOf(acl.rule.action);
    if (effect === "logged") {
      if (answer === "yes") recording.push(acl);
    } else if (effect === undefined) {
      endings.push({ outcome: "blocked", by: acl, because: `${because}; this version does not know the action` });
    } else {
      endings.push({ outcome: effect, by: acl, because });
      if (answer === "yes") decided = acl.priority;
    }
  }
  if (decided === Infinity) endings.push({ outcome: "allowed", because: "no list matches" });

  const outcomes = new Set(endings.map(({ outcome }) => outcome));
  const worst = (["blocked", "redirected", "allowed"] as const).find((outcome) => outcomes.has(outcome))!;
  const allowed = outcomes.has("allowed") ? (outcomes.size === 1 ? "yes" : "perhaps") : "no";
  const firstEnd = endings[0]!.by?.priority ?? Infinity;
  return {
    ...endings.findLast(({ outcome }) => outcome === worst)!,
    certain: outcomes.size === 1,
    cutOff: not(allowed),
    endings,
    logged: recording.filter(({ priority }) => priority < firstEnd),
  };
}

const effects = new Map<string, Outcome | "logged">([
  ["allow", "allowed"],
  ["block", "blocked"],
  ["log", "logged"],
  ["redirect", "redirected"],
]);

/** undefined: not exactly one of the actions that are known, so that it may do anything. */
function effectOf(action: Rule["action"]): Outcome | "logged" | undefined {
  const [flag, ...more] = Object.keys(action).filter((name) => name !== "redirect_uri" && action[name]);
  return flag !== undefined && more.length === 0 ? effects.get(flag) : undefined;
}
