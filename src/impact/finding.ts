/** Findings are the results that a reviewer should look at. Codes are stable; docs/guides/findings.md has a section for each. */

export const levels = ["info", "low", "medium", "high", "critical"] as const;

export type Level = (typeof levels)[number];

/** Code -> its level. */
export const codes = {
  "TF-DUPLICATE": "critical",
  "TF-ACL-LOCKOUT": "critical",
  "TF-ACL-LOCKOUT-POSSIBLE": "medium",
  "TF-GUARD-WEAKENED": "high",
  "TF-GUARD-UNKNOWN": "medium",
  "TF-ACL-WIDENED": "high",
  "TF-ACL-OPENED": "high",
  "TF-ACL-TIGHTENED": "medium",
  "TF-ACL-SHADOWED": "medium",
  "TF-ACL-NO-SUCH-CODE": "medium",
  "TF-ACL-UNRECORDED": "medium",
  "TF-ACL-REDIRECT": "medium",
  "TF-ACL-SAME-PRIORITY": "medium",
  "TF-ACL-UNDECIDED": "medium",
  "TF-PROMOTION-UNPROVEN": "medium",
  "TF-ACL-ASSUMED": "info",
  "TF-EXPECTATION-BROKEN": "high",
  "TF-EXPECTATION-UNDECIDED": "medium",
  "TF-EXPECTATION-WEAKENED": "high",
  "TF-TRANSIENT-LOCKOUT": "high",
  "TF-TRANSIENT-OPEN": "medium",
  "TF-KEY-IN-USE": "high",
  "TF-KEY-ROTATED": "medium",
  "TF-KEY-CREATED": "info",
  "TF-LIMIT-LOCKOUT": "critical",
  "TF-LIMIT-BLOCKED": "high",
  "TF-LIMIT-UNKNOWN": "medium",
  "TF-LIMIT-REDIRECT": "medium",
  "TF-LIMIT-TIGHTENED": "low",
  "TF-LIMIT-LOOSENED": "low",
  "TF-MEMBERS-EMPTIED": "critical",
  "TF-MEMBERS-MANY": "high",
  "TF-MEMBERS-REMOVED": "low",
  "TF-MEMBERS-UNKNOWN": "high",
  "TF-OVERDUE": "medium",
  "TF-EXPIRED": "info",
  "TF-EXPIRES-SOON": "info",
  "TF-REPLACED": "low",
  "TF-RENAMED": "medium",
  "TF-DESTROYED": "low",
  "TF-FORGOTTEN": "low",
  "TF-DRIFT": "medium",
  "TF-IMPORTED": "info",
  "TF-MOVED": "info",
  "TF-EARLY-ACCESS": "info",
  "TF-INCOMPLETE": "low",
  "TF-PLAN-OUTDATED": "medium",
  "TF-STACK-UNPLANNED": "medium",
  "TF-TENANT-UNKNOWN": "low",
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
