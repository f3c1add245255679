/** What a set of access control lists does to a request, as the service evaluates them. */
import { effectOf, type Result, type Outcome } from "./action";
import { not, type Ternary } from "./ternary";
import { position, precedence, type Assumptions } from "./assumptions";
import { matchesUnder, matches, type Rule } from "./rule";
import type { AccessRequest } from "./request";

/** The service's form. */
export interface Acl {
  readonly active: boolean;
  /** The lowest is asked first. The order of two with the same is not known. NaN: not known itself. */
  readonly priority: number;
  readonly rule: Rule;
  /** The same before and after a change; by it combinations tell lists apart whose order is open. */
  readonly key?: string;
}

/** One way in which the evaluation can end. */
export interface Ending<A extends Acl> {
  readonly outcome: Outcome;
  /** Where to, of a redirect. */
  readonly redirect_uri?: string;
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
  readonly denied: Ternary;
  /**
   * Every way in which it can end, in order of evaluation. Each fact is weighed for each list anew: two lists that look
   * at the same unknown fact may give endings too many, never too few.
   */
  readonly endings: readonly Ending<A>[];
}

/** The worst last. */
const everyOutcome = ["allowed", "redirected", "blocked"] as const;

/** `assumptions`: answers to some uncertainties, for a request that has no facts but those that are given. The rest stays open. */
export function decide<A extends Acl>(
  acls: readonly A[],
  request: AccessRequest,
  assumptions?: Assumptions,
): Verdict<A> {
  const endings: Ending<A>[] = [];
  let decided = Infinity;
  for (const acl of inOrder(acls)) {
    if (acl.priority > decided) break;
    const found = matches(acl.rule, request, assumptions);
    if (found.matches === "no") continue;
    const { matches: answer, because } = found;
    const effect = effectOf(acl.rule.action);
    if (effect === "logged") continue;
    if (effect === undefined) {
      const words = `${because}; this version does not know the action`;
      for (const outcome of everyOutcome) endings.push({ outcome, by: acl, because: words });
    } else {
      endings.push({ ...effect, by: acl, because });
      if (answer === "yes") decided = acl.priority;
    }
  }
  if (decided === Infinity) endings.push({ outcome: "allowed", because: "no list matches" });

  const outcomes = new Set(endings.map(({ outcome }) => outcome));
  const worst = everyOutcome.findLast((outcome) => outcomes.has(outcome))!;
  const allowed = outcomes.has("allowed") ? (outcomes.size === 1 ? "yes" : "perhaps") : "no";
  return {
    ...endings.findLast(({ outcome }) => outcome === worst)!,
    certain: outcomes.size === 1,
    denied: not(allowed),
    endings,
  };
}

/** All that may become of the request: "blocked", or "blocked or allowed" where what is not known decides. */
export function outcomesOf({ endings }: Pick<Verdict<Acl>, "endings">): string {
  return [...new Set(endings.map(({ outcome }) => outcome))].join(" or ");
}

/** The one ending of a request of which all is known, under a assumptions, and without words. */
export function endOf<A extends Acl>(
  acls: readonly A[],
  request: AccessRequest,
  assumptions: Assumptions,
): Result & { by?: A } {
  for (const acl of inOrder(acls, assumptions)) {
    if (!matchesUnder(acl.rule, request, assumptions)) continue;
    const effect = effectOf(acl.rule.action, assumptions) ?? { outcome: "blocked" };
    if (effect !== "logged") return { ...effect, by: acl };
  }
  return { outcome: "allowed" };
}

/** The lists that are asked, first to last. */
export function inOrder<A extends Acl>(acls: readonly A[], assumptions?: Assumptions): A[] {
  const first = assumptions?.get(precedence);
  const ranks = new Map((first ? (JSON.parse(first) as string[]) : []).map((key, rank) => [key, rank]));
  const rankOf = (acl: Acl) => ranks.get(acl.key ?? "") ?? 0;
  const placeOf = ({ priority, key }: Acl) =>
    Number.isNaN(priority) ? Number(assumptions?.get(position(key ?? "")) ?? 0) : priority;
  return acls.filter(({ active }) => active).toSorted((a, b) => placeOf(a) - placeOf(b) || rankOf(a) - rankOf(b));
}
