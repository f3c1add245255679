/**
 * Which effects refuse a plan or a write, and how bad they are. There is one scale: `level`, and `refuses`.
 *
 * | effect | refuses |
 * | --- | --- |
 * | a lock-out | if it is certain and new |
 * | a limit of Terraform's own application | if it certainly leaves no request |
 * | a broken expectation | if it held before, and its `severity` is "error" |
 * | members lose access | if they are more than `max_removals`, or if all lose it and `allow_empty` does not permit that |
 *
 * Only `lockout_guard = "error"` refuses the first two. The provider adds when it knows enough: a plan waits until no other change can
 * prevent the effect, and an apply judges each write.
 */
import { hasUnknown } from "../../formats/cty/value";
import { isOpen } from "./network-acl/acl";
import { isOne } from "./statement/built-in";
import { levelOf } from "../codes/codes";
import type { Code, Effect } from "./effect";
import type { Level } from "../codes/row";
import type { Lockout } from "./statement/lockout";
import type { BuiltIn, Enforced, Expectation, JudgedExpectation } from "./statement/statement";

export interface Consequence {
  readonly code: Code;
  readonly level: Level;
  /** Undefined: the apply decides when it knows the values. */
  readonly refuses: boolean | undefined;
}

const consequence = (code: Code, refuses: Consequence["refuses"], level: Level = levelOf(code)): Consequence => ({
  code,
  level,
  refuses,
});

/** Whether the provider refuses what breaks the statement. Undefined: the plans do not show it. */
export function refusedBy(
  { refuses }: Pick<Consequence, "refuses">,
  { stated, isEnforced }: Enforced<BuiltIn | Expectation>,
): boolean | undefined {
  const { severity, statement } = stated;
  if (refuses === false || isEnforced === false || severity === "warning" || severity === "off") return false;
  // An expectation is broken only if it is so whatever its unknown parts are.
  const isExpectation = !isOne(stated) && statement.kind !== "terraform" && statement.kind !== "own limit";
  const isDecided = isExpectation || !hasUnknown(statement);
  return refuses && isEnforced && severity === "error" && isDecided ? true : undefined;
}

export function ofLockout({ kind, certainty, already, by, unless = [] }: Lockout): Consequence {
  const isLess = certainty === "possible" || (kind === "breadth" && already);
  const isLate = certainty === "possible" && (by.some(isOpen) || unless.length > 0);
  const refuses = already ? false : isLate ? undefined : certainty === "certain";
  return consequence(isLess ? "TNF-ACL-LOCKOUT-POSSIBLE" : "TNF-ACL-LOCKOUT", refuses);
}

/** The limit that a plan leaves to Terraform's own application. */
export interface StarvingLimit {
  /** Requests per second. */
  readonly rate: number;
  /** Whether the policy certainly applies to it. A plan does not show the group of an application. */
  readonly isCertain: boolean;
}

export function ofOwnLimit({ rate, isCertain }: StarvingLimit): Consequence {
  const isLockout = rate === 0 && isCertain;
  return consequence("TNF-LIMIT-LOCKOUT", isLockout, isLockout ? "critical" : "medium");
}

/** Undefined: the expectation holds. */
export function ofExpectation({ expectation, verdict, already }: JudgedExpectation): Consequence | undefined {
  if (verdict === "held") return undefined;
  if (verdict === "undecided") return consequence("TNF-EXPECTATION-UNDECIDED", undefined);
  const { severity } = expectation;
  const level = severity === "warning" ? "medium" : "high";
  const refuses = already === true || severity === "warning" ? false : severity === "error" || undefined;
  return consequence("TNF-EXPECTATION-BROKEN", refuses, level);
}

/** The codes of which `refuses` depends on the effect. Its judge says it, unless the plans do not show what decides. */
const decided: ReadonlySet<Code> = new Set([
  "TNF-ACL-LOCKOUT",
  "TNF-ACL-LOCKOUT-POSSIBLE",
  "TNF-LIMIT-LOCKOUT",
  "TNF-EXPECTATION-BROKEN",
  "TNF-MEMBERS-EMPTIED",
  "TNF-MEMBERS-MANY",
  "TNF-MEMBERS-REMOVED",
]);

/** The codes of which no plan shows whether the provider refuses, by the reason. */
export const unanswered: Readonly<Record<string, readonly Code[]>> = {
  "the apply decides when it knows the values": [
    "TNF-EXPECTATION-UNDECIDED",
    "TNF-LIMIT-UNKNOWN",
    "TNF-MEMBERS-UNKNOWN",
  ],
  "the order of the writes decides": ["TNF-APPLY-MAY-FAIL"],
  "checks of names and ids decide, which read the state and the tenant": [
    "TNF-ACL-SAME-PRIORITY",
    "TNF-DUPLICATE",
    "TNF-KEY-IN-USE",
    "TNF-KEY-ROTATED",
    "TNF-KEY-SAME-NAME",
    "TNF-POLICY-SAME-CALLERS",
    "TNF-RENAMED",
  ],
  "the review did not read what decides": [
    "TNF-ACL-UNDECIDED",
    "TNF-GUARD-UNKNOWN",
    "TNF-INCOMPLETE",
    "TNF-PLAN-FAILED",
    "TNF-STACK-UNPLANNED",
    "TNF-TENANT-UNKNOWN",
  ],
};

const isUnanswered = new Set(Object.values(unanswered).flat());

/** Whether the provider refuses the plan or a write because of the effect. Undefined: the plans do not show it. */
export function refusesOf({ code, refuses }: Pick<Effect, "code" | "refuses">): boolean | undefined {
  return refuses ?? (decided.has(code) || isUnanswered.has(code) ? undefined : false);
}

/** How many members one set may remove. */
export interface RemovalLimits {
  /** `max_removals`. */
  readonly most?: number;
  /** Whether all who are members now may lose access. */
  readonly mayEmpty: boolean;
  /** Whether a setting is known only after the apply, which checks again. */
  readonly isOpen?: boolean;
}

/** The setting that forbids the removals. */
export function removalsRefusedBy(
  removed: number,
  losesAll: boolean,
  { most, mayEmpty }: RemovalLimits,
): "max_removals" | "allow_empty" | undefined {
  if (most !== undefined && removed > most) return "max_removals";
  return losesAll && !mayEmpty ? "allow_empty" : undefined;
}
