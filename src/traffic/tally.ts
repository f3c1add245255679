/** Counts what the decisions about the requests of one tenant add up to. */
import type { Decision, KeyedAcl } from "./decider";
import type { ReadEvent } from "./request";

export class Tally {
  requests = 0;
  blocked = 0;
  redirected = 0;
  letIn = 0;
  undecided = 0;
  /** Requests that the ACLs before the change block, although the log has them. */
  contradicted = 0;
  /** Requests without a plausible time. */
  timeless = 0;
  /** Milliseconds since the epoch. */
  first = Infinity;
  last = -Infinity;
  /** Events that are no requests. */
  notices = 0;
  /** Events about passed rate limits. */
  apiLimits = 0;
  /** The different users whose requests are blocked or redirected. */
  readonly users = new Set<string>();
  /** The denied requests by the key of the ACL, or by `policy ` and the selector. */
  readonly by = new Counter();
  readonly countries = new Counter();
  readonly applications = new Counter();
  /** What the log lacks, of the requests that are not decidable. */
  readonly lacks = new Counter();
  readonly unknownTypes = new Counter();

  /** An event that is no request. */
  notice(type: string, { kind }: ReadEvent): void {
    if (kind === "unknown") this.unknownTypes.add(type.slice(0, 60));
    else this.notices += 1;
    if (type === "api_limit") this.apiLimits += 1;
  }

  request(event: ReadEvent, decision: Decision<KeyedAcl>, now: number): void {
    this.requests += 1;
    this.#time(event.at, now);
    if (decision.isContradicted) this.contradicted += 1;
    if (decision.outcome === "let in") this.letIn += 1;
    else if (decision.outcome === "not decidable") {
      this.undecided += 1;
      for (const one of decision.lacks) this.lacks.add(one);
    } else this.#denied(event, decision);
  }

  #time(at: number, now: number): void {
    if (at > earliest && at <= now + mostAhead) {
      if (at < this.first) this.first = at;
      if (at > this.last) this.last = at;
    } else this.timeless += 1;
  }

  #denied({ user, request, application }: ReadEvent, { outcome, by }: Decision<KeyedAcl>): void {
    if (outcome === "blocked") this.blocked += 1;
    else this.redirected += 1;
    if (user !== undefined && this.users.size < mostUsers) this.users.add(user);
    this.by.add(by === undefined ? "" : typeof by === "string" ? `policy ${by}` : by.key);
    this.countries.add(request?.country ?? "");
    this.applications.add(application?.slice(0, 200) ?? "");
  }

  /** Adds the events that do not name their tenant. */
  merge(other: Tally): void {
    for (const name of sums) this[name] += other[name];
    for (const name of counters) this[name].merge(other[name]);
    for (const user of other.users) if (this.users.size < mostUsers) this.users.add(user);
    this.first = Math.min(this.first, other.first);
    this.last = Math.max(this.last, other.last);
  }
}

const sums = [
  "requests",
  "blocked",
  "redirected",
  "letIn",
  "undecided",
  "contradicted",
  "timeless",
  "notices",
  "apiLimits",
] as const;
const counters = ["by", "countries", "applications", "lacks", "unknownTypes"] as const;

/** 2013, the year of the first logs. */
const earliest = Date.UTC(2013, 0);
/** Clocks differ by a few minutes. */
const mostAhead = 10 * 60_000;
/** More are "at least" as many. */
export const mostUsers = 50_000;

/** Names that are kept apart. The rest is counted together. */
const mostNames = 2_000;

/** Counts by name, in bounded memory. */
export class Counter {
  readonly #counts = new Map<string, number>();
  total = 0;

  add(name: string, count = 1): void {
    this.total += count;
    if (this.#counts.has(name) || this.#counts.size < mostNames)
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  get(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** The largest first. */
  top(most: number): readonly (readonly [name: string, count: number])[] {
    return [...this.#counts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, most);
  }

  merge(other: Counter): void {
    const { total } = this;
    for (const [name, count] of other.#counts) this.add(name, count);
    this.total = total + other.total;
  }
}
