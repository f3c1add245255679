/** Compares the limits of rate limit policies with the requests of a log, for each client and second. */
import { hidden } from "../../impact/hidden";
import type { LimitChange } from "../../impact/rate-limit-policy/changes";
import { limitWords, rateOf, type Limit } from "../../impact/rate-limit-policy/limit";
import type { Rates } from "../../traffic/rates";

export interface LimitReport {
  readonly selector: string;
  readonly address?: string;
  /** The limit before and after, in words. */
  readonly before: string;
  readonly after: string;
  /** Requests that count toward the policy. */
  readonly requests: number;
  readonly clients: number;
  /** Requests that exceed the limit after the change, and their clients. null: the limit is not known. */
  readonly rejected: number | null;
  readonly rejectedClients: number;
  readonly rejectedBefore: number | null;
  /** The most requests in one second. */
  readonly peak: number;
  /** Two and three times the peak. Left out: no request counts toward the policy. */
  readonly suggested?: readonly [least: number, most: number];
}

/** A policy counts the requests of one client, or of a whole group. */
interface Bucket {
  requests: number;
  readonly clients: Set<string>;
  readonly seconds: Map<string, Map<number, number>>;
}

/** The reports about policies that the change affects. */
export function limitReports(changes: readonly LimitChange[], rates: Rates): LimitReport[] {
  const selectors = new Set(changes.map(({ consumer_selector: selector }) => selector));
  const buckets = new Map<string, Bucket>();
  const wanted = changes.filter(({ before, after }) => limitWords(before) !== limitWords(after));
  if (wanted.length === 0) return [];
  for (const [client, second, count] of rates.all()) {
    const selector = selectorOf(client, selectors);
    const bucket = buckets.get(selector) ?? { requests: 0, clients: new Set(), seconds: new Map() };
    buckets.set(selector, bucket);
    bucket.requests += count;
    bucket.clients.add(client);
    const counter = isGroup(selector) ? selector : client;
    const own = bucket.seconds.get(counter) ?? new Map<number, number>();
    bucket.seconds.set(counter, own);
    own.set(second, (own.get(second) ?? 0) + count);
  }
  return wanted.map((change) => reportOf(change, buckets.get(change.consumer_selector)));
}

const isGroup = (selector: string) => selector === "cimd_clients" || selector === "third_party_clients";

/** The first level with a policy decides: the client, its group, the default. */
function selectorOf(client: string, selectors: ReadonlySet<string>): string {
  const own = `client_id:${client}`;
  if (selectors.has(own)) return own;
  const group = client.startsWith("https://")
    ? "cimd_clients"
    : client.startsWith("tpa_")
      ? "third_party_clients"
      : undefined;
  return group !== undefined && selectors.has(group) ? group : "default";
}

function reportOf({ consumer_selector: selector, address, before, after }: LimitChange, bucket?: Bucket): LimitReport {
  const counters = [...(bucket?.seconds.values() ?? [])].map((seconds) => [...seconds.values()]);
  const peak = counters.flat().reduce((most, count) => Math.max(most, count), 0);
  const rejected = excess(counters, after);
  return {
    selector,
    ...(address !== undefined && { address }),
    before: limitWords(before),
    after: limitWords(after),
    requests: bucket?.requests ?? 0,
    clients: bucket?.clients.size ?? 0,
    rejected: rejected && rejected.count,
    rejectedClients: rejected?.counters ?? 0,
    rejectedBefore: excess(counters, before)?.count ?? null,
    peak,
    ...(peak > 0 && { suggested: [2 * peak, 3 * peak] as const }),
  };
}

function excess(counters: readonly (readonly number[])[], limit: Limit | null) {
  if (limit?.action === hidden) return null;
  const rate = rateOf(limit);
  if (rate === undefined) return null;
  const each = counters.map((seconds) => seconds.reduce((sum, count) => sum + Math.max(0, count - rate), 0));
  return { count: each.reduce((sum, count) => sum + count, 0), counters: each.filter((count) => count > 0).length };
}
