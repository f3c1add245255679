/** Counts what the decisions about the requests of one tenant add up to. */
import type { Acl } from "../access/access";
import type { ChangeKind, Decision } from "./decider";
import { type Dependency, neverLogged } from "./fact-class";
import { Counter, Group, Users } from "./group";
import type { ReadEvent } from "./request";
import { shortened } from "./short";

/** "possible": the change depends on something that is not known. */
export type GroupName = ChangeKind | "possible";

/** The requests that an ACL may decide after the change. */
export interface Evidence {
  certain: number;
  possible: number;
  /** Those of the certain ones that get the same outcome as before. */
  same: number;
  readonly users: Users;
}

/** The sum of the service's summaries of one ACL. */
export interface SummedAcl {
  readonly matched: number;
  readonly evaluated: number;
}

export interface Hour {
  all: number;
  changed: number;
  possible: number;
}

export class Tally<A extends Acl> {
  requests = 0;
  notices = 0;
  first = Infinity;
  last = -Infinity;
  /** Requests that the ACLs before the change block or redirect, although the log has them. */
  contradicted = 0;
  /** Requests of the group "possible" that the ACLs after the change certainly block or redirect. */
  denied = 0;
  /** Requests without a plausible time. */
  timeless = 0;
  readonly unknownTypes = new Counter();
  readonly groups = new Map<GroupName, Group>();
  /** What the group "possible" depends on. */
  readonly dependencies = new Map<Dependency, number>();
  /** The facts that no log has and on which a request of another group depends: it counts as if they matched no rule. */
  readonly assumed = new Set<Dependency>();
  readonly hours = new Map<number, Hour>();
  readonly evidence = new Map<string, Evidence>();
  readonly summaries = new Map<string, SummedAcl>();
  /** Events about passed rate limits. */
  apiLimits = 0;

  /** `watched`: the ACLs whose matches are counted. */
  constructor(
    readonly watched: ReadonlySet<A>,
    readonly keyOf: (acl: A) => string,
  ) {}

  /** An event that is no request. */
  notice(type: string, { kind }: ReadEvent, fields: Readonly<Record<string, unknown>>): void {
    if (kind === "unknown") this.unknownTypes.add(shortened(type, 60));
    else this.notices += 1;
    if (type === "api_limit") this.apiLimits += 1;
    if (type !== "acls_summary") return;
    for (const [id, count] of summaryOf(fields)) this.#summary(id, count);
  }

  request(event: ReadEvent, decision: Decision<A>, now: number): void {
    this.requests += 1;
    const isTimed = event.at > earliest && event.at <= now + mostAhead;
    const at = isTimed ? event.at : NaN;
    if (!isTimed) this.timeless += 1;
    if (at < this.first) this.first = at;
    if (at > this.last) this.last = at;
    if (decision.wasDenied) this.contradicted += 1;
    const hour = isTimed ? this.#hour(Math.floor(at / 3_600_000)) : undefined;
    if (hour) hour.all += 1;
    if (this.watched.size > 0) this.#watch(event, decision);
    if (decision.changes.size === 0) return;
    const { usual, cause, dependsOn } = decision;
    if (hour) hour[usual === undefined ? "possible" : "changed"] += 1;
    if (decision.isDenied && usual === undefined) this.denied += 1;
    for (const one of dependsOn) {
      if (usual === undefined) this.dependencies.set(one, (this.dependencies.get(one) ?? 0) + 1);
      else if (neverLogged.has(one)) this.assumed.add(one);
    }
    this.#group(usual ?? "possible").add(event, at, cause ? this.keyOf(cause) : "");
  }

  #hour(number: number): Hour | undefined {
    const known = this.hours.get(number);
    if (known || this.hours.size >= mostHours) return known;
    const made = { all: 0, changed: 0, possible: 0 };
    this.hours.set(number, made);
    return made;
  }

  #watch({ sender }: ReadEvent, { deciding, changes }: Decision<A>): void {
    for (const acl of deciding) {
      if (acl === undefined || !this.watched.has(acl)) continue;
      const own = this.#evidence(this.keyOf(acl));
      if (deciding.size === 1) own.certain += 1;
      if (deciding.size === 1 && changes.size === 0) own.same += 1;
      if (deciding.size > 1) own.possible += 1;
      own.users.add(sender.user);
    }
  }

  #group(name: GroupName): Group {
    const known = this.groups.get(name) ?? new Group();
    this.groups.set(name, known);
    return known;
  }

  #evidence(key: string): Evidence {
    const known = this.evidence.get(key) ?? { certain: 0, possible: 0, same: 0, users: new Users() };
    this.evidence.set(key, known);
    return known;
  }

  #summary(id: string, { matched, evaluated }: SummedAcl): void {
    const known = this.summaries.get(id);
    if (!known && this.summaries.size >= mostSummaries) return;
    this.summaries.set(id, {
      matched: (known?.matched ?? 0) + matched,
      evaluated: (known?.evaluated ?? 0) + evaluated,
    });
  }

  /** Adds the events that do not name their tenant. */
  merge(other: Tally<A>): void {
    this.requests += other.requests;
    this.notices += other.notices;
    this.contradicted += other.contradicted;
    this.timeless += other.timeless;
    this.denied += other.denied;
    this.first = Math.min(this.first, other.first);
    this.last = Math.max(this.last, other.last);
    this.unknownTypes.merge(other.unknownTypes);
    this.apiLimits += other.apiLimits;
    for (const [name, group] of other.groups) this.#group(name).merge(group);
    for (const [name, count] of other.dependencies) {
      this.dependencies.set(name, (this.dependencies.get(name) ?? 0) + count);
    }
    for (const one of other.assumed) this.assumed.add(one);
    for (const [number, hour] of other.hours) {
      const own = this.#hour(number);
      if (own) for (const name of ["all", "changed", "possible"] as const) own[name] += hour[name];
    }
    for (const [key, { certain, possible, same, users }] of other.evidence) {
      const own = this.#evidence(key);
      own.certain += certain;
      own.same += same;
      own.possible += possible;
      own.users.merge(users);
    }
    for (const [id, summed] of other.summaries) this.#summary(id, summed);
  }
}

/** 2013, the year of the first logs. */
const earliest = Date.UTC(2013, 0);
/** Clocks differ by a few minutes. */
const mostAhead = 10 * 60_000;
/** Over a year. */
const mostHours = 10_000;
const mostSummaries = 2_000;

type Fields = Readonly<Record<string, unknown>>;

const part = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const amount = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
const successes = (counts: unknown): number => amount(part(counts)["successes"] ?? part(counts)["success"]);

/** Id of an ACL -> its counts, in both documented forms: a list in `details.stats`, and one ACL in `acls_summary`. */
function summaryOf(fields: Fields): [string, SummedAcl][] {
  const details = part(fields["details"]);
  const alone = fields["acls_summary"] ?? details["acls_summary"];
  const stats = Array.isArray(details["stats"]) ? (details["stats"] as readonly unknown[]) : [alone];
  return stats
    .map(part)
    .flatMap(({ acl_id: id, match, total_request_count: total }): [string, SummedAcl][] =>
      typeof id === "string" && id !== ""
        ? [[shortened(id), { matched: successes(match), evaluated: successes(total) }]]
        : [],
    );
}
