/** Replays a log against the ACLs and limits before and after a change. */
import type { FactName } from "../access/access";
import { createDecider, usedBy, type KeyedAcl } from "./decider";
import { eventsIn, type LogEvent } from "./event";
import { createLimitDecider, type LoggedPolicy } from "./limits";
import { readEvent } from "./request";
import { Tally } from "./tally";
import type { ValueSink } from "./values";

export interface ReplayOptions<A extends KeyedAcl> {
  readonly before: readonly A[];
  readonly after: readonly A[];
  readonly policies: { readonly before: readonly LoggedPolicy[]; readonly after: readonly LoggedPolicy[] };
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
  /** JSON that is no event of Auth0. */
  strange: number;
  duplicates: number;
  /** Events of other tenants. */
  elsewhere: number;
  /** Events before the time that was asked for. */
  early: number;
}

export interface Replayed {
  readonly tally: Tally;
  readonly troubles: Readonly<Troubles>;
  /** The number of events of all kinds. */
  readonly events: number;
  readonly tenant?: string;
  readonly otherTenants: readonly string[];
  /** Whether nothing but the number of its events makes it the tenant that is meant. */
  readonly isGuessed: boolean;
}

export interface Replay extends ValueSink {
  readonly events: number;
  /** The first key of the first value that is no event. Undefined if there is no such value. */
  readonly strangeKey: string | undefined;
  result(): Replayed;
}

/** Tenants whose events are counted apart. */
const mostTenants = 200;

export function createReplay<A extends KeyedAcl>(options: ReplayOptions<A>): Replay {
  const { before, after, policies, tenants, since = -Infinity, now } = options;
  const decide = createDecider(before, after, createLimitDecider(policies.before, policies.after));
  // The country is shown.
  const needed = new Set<FactName>([...usedBy([...before, ...after]), "country"]);
  const isNew = createSeen();
  const tallies = new Map<string, Tally>();
  const troubles = { broken: 0, torn: 0, strange: 0, duplicates: 0, early: 0, elsewhere: 0 };
  /** Name of a tenant -> the number of its events. Empty: the event does not name its tenant. */
  const counts = new Map<string, number>();
  let events = 0;
  let strangeKey: string | undefined;

  const tallyOf = (name: string): Tally | undefined => {
    if (counts.has(name) || counts.size < mostTenants) counts.set(name, (counts.get(name) ?? 0) + 1);
    const isOwn = name === "" || (tenants ? tenants.includes(name) : counts.has(name));
    if (!isOwn) {
      troubles.elsewhere += 1;
      return undefined;
    }
    const own = tallies.get(name) ?? new Tally();
    tallies.set(name, own);
    return own;
  };

  const replayed = (event: LogEvent) => {
    events += 1;
    if (event.id !== undefined && !isNew(event.id)) {
      troubles.duplicates += 1;
      return;
    }
    const read = readEvent(event, needed);
    if (read.at < since) {
      troubles.early += 1;
      return;
    }
    const tally = tallyOf(read.tenant ?? "");
    if (read.request) tally?.request(read, decide(read.request), now);
    else tally?.notice(event.type, read);
  };

  const sink = { event: replayed, strange: (count: number) => void (troubles.strange += count) };
  return {
    value(one) {
      if (eventsIn(one, sink)) return;
      troubles.strange += 1;
      const isObject = typeof one === "object" && one !== null && !Array.isArray(one);
      strangeKey ??= isObject ? Object.keys(one)[0] : undefined;
    },
    broken: () => void (troubles.broken += 1),
    torn: () => void (troubles.torn += 1),
    get events() {
      return events;
    },
    get strangeKey() {
      return strangeKey;
    },
    result() {
      const named = [...counts].filter(([name]) => name !== "").toSorted(([, a], [, b]) => b - a);
      const most = named.map(([name]) => name).find((name) => tallies.has(name));
      const own = tallies.get(most ?? "") ?? new Tally();
      const unnamed = tallies.get("");
      if (unnamed && unnamed !== own) own.merge(unnamed);
      const guessed = tenants ? [] : named.filter(([name]) => name !== most);
      const elsewhere = guessed.reduce((sum, [, count]) => sum + count, troubles.elsewhere);
      return {
        tally: own,
        troubles: { ...troubles, elsewhere },
        events,
        ...(most !== undefined && { tenant: most }),
        otherTenants: named.flatMap(([name]) => (name === most ? [] : [name])),
        isGuessed: !tenants || tenants.length === 0,
      };
    },
  };
}

/** Most ids of one generation. Duplicates are mostly close to each other. */
export const mostIds = 200_000;

/** Whether an id is new. Forgets the older half of the ids if there are too many. */
function createSeen(): (id: string) => boolean {
  let current = new Set<string>();
  let previous = new Set<string>();
  return (id) => {
    if (current.has(id) || previous.has(id)) return false;
    if (current.size >= mostIds) {
      previous = current;
      current = new Set();
    }
    current.add(id);
    return true;
  };
}
