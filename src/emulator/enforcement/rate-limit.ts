/** Counts the requests of each second against the rate limit policies of the tenant. */
import type { RateLimitPolicy } from "../api/rate-limit-policies";
import { countingEvent, type LogEvent } from "./event";

/** The paths whose requests count, as documented. */
const counted = [
  "/oauth/token",
  "/authorize",
  "/oauth/device/code",
  "/passwordless/start",
  "/passwordless/verify",
  "/oauth/par",
  "/oauth/revoke",
  "/bc-authorize",
  "/co/authenticate",
  "/passkey/challenge",
  "/passkey/register",
];

export const isCounted = (path: string) => counted.includes(path.replace(/(?<=.)\/$/, ""));

/** A request of an application to a path that counts. */
export interface Consumption {
  readonly method: string;
  readonly path: string;
  readonly client: string;
  readonly hostname?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Consumed {
  readonly policy: RateLimitPolicy;
  readonly limit: number;
  readonly remaining: number;
  readonly exceeded: boolean;
}

/** The group of an application, by the form of its id. */
function groupOf(client: string): string | undefined {
  if (client.startsWith("https://")) return "cimd_clients";
  return client.startsWith("tpa_") ? "third_party_clients" : undefined;
}

/** The policy that decides, and the counter that the request belongs to. */
function policyFor(policies: readonly RateLimitPolicy[], client: string) {
  const selected = (selector: string) => policies.find(({ consumer_selector }) => consumer_selector === selector);
  const own = selected(`client_id:${client}`);
  if (own) return { policy: own, counter: own.id };
  const group = groupOf(client);
  const shared = group && selected(group);
  if (shared) return { policy: shared, counter: shared.id };
  const usual = selected("default");
  return usual && { policy: usual, counter: `${usual.id} ${client}` };
}

/** Milliseconds for which one event stands for all requests of an application beyond the limit of a policy. */
const quiet = 60_000;
const mostRemembered = 10_000;

export interface RateLimits {
  /** Counts a request; undefined if no policy limits it. */
  consume(policies: readonly RateLimitPolicy[], request: Consumption): Consumed | undefined;
  clear(): void;
}

/** Assumption: the names of the properties about the policy in an `api_limit` event, because no page shows such an event. */
function limitEvent({ policy, limit }: Consumed, { method, path, client, hostname = "", at }: Consumption): LogEvent {
  const { id, configuration, consumer_selector } = policy;
  return countingEvent("api_limit", at, "You passed the limit of requests of a rate limit policy.", {
    client_id: client,
    client_name: "",
    hostname,
    details: {
      policy: id,
      action: configuration.action,
      limit: { bucket: consumer_selector, global: false, size: limit },
      request: { method, path },
    },
  });
}

export function createRateLimits(append: (event: LogEvent) => void): RateLimits {
  let second = -1;
  const counts = new Map<string, number>();
  const reported = new Map<string, number>();

  const report = (consumed: Consumed, request: Consumption) => {
    const key = `${consumed.policy.id} ${request.client}`;
    if (request.at < (reported.get(key) ?? -Infinity) + quiet) return;
    if (reported.size >= mostRemembered) {
      for (const [each, at] of reported) if (request.at >= at + quiet) reported.delete(each);
      if (reported.size >= mostRemembered) reported.clear();
    }
    reported.set(key, request.at);
    append(limitEvent(consumed, request));
  };

  return {
    consume(policies, request) {
      const found = policyFor(policies, request.client);
      if (found === undefined || found.policy.configuration.action === "allow") return undefined;
      const { policy, counter } = found;
      const current = Math.floor(request.at / 1000);
      if (current !== second) counts.clear();
      second = current;
      const count = (counts.get(counter) ?? 0) + 1;
      counts.set(counter, count);
      const limit = Number((policy.configuration as { limit?: unknown }).limit);
      const consumed = { policy, limit, remaining: Math.max(0, limit - count), exceeded: count > limit };
      if (consumed.exceeded) report(consumed, request);
      return consumed;
    },
    clear() {
      second = -1;
      counts.clear();
      reported.clear();
    },
  };
}
