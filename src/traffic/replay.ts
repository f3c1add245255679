/** Replays a log against the ACLs before and after a change. */
import type { Acl } from "../access/access";
import { createDecider } from "./decider";
import { eventsIn, type LogEvent } from "./event";
import { readEvent } from "./request";
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

/** Most ids of one generation. Two generations take at most 34 MB. */
const mostIds = 1_500_000;

interface Seen {
  /** Whether the id is new. */
  add(id: string): boolean;
  /** Whether the oldest ids were forgotten. */
  readonly isFull: boolean;
}

/** Forgets the older half of the ids if there are too many. Duplicates are mostly close to each other. */
export function createSeen(most = mostIds): Seen {
  let current = createTable();
  let previous: Table | undefined;
  return {
    add(id) {
      const [high, low] = hashOf(id);
      if (previous?.has(high, low) || !current.add(high, low)) return false;
      if (current.size >= most) {
        previous = current;
        current = createTable();
      }
      return true;
    },
    get isFull() {
      return previous !== undefined;
    },
  };
}

interface Table {
  readonly size: number;
  has(high: number, low: number): boolean;
  add(high: number, low: number): boolean;
}

/** Open addressing. A pair of zeros is an empty slot. */
function createTable(): Table {
  let slots = new Uint32Array(1 << 13);
  let size = 0;
  const place = (high: number, low: number) => {
    const mask = slots.length / 2 - 1;
    let at = high & mask;
    while (slots[2 * at] !== 0 || slots[2 * at + 1] !== 0) {
      if (slots[2 * at] === high && slots[2 * at + 1] === low) return { at, isFound: true };
      at = (at + 1) & mask;
    }
    return { at, isFound: false };
  };
  const grow = () => {
    const old = slots;
    slots = new Uint32Array(old.length * 2);
    for (let index = 0; index < old.length; index += 2) {
      const [high, low] = [old[index]!, old[index + 1]!];
      if (high === 0 && low === 0) continue;
      const { at } = place(high, low);
      slots[2 * at] = high;
      slots[2 * at + 1] = low;
    }
  };
  return {
    get size() {
      return size;
    },
    has: (high, low) => place(high, low).isFound,
    add(high, low) {
      if (size * 8 >= slots.length * 3) grow();
      const { at, isFound } = place(high, low);
      if (isFound) return false;
      slots[2 * at] = high;
      slots[2 * at + 1] = low;
      size += 1;
      return true;
    },
  };
}

/** 64 bits, so that among a million ids a collision is as likely as one in 37 million. */
function hashOf(id: string): readonly [high: number, low: number] {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (let index = 0; index < id.length; index++) {
    const code = id.charCodeAt(index);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x5bd1e995);
    low ^= low >>> 15;
  }
  high ^= high >>> 16;
  // Never a pair of zeros.
  return [high >>> 0, (low | 1) >>> 0];
}
