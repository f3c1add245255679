/** Replays a log against the ACLs and limits before and after a change. */
import type { FactName } from "../../judge/access/access";
import type { Log } from "../../judge/impact/network-acl/facts";
import type { PlannedAcl } from "../../judge/impact/network-acl/acl";
import { createDecider, usedBy, type Decider, type Sides } from "./decider";
import { eventsIn, type LogEvent } from "./event";
import { readEvent } from "./request";
import { Counter, Tally } from "./tally";
import type { ValueSink } from "./values";

export interface ReplayOptions extends Sides {
  /** Names of the tenant. Events of other tenants do not count. Left out: the tenant with the most events. */
  readonly tenants?: readonly string[];
  /** Only events from this time on, in milliseconds since the epoch. */
  readonly since: number;
  readonly now: number;
}

export interface TrafficReport {
  readonly replay: Replay;
  /** Key -> the ACL, before and after the change. */
  readonly acls: ReadonlyMap<string, PlannedAcl>;
}

/** Why input was left out. `no_events`: JSON that is no event of Auth0. */
export type LeftOut = "broken" | "torn" | "no_events" | "duplicates" | "other_tenants" | "before_since";

/** Ids that are remembered. An event is mostly delivered again soon. */
export const mostIds = 200_000;
/** Tenants whose events are counted apart. */
const mostTenants = 200;

export class Replay implements ValueSink {
  /** The number of events of all kinds. */
  events = 0;
  readonly leftOut = new Counter<LeftOut>();
  /** The first key of the first value that is no event. Undefined if there is no such value. */
  strangeKey: string | undefined;
  /** The rest is known after `end`. */
  tally = new Tally();
  tenant: string | undefined;
  otherTenants: readonly string[] = [];
  readonly #decide: Decider;
  readonly #needed: ReadonlySet<FactName>;
  readonly #ids = new Set<string>();
  /** By the name of the tenant. Empty: the event does not name its tenant. */
  readonly #tallies = new Map([["", this.tally]]);

  constructor(private readonly options: ReplayOptions) {
    this.#decide = createDecider(options);
    // The country is shown.
    this.#needed = new Set<FactName>([...usedBy(options), "country"]);
  }

  /** Whether nothing but the number of its events makes it the tenant that is meant. */
  get isGuessed(): boolean {
    return (this.options.tenants ?? []).length === 0;
  }

  get log(): Log {
    const { tally, isGuessed, otherTenants } = this;
    return {
      isRejecting: tally.marks.get("api_limits") > 0,
      stopped: (apis, keys) => {
        // The events may be those of another tenant.
        const isOther = isGuessed && otherTenants.length > 0;
        return isOther ? undefined : tally.stoppedBy(apis, keys);
      },
    };
  }

  value(value: unknown): void {
    if (eventsIn(value, this)) return;
    this.strange(1);
    if (typeof value === "object" && !Array.isArray(value)) this.strangeKey ??= Object.keys(value ?? {})[0];
  }

  broken = (): void => this.leftOut.add("broken");
  torn = (): void => this.leftOut.add("torn");
  strange = (count: number): void => this.leftOut.add("no_events", count);

  event(event: LogEvent): void {
    const { since, now } = this.options;
    this.events += 1;
    if (this.#isDuplicate(event.id)) return this.leftOut.add("duplicates");
    const read = readEvent(event, this.#needed);
    if (read.at < since) return this.leftOut.add("before_since");
    const tally = this.#tallyOf(read.tenant ?? "");
    if (!tally) this.leftOut.add("other_tenants");
    else if (read.request) tally.request(read, this.#decide(read.request), now);
    else tally.notice(event.type, read);
  }

  #isDuplicate(id: string | undefined): boolean {
    if (id === undefined || this.#ids.has(id)) return id !== undefined;
    if (this.#ids.size >= mostIds) this.#ids.clear();
    this.#ids.add(id);
    return false;
  }

  #tallyOf(name: string): Tally | undefined {
    const found = this.#tallies.get(name);
    if (found || (this.#tallies.size > mostTenants && !this.options.tenants?.includes(name))) return found;
    const tally = new Tally();
    this.#tallies.set(name, tally);
    return tally;
  }

  end(): void {
    const { tenants } = this.options;
    const named = [...this.#tallies].slice(1).toSorted(([, one], [, other]) => other.events - one.events);
    this.tenant = named.find(([name]) => !tenants || tenants.includes(name))?.[0];
    this.otherTenants = named.map(([name]) => name).filter((name) => name !== this.tenant);
    for (const [name, other] of named)
      if (name === this.tenant) this.tally.addAll(other);
      else this.leftOut.add("other_tenants", other.events);
  }
}
