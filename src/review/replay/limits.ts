/** Compares the limits of rate limit policies with the requests of a log, for each client and second. */
import { hidden } from "../../impact/hidden";
import type { LimitChange } from "../../impact/rate-limit-policy/changes";
import { limitWords, rateOf, type Limit } from "../../impact/rate-limit-policy/limit";
import type { PassedLimit } from "../../traffic/passed-limits";
import type { Rates } from "../../traffic/rates";

export interface LimitReport {
  readonly selector: string;
  readonly address?: string;
  /** The action after the change. */
  readonly action: string;
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
  /** The most logged requests in one second. */
  readonly peak: number;
  /** The service's own events about requests beyond the limit: at most one a minute for each client. */
  readonly reported: number;
  readonly reportedClients: number;
  /** The largest limit that such an event names, so that the real peak is higher. 0: no such event. */
  readonly passed: number;
  /** Whether there were too many clients or seconds to count all requests. */
  readonly isPartial: boolean;
  /** Two and three times the peak. Left out: no request counts toward the policy. */
  readonly suggested?: readonly [least: number, most: number];
}

/** The logged requests that count toward one policy. */
interface Bucket {
  requests: number;
  peak: number;
  readonly clients: Set<string>;
  readonly before: Excess;
  readonly after: Excess;
  /** Second -> requests of a group, whose clients share one counter. */
  readonly shared: Map<number, number>;
}

/** Requests above a limit. */
interface Excess {
  /** null: the limit is not known. */
  readonly rate: number | null;
  count: number;
  readonly counters: Set<string>;
}

/** The reports about policies that the change affects. */
export function limitReports(
  changes: readonly LimitChange[],
  rates: Rates,
  passed: readonly PassedLimit[] = [],
): LimitReport[] {
  const wanted = changes.filter(({ before, after }) => limitWords(before) !== limitWords(after));
  if (wanted.length === 0) return [];
  const selectors = new Set(changes.map(({ consumer_selector: selector }) => selector));
  const buckets = new Map(wanted.map((change) => [change.consumer_selector, createBucket(change)]));
  for (const [client, second, count] of rates.all()) {
    const selector = selectorOf(client, selectors);
    const bucket = buckets.get(selector);
    if (!bucket) continue;
    bucket.requests += count;
    bucket.clients.add(client);
    if (isGroup(selector)) bucket.shared.set(second, (bucket.shared.get(second) ?? 0) + count);
    else addSecond(bucket, client, count);
  }
  return wanted.map((change) => {
    const bucket = buckets.get(change.consumer_selector)!;
    for (const count of bucket.shared.values()) addSecond(bucket, change.consumer_selector, count);
    bucket.shared.clear();
    const reported = passed.filter((one) => passedSelector(one, selectors) === change.consumer_selector);
    return reportOf(change, bucket, { reported, isPartial: rates.isFull });
  });
}

function createBucket({ before, after }: LimitChange): Bucket {
  const excess = (limit: Limit | null): Excess => {
    const rate = limit?.action === hidden ? undefined : rateOf(limit);
    return { rate: rate ?? null, count: 0, counters: new Set() };
  };
  return {
    requests: 0,
    peak: 0,
    clients: new Set(),
    before: excess(before),
    after: excess(after),
    shared: new Map(),
  };
}

/** The requests of one counter in one second. */
function addSecond(bucket: Bucket, counter: string, count: number): void {
  bucket.peak = Math.max(bucket.peak, count);
  for (const excess of [bucket.before, bucket.after]) {
    if (excess.rate === null || count <= excess.rate) continue;
    excess.count += count - excess.rate;
    excess.counters.add(counter);
  }
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

/** The policy that the event is about. undefined: it is about a limit of the service. */
export function passedSelector(
  { bucket, client, isPolicy }: PassedLimit,
  selectors: ReadonlySet<string>,
): string | undefined {
  if (!isPolicy || selectors.has(bucket)) return isPolicy ? bucket : undefined;
  return client === "" ? undefined : selectorOf(client, selectors);
}

interface Reported {
  readonly reported: readonly PassedLimit[];
  readonly isPartial: boolean;
}

function reportOf(change: LimitChange, bucket: Bucket, { reported, isPartial }: Reported): LimitReport {
  const { consumer_selector: selector, address, before, after } = change;
  const { requests, peak, clients } = bucket;
  const passed = reported.reduce((most, { size }) => Math.max(most, size), 0);
  const most = Math.max(peak, passed > 0 ? passed + 1 : 0);
  return {
    selector,
    ...(address !== undefined && { address }),
    action: after?.action ?? "",
    before: limitWords(before),
    after: limitWords(after),
    requests,
    clients: clients.size,
    rejected: bucket.after.rate === null ? null : bucket.after.count,
    rejectedClients: bucket.after.counters.size,
    rejectedBefore: bucket.before.rate === null ? null : bucket.before.count,
    peak,
    reported: reported.reduce((sum, { events }) => sum + events, 0),
    reportedClients: new Set(reported.map(({ client }) => client)).size,
    passed,
    isPartial,
    ...(most > 0 && { suggested: [2 * most, 3 * most] as const }),
  };
}
