/** Findings are the results that a reviewer should look at. Codes are stable; docs/guides/findings.md has a section for each. */

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
  "TNF-ACL-REDIRECT": "medium",
  "TNF-ACL-SAME-PRIORITY": "medium",
  "TNF-ACL-UNDECIDED": "medium",
  "TNF-ENFORCEMENT-UNPROVEN": "medium",
  "TNF-ACL-ASSUMED": "info",
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
  "TNF-MEMBERS-EMPTIED": "critical",
  "TNF-MEMBERS-MANY": "high",
  "TNF-MEMBERS-REMOVED": "low",
  "TNF-MEMBERS-UNKNOWN": "high",
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

export interface Finding {
  readonly code: Code;
  readonly level: Level;
  readonly address?: string;
  /** The name of its plan, if there are several plans. */
  readonly plan?: string;
  readonly text: string;
  /** Why it is not counted, as the person said. */
  readonly ignored?: string;
  /** It was so before the plan, which does not touch it. It is not counted. */
  readonly already?: true;
}

/** The subject of a finding: an address, and its plan if there are several. `level` replaces the level of the code. */
type About = Pick<Finding, "address" | "plan" | "already"> & { readonly level?: Level };

export function finding(code: Code, text: string, about: About = {}): Finding {
  const { address, plan, already, level = codes[code] } = about;
  return {
    code,
    level,
    text,
    ...(address !== undefined && { address }),
    ...(plan !== undefined && { plan }),
    ...(already && { already }),
  };
}

export function isAtLeast(level: Level, least: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(least);
}
