/** The edge of the tenant: network ACLs, then rate limit policies, and the events that both leave in the log. */
import type { NetworkAcl } from "../api/network-acls";
import type { RateLimitPolicy } from "../api/rate-limit-policies";

import { decide, type Decision } from "./decide";
import { countingEvent, type LogEvent } from "./event";
import type { Origin } from "./origin";
import { createRateLimits, isCounted, type Consumed } from "./rate-limit";

/** The length of a period in the examples of the service. */
const period = 10 * 60 * 1000;

interface Count {
  readonly acl: NetworkAcl;
  matched: number;
  evaluated: number;
}

const actionOf = ({ rule }: NetworkAcl) =>
  (["block", "redirect", "allow", "log"] as const).find((name) => rule.action[name]) ?? "";

/**
 * Counts by rule the requests that network ACLs match, and reports them for each period.
 *
 * Assumption: a period of `acls_summary` begins with the first request after the one before has ended, and lists only rules that matched.
 * Auth0 documents two forms of this event; the tenant writes the one of its log schemas.
 */
function createAclSummaries(append: (event: LogEvent) => void) {
  let start: number | undefined;
  const counts = new Map<string, Count>();
  const clear = () => {
    start = undefined;
    counts.clear();
  };
  /** Reports the period if it has ended. */
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
    clear,
    count(decision: Decision, at: number) {
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

/** A request as the edge sees it. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly origin: Origin;
  /** The application that it names. */
  readonly client?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Passage {
  readonly decision: Decision;
  /** The effect of the policy that counts the request; undefined if none does. */
  readonly consumed?: Consumed;
  /** Whether the request reaches the service. */
  readonly passes: boolean;
}

export interface Edge {
  admit(arrival: Arrival, acls: readonly NetworkAcl[], policies: readonly RateLimitPolicy[]): Passage;
  clear(): void;
}

/** `append` gets the events about many requests. */
export function createEdge(append: (event: LogEvent) => void): Edge {
  const summaries = createAclSummaries(append);
  const limits = createRateLimits(append);
  return {
    admit({ method, path, origin, client, at }, acls, policies) {
      const decision = decide(acls, path, origin);
      summaries.count(decision, at);
      // Assumption: a request that a network ACL stops does not count toward a rate limit policy.
      if (decision.outcome !== "allowed") return { decision, passes: false };
      if (client === undefined || !isCounted(path)) return { decision, passes: true };
      const consumed = limits.consume(policies, { method, path, client, hostname: origin.hostname, at });
      const isRejected = consumed?.exceeded && consumed.policy.configuration.action !== "log";
      return { decision, consumed, passes: !isRejected };
    },
    clear() {
      summaries.clear();
      limits.clear();
    },
  };
}
