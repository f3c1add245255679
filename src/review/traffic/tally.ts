/** Counts what the decisions about the requests of one tenant add up to, in bounded memory. */
import type { Decision } from "./decider";
import type { ReadEvent } from "./request";

/** The rest is counted together. */
const mostNames = 2_000;

export class Counter<N extends string = string> {
  readonly #counts = new Map<N, number>();
  total = 0;

  add(name: N, count = 1): void {
    this.total += count;
    const found = this.#counts.get(name);
    if (found !== undefined || this.#counts.size < mostNames) this.#counts.set(name, (found ?? 0) + count);
  }

  get(name: N): number {
    return this.#counts.get(name) ?? 0;
  }

  /** The largest first. */
  top(most = Infinity): readonly (readonly [name: N, count: number])[] {
    return [...this.#counts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, most);
  }

  addAll(other: Counter<N>): void {
    const total = this.total + other.total;
    for (const [name, count] of other.top()) this.add(name, count);
    this.total = total;
  }
}

const counted = ["outcomes", "by", "countries", "applications", "lacks", "unknownTypes", "marks"] as const;

/** More are "at least" as many. */
export const mostUsers = 50_000;
/** 2013, the year of the first logs. */
const earliest = Date.UTC(2013, 0);
/** Clocks differ by a few minutes. */
const mostAhead = 10 * 60_000;

export class Tally {
  readonly outcomes = new Counter<Decision["outcome"]>();
  /** The denied requests by the key of the ACL, or by `policy ` and the selector. */
  readonly by = new Counter();
  readonly countries = new Counter();
  readonly applications = new Counter();
  /** What the log lacks, of the requests that are not decidable. */
  readonly lacks = new Counter();
  readonly unknownTypes = new Counter();
  /** `contradicted`: the ACLs before the change block a request that the log has. `without_time`: no plausible time. `notices`: no requests. */
  readonly marks = new Counter<"contradicted" | "without_time" | "notices" | "api_limits">();
  /** The different users whose requests are blocked or redirected. */
  readonly users = new Set<string>();
  first = Infinity;
  last = -Infinity;

  get events(): number {
    return this.outcomes.total + this.unknownTypes.total + this.marks.get("notices");
  }

  /** An event that is no request. */
  notice(type: string, { isKnown }: ReadEvent): void {
    if (isKnown) this.marks.add("notices");
    else this.unknownTypes.add(type.slice(0, 60));
    if (type === "api_limit") this.marks.add("api_limits");
  }

  request(event: ReadEvent, { outcome, by, lacks, isContradicted }: Decision, now: number): void {
    const { at, user, request, application } = event;
    this.outcomes.add(outcome);
    if (isContradicted) this.marks.add("contradicted");
    for (const one of lacks) this.lacks.add(one);
    if (!(at > earliest && at <= now + mostAhead)) this.marks.add("without_time");
    else {
      this.first = Math.min(this.first, at);
      this.last = Math.max(this.last, at);
    }
    if (outcome !== "blocked" && outcome !== "redirected") return;
    if (user !== undefined && this.users.size < mostUsers) this.users.add(user);
    this.by.add(by === undefined ? "" : typeof by === "string" ? `policy ${by}` : by.key);
    this.countries.add(request?.country ?? "");
    this.applications.add(application?.slice(0, 200) ?? "");
  }

  addAll(other: Tally): void {
    for (const name of counted) (this[name] as Counter).addAll(other[name] as Counter);
    for (const user of other.users) if (this.users.size < mostUsers) this.users.add(user);
    this.first = Math.min(this.first, other.first);
    this.last = Math.max(this.last, other.last);
  }
}
