/** Counts what the decisions about the requests of one tenant add up to. */
import type { Acl } from "../access/access";
import { Counter, Users } from "./counter";
import type { ChangeKind, Decision } from "./decider";
import type { Dependency } from "./fact-class";
import { networkOf } from "./network";
import { PassedLimits } from "./passed-limits";
import { createRates, type Rates } from "./rates";
import type { ReadEvent } from "./request";
import { shortened } from "./short";
import { summaryOf } from "./summary";

/** How the requests of a group are distributed. */
export const breakdowns = ["country", "api", "client", "agent", "network", "rule"] as const;

export type Breakdown = (typeof breakdowns)[number];

export interface Group {
  count: number;
  /** Milliseconds since the epoch. */
  first: number;
  last: number;
  readonly users: Users;
  readonly by: Readonly<Record<Breakdown, Counter>>;
}

/** "possible": the change depends on something that is not known. */
export type GroupName = ChangeKind | "possible";

/** The requests that an ACL may decide after the change. */
export interface Evidence {
  certain: number;
  possible: number;
  readonly users: Users;
}

/** The sum of the service's summaries of one ACL. */
export interface SummedAcl {
  action: string;
  matched: number;
  evaluated: number;
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
  readonly dependencies = new Map<Dependency, number>();
  readonly hours = new Map<number, Hour>();
  readonly evidence = new Map<string, Evidence>();
  readonly summaries = new Map<string, SummedAcl>();
  readonly passedLimits = new PassedLimits();
  /** Requests that count toward rate limit policies. */
  readonly rates: Rates = createRates();

  /** `watched`: the ACLs whose matches are counted. */
  constructor(
    readonly watched: ReadonlySet<A>,
    readonly keyOf: (acl: A) => string,
  ) {}

  /** An event that is no request. */
  notice(type: string, { kind, sender }: ReadEvent, fields: Readonly<Record<string, unknown>>): void {
    if (kind === "unknown") this.unknownTypes.add(shortened(type, 60));
    else this.notices += 1;
    if (type === "api_limit") this.passedLimits.add(fields, sender.client);
    if (type !== "acls_summary") return;
    for (const { id, action, matched, evaluated } of summaryOf(fields).acls) {
      const known = this.summaries.get(id) ?? { action, matched: 0, evaluated: 0 };
      this.summaries.set(id, {
        action,
        matched: known.matched + matched,
        evaluated: known.evaluated + evaluated,
      });
    }
  }

  request(event: ReadEvent, decision: Decision<A>, now: number): void {
    const { sender, isLimited } = event;
    this.requests += 1;
    const isTimed = event.at > earliest && event.at <= now + mostAhead;
    const at = isTimed ? event.at : NaN;
    if (!isTimed) this.timeless += 1;
    if (at < this.first) this.first = at;
    if (at > this.last) this.last = at;
    if (decision.wasDenied) this.contradicted += 1;
    const hour = isTimed ? this.#hour(Math.floor(at / 3_600_000)) : undefined;
    if (hour) hour.all += 1;
    if (isLimited && sender.client !== undefined && isTimed) this.rates.add(sender.client, Math.floor(at / 1000));
    if (this.watched.size > 0) this.#watch(event, decision);
    if (decision.changes.size === 0) return;
    if (hour && decision.isCertain) hour.changed += 1;
    if (hour && !decision.isCertain) hour.possible += 1;
    if (decision.isDenied && !decision.isCertain) this.denied += 1;
    for (const one of decision.dependsOn) this.dependencies.set(one, (this.dependencies.get(one) ?? 0) + 1);
    const [only] = decision.changes;
    this.#count(this.#group(decision.isCertain ? only! : "possible"), event, decision, at);
  }

  #hour(number: number): Hour | undefined {
    const known = this.hours.get(number);
    if (known || this.hours.size >= mostHours) return known;
    const made = { all: 0, changed: 0, possible: 0 };
    this.hours.set(number, made);
    return made;
  }

  #watch({ sender }: ReadEvent, { deciding }: Decision<A>): void {
    for (const acl of deciding) {
      if (!this.watched.has(acl)) continue;
      const key = this.keyOf(acl);
      const own = this.evidence.get(key) ?? { certain: 0, possible: 0, users: new Users() };
      this.evidence.set(key, own);
      if (deciding.size === 1) own.certain += 1;
      else own.possible += 1;
      own.users.add(sender.user);
    }
  }

  #group(name: GroupName): Group {
    const known = this.groups.get(name) ?? createGroup();
    this.groups.set(name, known);
    return known;
  }

  #count(group: Group, { request, sender }: ReadEvent, { cause }: Decision<A>, at: number): void {
    group.count += 1;
    if (at < group.first) group.first = at;
    if (at > group.last) group.last = at;
    group.users.add(sender.user);
    const { by } = group;
    const network = request!.ip === undefined ? undefined : networkOf(request!.ip);
    by.country.add(request!.country ?? "");
    by.api.add(request!.apis.join(" or "));
    by.client.add(shortened(sender.clientName ?? sender.client ?? "", mostText));
    by.agent.add(shortened(sender.agent ?? request!.user_agent ?? "", mostText));
    by.network.add(network ?? "");
    by.rule.add(cause ? this.keyOf(cause) : "");
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
    this.passedLimits.merge(other.passedLimits);
    for (const [name, group] of other.groups) mergeGroups(this.#group(name), group);
    for (const [name, count] of other.dependencies) {
      this.dependencies.set(name, (this.dependencies.get(name) ?? 0) + count);
    }
    for (const [number, hour] of other.hours) {
      const own = this.#hour(number);
      if (own) for (const name of ["all", "changed", "possible"] as const) own[name] += hour[name];
    }
    for (const [key, { certain, possible, users }] of other.evidence) {
      const own = this.evidence.get(key) ?? { certain: 0, possible: 0, users: new Users() };
      this.evidence.set(key, own);
      own.certain += certain;
      own.possible += possible;
      own.users.merge(users);
    }
    for (const [id, { action, matched, evaluated }] of other.summaries) {
      const own = this.summaries.get(id) ?? { action, matched: 0, evaluated: 0 };
      this.summaries.set(id, { action, matched: own.matched + matched, evaluated: own.evaluated + evaluated });
    }
    for (const [client, second, count] of other.rates.all()) this.rates.add(client, second, count);
  }
}

/** 2013, the year of the first logs. */
const earliest = Date.UTC(2013, 0);
/** Clocks differ by a few minutes. */
const mostAhead = 10 * 60_000;
/** Over a year. */
const mostHours = 10_000;
const mostText = 200;

function createGroup(): Group {
  const by = Object.fromEntries(breakdowns.map((name) => [name, new Counter()])) as Record<Breakdown, Counter>;
  return { count: 0, first: Infinity, last: -Infinity, users: new Users(), by };
}

function mergeGroups(own: Group, other: Group): void {
  own.count += other.count;
  own.first = Math.min(own.first, other.first);
  own.last = Math.max(own.last, other.last);
  own.users.merge(other.users);
  for (const name of breakdowns) own.by[name].merge(other.by[name]);
}
