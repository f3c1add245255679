/** The edge of the tenant: network ACLs, then rate limit policies, and the events that both leave in the log. */
import type { NetworkAcl } from "../api/network-acls";
import type { RateLimitPolicy } from "../api/rate-limit-policies";
import { createAclSummaries } from "../logs/acl-summary";
import type { NewEvent } from "../logs/event";
import { decide, type Decision } from "./decide";
import type { Origin } from "./origin";
import { createRateLimits, isCounted, type Consumed } from "./rate-limit";

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
export function createEdge(append: (event: NewEvent) => void): Edge {
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
