/** Replays a log against the ACLs before and after a change. */
import type { Acl } from "../access/access";
import { createDecider } from "./decider";
import { eventsIn, type LogEvent } from "./event";
import { readEvent } from "./request";
import { createSeen } from "./seen";
import { Tally } from "./tally";
import type { ValueSink } from "./values";

export interface ReplayOptions<A extends Acl> {
  readonly before: readonly A[];
  readonly after: readonly A[];
  keyOf(acl: A): string;
  /** ACLs whose matches are counted. */
  readonly watched?: ReadonlySet<A>;
  /** Names of the tenant. Events of other tenants do not count. Left out: the tenant with the most events. */
  readonly tenants?: readonly string[];
  /** Only events from this time on, in milliseconds since the epoch. */
  readonly since?: number;
  readonly now: number;
}

/** Input that was left out or not readable. */
export interface Troubles {
  broken: number;
  torn: number;
  /** JSON that is no event of the service. */
  strange: number;
  duplicates: number;
  /** Events of other tenants. */
  elsewhere: number;
  /** Events before the time that was asked for. */
  early: number;
  /** Whether old ids were forgotten, so that a very late duplicate may count twice. */
  isForgetful: boolean;
}

export interface Replayed<A extends Acl> {
  readonly tally: Tally<A>;
  readonly troubles: Readonly<Troubles>;
  /** The number of events of all kinds. */
  readonly events: number;
  readonly tenant?: string;
  readonly otherTenants: readonly string[];
}

export interface Replay<A extends Acl> extends ValueSink {
  readonly events: number;
  result(): Replayed<A>;
}

/** Tenants that are counted apart. */
const mostTenants = 8;
/** Tenants whose names are listed. */
const mostNames = 1_000;

export function createReplay<A extends Acl>(options: ReplayOptions<A>): Replay<A> {
  const { before, after, keyOf, watched = new Set<A>(), tenants, since = -Infinity, now } = options;
  const decide = createDecider(before, after);
  const seen = createSeen();
  const tallies = new Map<string, Tally<A>>();
  const counts = new Map<string, number>();
  const troubles = { broken: 0, torn: 0, strange: 0, duplicates: 0, elsewhere: 0, early: 0 };
  let events = 0;
  /** Events of tenants beyond the most that are listed. */
  let unlisted = 0;

  const tallyOf = (tenant: string | undefined): Tally<A> | undefined => {
    const name = tenant ?? "";
    const count = counts.get(name);
    if (count !== undefined || counts.size < mostNames) counts.set(name, (count ?? 0) + 1);
    else unlisted += 1;
    if (name !== "" && tenants && !tenants.includes(name)) return undefined;
    const known = tallies.get(name);
    if (known || tallies.size > mostTenants) return known;
    const made = new Tally(watched, keyOf);
    tallies.set(name, made);
    return made;
  };

  const replayed = (event: LogEvent) => {
    events += 1;
    if (event.id !== undefined && !seen.add(event.id)) {
      troubles.duplicates += 1;
      return;
    }
    const read = readEvent(event);
    if (read.at < since) {
      troubles.early += 1;
      return;
    }
    const tally = tallyOf(read.tenant);
    if (!tally) troubles.elsewhere += 1;
    else if (read.request) tally.request(read, decide(read.request), now);
    else tally.notice(event.type, read, event.fields);
  };

  const found = { event: replayed, strange: (count: number) => void (troubles.strange += count) };
  const value = (one: unknown) => {
    if (!eventsIn(one, found)) troubles.strange += 1;
  };
  return {
    value,
    broken: () => void (troubles.broken += 1),
    torn: () => void (troubles.torn += 1),
    get events() {
      return events;
    },
    result() {
      const named = [...counts].filter(([name]) => name !== "").toSorted(([, a], [, b]) => b - a);
      const [most] = named.filter(([name]) => tallies.has(name));
      const tally = tallies.get(most?.[0] ?? "") ?? new Tally(watched, keyOf);
      const unnamed = tallies.get("");
      if (unnamed && unnamed !== tally) tally.merge(unnamed);
      const others = named.filter(([name]) => name !== most?.[0]);
      const elsewhere = others.reduce((sum, [, count]) => sum + count, unlisted);
      tallies.clear();
      return {
        tally,
        troubles: { ...troubles, elsewhere, isForgetful: seen.isFull },
        events,
        ...(most && { tenant: most[0] }),
        otherTenants: others.map(([name]) => name),
      };
    },
  };
}
