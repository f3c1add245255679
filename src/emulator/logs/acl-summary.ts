/** Counts by rule the requests that network ACLs match, and reports them for each period. */
import type { Decision } from "../enforcement/decide";
import type { NetworkAcl } from "../api/network-acls";
import { countingEvent, type NewEvent } from "./event";

/** The length of a period in the examples of the service. */
export const period = 10 * 60 * 1000;

interface Count {
  readonly acl: NetworkAcl;
  matched: number;
  evaluated: number;
}

const actionOf = ({ rule }: NetworkAcl) =>
  (["block", "redirect", "allow", "log"] as const).find((name) => rule.action[name]) ?? "";

export interface AclSummaries {
  count(decision: Decision, at: number): void;
  /** Reports the period if it has ended. */
  settle(at: number): void;
  clear(): void;
}

/**
 * Assumption: a period of `acls_summary` begins with the first request after the one before has ended, and lists only rules that matched.
 * Auth0 documents two forms of this event; the tenant writes the one of its log schemas.
 */
export function createAclSummaries(append: (event: NewEvent) => void): AclSummaries {
  let start: number | undefined;
  const counts = new Map<string, Count>();
  const clear = () => {
    start = undefined;
    counts.clear();
  };
  const settle = (at: number) => {
    if (start === undefined || at < start + period) return;
    const [start_time, end_time] = [start, start + period].map((time) => new Date(time).toISOString());
    const stats = [...counts.values()]
      .filter(({ matched }) => matched > 0)
      .toSorted((a, b) => a.acl.priority - b.acl.priority)
      .map(({ acl, matched, evaluated }) => ({
        acl_id: acl.id,
        description: acl.description,
        priority: acl.priority,
        action: actionOf(acl),
        match: { successes: matched },
        total_request_count: { successes: evaluated },
      }));
    clear();
    if (stats.length > 0) {
      append(countingEvent("acls_summary", at, "Network ACLs summary", { details: { start_time, end_time, stats } }));
    }
  };
  return {
    settle,
    clear,
    count(decision, at) {
      settle(at);
      start ??= at;
      for (const { acl, matches, covers } of decision.steps) {
        if (!covers) continue;
        const count = counts.get(acl.id) ?? { acl, matched: 0, evaluated: 0 };
        count.evaluated++;
        if (matches) count.matched++;
        counts.set(acl.id, count);
      }
    },
  };
}
