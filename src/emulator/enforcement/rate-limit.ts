/** Counts the requests of each second against the rate limit policies of the tenant. */
import type { RateLimitPolicy } from "../api/rate-limit-policies";

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

export interface RateLimits {
  /** Counts a request of an application; undefined if no policy limits it. `at`: milliseconds since 1970. */
  consume(policies: readonly RateLimitPolicy[], client: string, at: number): Consumed | undefined;
  clear(): void;
}

export function createRateLimits(): RateLimits {
  let second = -1;
  const counts = new Map<string, number>();
  return {
    consume(policies, client, at) {
      const found = policyFor(policies, client);
      if (found === undefined || found.policy.configuration.action === "allow") return undefined;
      const { policy, counter } = found;
      const current = Math.floor(at / 1000);
      if (current !== second) counts.clear();
      second = current;
      const count = (counts.get(counter) ?? 0) + 1;
      counts.set(counter, count);
      const limit = Number(policy.configuration.limit);
      return { policy, limit, remaining: Math.max(0, limit - count), exceeded: count > limit };
    },
    clear: () => counts.clear(),
  };
}
