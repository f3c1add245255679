/** What a set of access control lists does to a request, as the service evaluates them. */
import { effectOf, type End, type Outcome } from "./action";
import { not, type Answer } from "./ternary";
import { place, precedence, type Reading } from "./assumptions";
import { holdsFor, matches, type Rule } from "./rule";
import type { AccessRequest } from "./request";

/** The service's form. */
export interface Acl {
  readonly active: boolean;
  /** The lowest is asked first. The order of two with the same is not known. NaN: not known itself. */
  readonly priority: number;
  readonly rule: Rule;
  /** The same before and after a change; by it readings tell lists apart whose order is open. */
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
  readonly cutOff: Answer;
  /**
   * Every way in which it can end, in order of evaluation. Each fact is weighed for each list anew: two lists that look
   * at the same unknown fact may give endings too many, never too few.
   */
  readonly endings: readonly Ending<A>[];
}

/** The worst last. */
const everyOutcome = ["allowed", "redirected", "blocked"] as const;

/** `reading`: answers to some questions, for a request that has no facts but those that are given. The rest stays open. */
export function decide<A extends Acl>(acls: readonly A[], request: AccessRequest, reading?: Reading): Verdict<A> {
  const endings: Ending<A>[] = [];
  let decided = Infinity;
  for (const acl of inOrder(acls)) {
    if (acl.priority > decided) break;
    const found = matches(acl.rule, request, reading);
    if (found.answer === "no") continue;
    const { answer, because } = found;
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
    cutOff: not(allowed),
    endings,
  };
}

/** All that may become of the request: "blocked", or "blocked or allowed" where what is not known decides. */
export function outcomesOf({ endings }: Pick<Verdict<Acl>, "endings">): string {
  return [...new Set(endings.map(({ outcome }) => outcome))].join(" or ");
}

/** The one ending of a request of which all is known, under a reading, and without words. */
export function endOf<A extends Acl>(acls: readonly A[], request: AccessRequest, reading: Reading): End & { by?: A } {
  for (const acl of inOrder(acls, reading)) {
    if (!holdsFor(acl.rule, request, reading)) continue;
    const effect = effectOf(acl.rule.action, reading) ?? { outcome: "blocked" };
    if (effect !== "logged") return { ...effect, by: acl };
  }
  return { outcome: "allowed" };
}

/** The lists that are asked, first to last. */
export function inOrder<A extends Acl>(acls: readonly A[], reading?: Reading): A[] {
  const first = reading?.get(precedence);
  const ranks = new Map((first ? (JSON.parse(first) as string[]) : []).map((key, rank) => [key, rank]));
  const rankOf = (acl: Acl) => ranks.get(acl.key ?? "") ?? 0;
  const placeOf = ({ priority, key }: Acl) =>
    Number.isNaN(priority) ? Number(reading?.get(place(key ?? "")) ?? 0) : priority;
  return acls.filter(({ active }) => active).toSorted((a, b) => placeOf(a) - placeOf(b) || rankOf(a) - rankOf(b));
}
