/**
 * Which effects refuse a plan or a write, and how bad they are. There is one scale: `level`, and `refuses`.
 *
 * | effect | refuses |
 * | --- | --- |
 * | a lock-out | if it is certain, new, not only of the request for a token, and `lockout_guard` is "error" |
 * | a limit of Terraform's own application | if it certainly leaves no request, and `lockout_guard` is "error" |
 * | a broken expectation | if it held before, and its `severity` is "error" |
 * | members lose access | if they are more than `max_removals`, or if nobody is left and neither `allow_empty` nor `max_removals` permits it |
 *
 * The provider adds when it knows enough: a plan waits until no other change can prevent the effect, and an apply judges each write.
 */
import { levelOf } from "../codes/codes";
import type { Code } from "./effect";
import type { Level } from "../codes/row";
import type { Lockout } from "./statement/lockout";
import type { JudgedExpectation } from "./statement/statement";

/** `lockout_guard`. */
export type Strength = "error" | "warn" | "off";

export interface Consequence {
  readonly code: Code;
  readonly level: Level;
  readonly refuses: boolean;
}

const consequence = (code: Code, refuses: boolean, level: Level = levelOf(code)): Consequence => ({
  code,
  level,
  refuses,
});

/** A plan with `access_token` can undo a blocked request for a token, so plans that close sign-in on purpose are not refused. */
export function ofLockout({ kind, certainty, already }: Lockout, strength: Strength = "error"): Consequence {
  const isLess = certainty === "possible" || (kind === "breadth" && already);
  const refuses = kind !== "token" && certainty === "certain" && !already && strength === "error";
  return consequence(isLess ? "TNF-ACL-LOCKOUT-POSSIBLE" : "TNF-ACL-LOCKOUT", refuses);
}

/** The limit that a plan leaves to Terraform's own application. */
export interface StarvingLimit {
  /** Requests per second. */
  readonly rate: number;
  /** Whether the policy certainly applies to it. A plan does not show the group of an application. */
  readonly isCertain: boolean;
}

export function ofOwnLimit({ rate, isCertain }: StarvingLimit, strength: Strength = "error"): Consequence {
  const isLockout = rate === 0 && isCertain;
  return consequence("TNF-LIMIT-LOCKOUT", isLockout && strength === "error", isLockout ? "critical" : "medium");
}

/** Undefined: the expectation holds. */
export function ofExpectation({ expectation, verdict, already }: JudgedExpectation): Consequence | undefined {
  if (verdict === "held") return undefined;
  if (verdict === "undecided") return consequence("TNF-EXPECTATION-UNDECIDED", false);
  const { severity } = expectation;
  const level = severity === "warning" ? "medium" : "high";
  return consequence("TNF-EXPECTATION-BROKEN", severity === "error" && already !== true, level);
}

/** How many members one set may remove. */
export interface RemovalLimits {
  /** `max_removals`. */
  readonly most?: number;
  /** Whether the organization may be left without members. */
  readonly mayEmpty: boolean;
}

/** The setting that forbids the removals. */
export function removalsRefusedBy(
  removed: number,
  isEmptied: boolean,
  { most, mayEmpty }: RemovalLimits,
): "max_removals" | "allow_empty" | undefined {
  if (most !== undefined && removed > most) return "max_removals";
  return isEmptied && !mayEmpty ? "allow_empty" : undefined;
}
