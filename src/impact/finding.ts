/** The codes of effects, with their usual levels. Codes are stable; docs/guides/findings.md has a section for each. */

export const levels = ["info", "low", "medium", "high", "critical"] as const;

export type Level = (typeof levels)[number];

/** Code -> its level. */
export const codes = {
  "TNF-DUPLICATE": "critical",
  "TNF-ACL-LOCKOUT": "critical",
  "TNF-ACL-LOCKOUT-POSSIBLE": "medium",
  "TNF-GUARD-WEAKENED": "high",
  "TNF-GUARD-UNKNOWN": "medium",
  "TNF-ACL-WIDENED": "high",
  "TNF-ACL-OPENED": "high",
  "TNF-ACL-TIGHTENED": "medium",
  "TNF-ACL-SHADOWED": "medium",
  "TNF-ACL-NO-SUCH-CODE": "medium",
  "TNF-ACL-UNRECORDED": "medium",
  "TNF-ACL-RECORDED": "info",
  "TNF-ACL-REDIRECT": "medium",
  "TNF-ACL-SAME-PRIORITY": "medium",
  "TNF-ACL-UNDECIDED": "medium",
  "TNF-PROMOTION-UNPROVEN": "medium",
  "TNF-PROMOTION-PROVEN": "info",
  "TNF-EXPECTATION-BROKEN": "high",
  "TNF-EXPECTATION-UNDECIDED": "medium",
  "TNF-EXPECTATION-WEAKENED": "high",
  "TNF-TRANSIENT-LOCKOUT": "high",
  "TNF-TRANSIENT-OPEN": "medium",
  "TNF-KEY-IN-USE": "high",
  "TNF-KEY-ROTATED": "medium",
  "TNF-KEY-CREATED": "info",
  "TNF-LIMIT-LOCKOUT": "critical",
  "TNF-LIMIT-BLOCKED": "high",
  "TNF-LIMIT-UNKNOWN": "medium",
  "TNF-LIMIT-REDIRECT": "medium",
  "TNF-LIMIT-TIGHTENED": "low",
  "TNF-LIMIT-LOOSENED": "low",
  "TNF-LIMIT-LOGGED": "info",
  "TNF-MEMBERS-EMPTIED": "critical",
  "TNF-MEMBERS-MANY": "high",
  "TNF-MEMBERS-REMOVED": "low",
  "TNF-MEMBERS-UNKNOWN": "high",
  "TNF-MEMBERS-ADDED": "low",
  "TNF-OVERDUE": "medium",
  "TNF-EXPIRED": "info",
  "TNF-EXPIRES-SOON": "info",
  "TNF-REPLACED": "low",
  "TNF-RENAMED": "medium",
  "TNF-DESTROYED": "low",
  "TNF-FORGOTTEN": "low",
  "TNF-DRIFT": "medium",
  "TNF-IMPORTED": "info",
  "TNF-MOVED": "info",
  "TNF-EARLY-ACCESS": "info",
  "TNF-INCOMPLETE": "low",
  "TNF-PLAN-OUTDATED": "medium",
  "TNF-STACK-UNPLANNED": "medium",
  "TNF-TENANT-UNKNOWN": "low",
} as const satisfies Record<string, Level>;

export type Code = keyof typeof codes;

export function isAtLeast(level: Level, least: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(least);
}
