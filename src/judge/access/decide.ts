/** Reads the action of a rule, and evaluates network ACLs for one request like the service. */
import { not, type AccessRequest, type Ternary } from "./request";
import { matches, partsOf, reasonsOf, type MatchReason, type Possibly, type Rule } from "./rule";
import { isUnknown } from "../../formats/cty/value";

export type Outcome = "allowed" | "blocked" | "redirected";

/** The result of an action that ends the evaluation. */
export interface Result {
  readonly outcome: Outcome;
  /** Left out: it is not known. */
  readonly redirect_uri?: string;
}

const outcomeOf = new Map<string, Outcome | "logged">([
  ["allow", "allowed"],
  ["block", "blocked"],
  ["log", "logged"],
  ["redirect", "redirected"],
]);

/** Undefined if the action is unknown: then it may do anything. */
export function effectOf(action: Rule["action"]): Result | "logged" | undefined {
  const outcome = outcomeOf.get(flagOf(action) ?? "");
  if (outcome !== "redirected") return outcome === undefined || outcome === "logged" ? outcome : { outcome };
  const uri = partsOf(action)["redirect_uri"];
  return { outcome, ...(typeof uri === "string" && { redirect_uri: uri }) };
}

/** The flag that is set. Undefined unless it is exactly one known flag. */
export function flagOf(action: Rule["action"]): string | undefined {
  const flags = partsOf(action);
  const [flag, ...more] = Object.keys(flags).filter((name) => name !== "redirect_uri" && flags[name]);
  const known = flag !== undefined && more.length === 0 && !isUnknown(flags[flag]);
  return known && outcomeOf.has(flag) ? flag : undefined;
}

export function sameResult(one: Result, other: Result): boolean {
  return one.outcome === other.outcome && one.redirect_uri === other.redirect_uri;
}

/** The service's form. */
export interface Acl {
  readonly active: boolean;
  /** The lowest is evaluated first. The order of equal priorities is unknown. */
  readonly priority: Possibly<number>;
  readonly rule: Rule;
  /** Identifies the ACL before and after a change. */
  readonly key?: string;
}

/** A possible end of the evaluation. */
export interface Ending<A extends Acl> {
  readonly outcome: Outcome;
  /** The target of a redirect. */
  readonly redirect_uri?: string;
  /** The ACL that ends the evaluation. Missing if none matches. */
  readonly by?: A;
}

/** The worst possible ending: the last one if several are equally bad, because it is the most certain. */
export interface Verdict<A extends Acl> extends Ending<A> {
  /** Whether all possible endings have the same outcome. */
  readonly certain: boolean;
  /** Whether the request is blocked or redirected. "no" and "yes" are certain. */
  readonly denied: Ternary;
  /** All possible endings, in order of evaluation. If two ACLs use the same unknown fact, some may be impossible. */
  readonly endings: readonly Ending<A>[];
}

/** The worst last. */
const everyOutcome = ["allowed", "redirected", "blocked"] as const;

const everyResult: readonly Result[] = everyOutcome.map((outcome) => ({ outcome }));

export function decide<A extends Acl>(acls: readonly A[], request: AccessRequest): Verdict<A> {
  const endings = endingsOf(acls, request);
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

/** The ends by the ACLs that possibly end the evaluation, up to those that certainly do. */
function endingsOf<A extends Acl>(acls: readonly A[], request: AccessRequest): Ending<A>[] {
  const endings: Ending<A>[] = [];
  /** The first that certainly ends it. Others may stand before one with an unknown priority. */
  let decided: A | undefined;
  for (const acl of inOrder(acls)) {
    if (decided && precedes(decided, acl)) break;
    const match = matches(acl.rule, request);
    const effect = effectOf(acl.rule.action);
    if (match === "no" || effect === "logged") continue;
    endings.push(...(effect === undefined ? everyResult : [effect]).map((result) => ({ ...result, by: acl })));
    if (effect !== undefined && match === "yes") decided = acl;
  }
  return decided ? endings : [...endings, { outcome: "allowed" }];
}

/** Why the evaluation of a request ends at the ACL, or may end there. */
export const whyEnds = ({ rule }: Acl, request: AccessRequest): MatchReason[] => [
  ...reasonsOf(rule, request),
  ...(effectOf(rule.action) === undefined ? [{ is: "unknown action" } as const] : []),
];

/** All possible outcomes: "blocked", or "blocked or allowed" if unknown facts matter. */
export function outcomesOf({ endings }: Pick<Verdict<Acl>, "endings">): string {
  return [...new Set(endings.map(({ outcome }) => outcome))].join(" or ");
}

type Placed = Pick<Acl, "priority">;

/** Whether an ACL certainly has a lower priority number than another one. */
export const precedes = ({ priority: one }: Placed, { priority: other }: Placed): boolean =>
  typeof one === "number" && typeof other === "number" && one < other;

/** The active ACLs in order of evaluation. ACLs with equal priorities stay in their order, and those with an unknown one are first. */
export function inOrder<A extends Acl>(acls: readonly A[]): A[] {
  const placeOf = ({ priority }: A) => (isUnknown(priority) ? -Infinity : priority);
  return acls
    .filter(({ active }) => active)
    .toSorted((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
}
