/** Counts what the decisions about the requests of one tenant add up to, in bounded memory. */
import type { Api } from "../../judge/access/access";
import type { LoggedRequests } from "../../judge/impact/network-acl/facts";
import type { Decision } from "./decider";
import type { ReadEvent } from "./request";

/** The rest is counted together. */
const mostNames = 2_000;

export class Counter<N extends string = string> {
  readonly #counts = new Map<N, number>();
  total = 0;

  constructor(private readonly most = mostNames) {}

  add(name: N, count = 1): void {
    this.total += count;
    const found = this.#counts.get(name);
    if (found !== undefined || this.#counts.size < this.most) this.#counts.set(name, (found ?? 0) + count);
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

/** Fewer requests to an API say too little of the others. */
const leastRequests = 100;

const shareOf = ({ sure, possible, of }: LoggedRequests) => (sure + possible) / of;

const counted = ["outcomes", "by", "countries", "applications", "lacks", "unknownTypes", "marks", "stopped"] as const;

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
  /** By the APIs that the request may be to: all requests, and those that an ACL stops, surely or possibly. The plans bound the names. */
  readonly stopped = new Counter(Infinity);
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

  request(event: ReadEvent, { outcome, by, deniedBy, lacks, isContradicted }: Decision, now: number): void {
    const { at, user, request, application } = event;
    this.outcomes.add(outcome);
    const apis = request?.apis.join() ?? "";
    const isSure = deniedBy.length === 1 && outcome !== "not decidable";
    this.stopped.add(`${apis} all`);
    for (const { key } of deniedBy) this.stopped.add(`${apis} ${isSure ? "sure" : "possible"} ${key}`);
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

  /** The requests that the ACLs with these keys newly stop. Undefined: the log has no request to the APIs. */
  stoppedBy(apis: readonly Api[], keys: ReadonlySet<string>): LoggedRequests | undefined {
    const found = apis.map((api) => this.#stoppedAt(api, keys)).filter(({ of }) => of >= leastRequests);
    return found.toSorted((a, b) => shareOf(b) - shareOf(a) || b.of - a.of)[0];
  }

  #stoppedAt(api: Api, keys: ReadonlySet<string>): LoggedRequests {
    const sums = { all: 0, sure: 0, possible: 0 };
    for (const [name, count] of this.stopped.top()) {
      const [apis = "", what, ...key] = name.split(" ");
      const isOwn = apis.split(",").includes(api) && (what === "all" || keys.has(key.join(" ")));
      if (isOwn) sums[what as keyof typeof sums] += count;
    }
    const { all: of, sure } = sums;
    // Several ACLs may stop one request.
    return { api, sure, possible: Math.min(sums.possible, of - sure), of };
  }

  addAll(other: Tally): void {
    for (const name of counted) (this[name] as Counter).addAll(other[name] as Counter);
    for (const user of other.users) if (this.users.size < mostUsers) this.users.add(user);
    this.first = Math.min(this.first, other.first);
    this.last = Math.max(this.last, other.last);
  }
}
