/** Replays a log against the ACLs before and after a change. */
import { randomInt } from "node:crypto";
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
  /** Whether nothing but the number of its events makes it the tenant that is meant. */
  readonly isGuessed: boolean;
}

export interface Replay<A extends Acl> extends ValueSink {
  readonly events: number;
  result(): Replayed<A>;
}

/** Tenants whose events are counted apart. */
const mostTenants = 200;

export function createReplay<A extends Acl>(options: ReplayOptions<A>): Replay<A> {
  const { before, after, keyOf, watched = new Set<A>(), tenants, since = -Infinity, now } = options;
  const decide = createDecider(before, after);
  const seen = createSeen();
  const tallies = new Map<string, Tally<A>>();
  /** Name of a tenant -> the number of its events. Empty: the event does not name its tenant. */
  const counts = new Map<string, number>();
  const troubles = { broken: 0, torn: 0, strange: 0, duplicates: 0, early: 0 };
  let events = 0;
  /** Events of tenants beyond the most that are counted apart. */
  let uncounted = 0;

  const tallyOf = (tenant: string | undefined): Tally<A> | undefined => {
    const name = tenant ?? "";
    const isOwn = name === "" || tenants?.includes(name);
    if (!isOwn && !counts.has(name) && counts.size >= mostTenants) {
      uncounted += 1;
      return undefined;
    }
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (!isOwn && tenants) return undefined;
    const own = tallies.get(name) ?? new Tally(watched, keyOf);
    tallies.set(name, own);
    return own;
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
    if (!tally) return;
    if (read.request) tally.request(read, decide(read.request), now);
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
      const most = named.map(([name]) => name).find((name) => tallies.has(name));
      const own = tallies.get(most ?? "") ?? new Tally(watched, keyOf);
      const unnamed = tallies.get("");
      if (unnamed && unnamed !== own) own.merge(unnamed);
      const elsewhere = named.reduce((sum, [name, count]) => (name === most ? sum : sum + count), uncounted);
      tallies.clear();
      return {
        tally: own,
        troubles: { ...troubles, elsewhere, isForgetful: seen.isFull },
        events,
        ...(most !== undefined && { tenant: most }),
        otherTenants: named.flatMap(([name]) => (name === most ? [] : [name])),
        isGuessed: !tenants || tenants.length === 0,
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
export function createSeen(most = mostIds, key = randomKey()): Seen {
  let current = createTable();
  let previous: Table | undefined;
  return {
    add(id) {
      const [high, low] = hashOf(id, key);
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

export type HashKey = readonly [number, number];

const randomKey = (): HashKey => [randomInt(2 ** 32), randomInt(2 ** 32)];

/**
 * 64 bits, so that among a million ids a collision is as likely as one in 37 million. This is HalfSipHash-1-3 over pairs of UTF-16 units: its
 * random key keeps people from choosing ids that all belong into one slot.
 */
export function hashOf(id: string, [first, second]: HashKey): readonly [high: number, low: number] {
  let a = first;
  let b = second ^ 0xee;
  let c = first ^ 0x6c796765;
  let d = second ^ 0x74656462;
  const round = () => {
    a = (a + b) | 0;
    b = ((b << 5) | (b >>> 27)) ^ a;
    a = (a << 16) | (a >>> 16);
    c = (c + d) | 0;
    d = ((d << 8) | (d >>> 24)) ^ c;
    a = (a + d) | 0;
    d = ((d << 7) | (d >>> 25)) ^ a;
    c = (c + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ c;
    c = (c << 16) | (c >>> 16);
  };
  for (let at = 0; at <= id.length; at += 2) {
    // The length ends the text. Beyond the end, charCodeAt is NaN, which counts as 0.
    const word =
      at + 1 < id.length ? id.charCodeAt(at) | (id.charCodeAt(at + 1) << 16) : id.charCodeAt(at) | (id.length << 16);
    d ^= word;
    round();
    a ^= word;
  }
  c ^= 0xee;
  for (let count = 0; count < 3; count++) round();
  const high = b ^ d;
  c ^= 0xdd;
  for (let count = 0; count < 3; count++) round();
  // Never a pair of zeros.
  return [high >>> 0, ((b ^ d) | 1) >>> 0];
}
