/**
 * One dimension of requests: the facts of one kind, put into as few classes as lists of entries can tell apart. A set of
 * facts is a row of bits, one for each class.
 */
import { everywhere, formatBlock, parseBlock, type Block } from "./cidr";

export type Bits = Int32Array;

export interface Field<Fact> {
  /** All facts. */
  readonly whole: Bits;
  /** The facts that a list holds: one of those from which the field was made. */
  held(list: readonly string[]): Bits;
  /** The plainest fact of a set that is not empty. */
  plainest(set: Bits): Fact;
}

/** Atoms are the facts in order, plainest first; `members` says which of them a list holds. */
function split<Fact>(
  atoms: readonly Fact[],
  lists: readonly (readonly string[])[],
  members: (list: readonly string[]) => Iterable<number>,
): Field<Fact> {
  const keyed = new Map(lists.map((list) => [keyOf(list), list]));
  const held = new Map([...keyed].map(([key, list]) => [key, [...new Set(members(list))]]));
  const classOf = new Int32Array(atoms.length);
  let count = 1;
  for (const atomsHeld of held.values()) {
    // The part of a class that the list holds becomes a class of its own; what is renumbered only is no harm.
    const renamed = new Map<number, number>();
    for (const atom of atomsHeld) {
      const old = classOf[atom]!;
      const fresh = renamed.get(old) ?? count++;
      renamed.set(old, fresh);
      classOf[atom] = fresh;
    }
  }
  const plainest = new Map<number, Fact>();
  const compact = new Map<number, number>();
  atoms.forEach((fact, atom) => {
    const name = classOf[atom]!;
    if (!compact.has(name)) compact.set(name, compact.size);
    const index = compact.get(name)!;
    if (!plainest.has(index)) plainest.set(index, fact);
  });
  const words = Math.ceil(compact.size / 32);
  const bits = (indexes: Iterable<number>) => {
    const set = new Int32Array(words);
    for (const index of indexes) set[index >> 5]! |= 1 << (index & 31);
    return set;
  };
  const sets = new Map([...held].map(([key, list]) => [key, bits(list.map((atom) => compact.get(classOf[atom]!)!))]));
  return {
    whole: bits(plainest.keys()),
    held: (list) => sets.get(keyOf(list))!,
    plainest(set) {
      for (const [index, fact] of plainest) if (set[index >> 5]! & (1 << (index & 31))) return fact;
      throw new Error("no fact is in the empty set");
    },
  };
}

const keyOf = (list: readonly string[]) => list.join("\n");

/** One of the options. */
export function optionField<Option extends string>(
  options: readonly Option[],
  lists: readonly (readonly Option[])[],
): Field<Option> {
  return split(options, lists, (list) => list.map((option) => options.indexOf(option as Option)));
}

/** Texts, and none at all. */
export function textField(lists: readonly (readonly string[])[]): Field<string | undefined> {
  const texts = [...new Set(lists.flat())];
  const places = new Map(texts.map((text, index) => [text, index + 1]));
  return split([undefined, ...texts], lists, (list) => list.map((text) => places.get(text)!));
}

export interface Place {
  readonly country?: string;
  readonly subdivision?: string;
}

const region = /^(.+?)-/;

/** Countries and their regions: who is in a region is in its country. Lists hold texts of both kinds. */
export function placeField(lists: readonly (readonly string[])[]): Field<Place> {
  const texts = [...new Set(lists.flat())];
  const places = texts.map((text): Place => {
    const country = region.exec(text)?.[1];
    return country === undefined ? { country: text } : { country, subdivision: text };
  });
  const atoms = [
    {},
    ...places.filter(({ subdivision }) => !subdivision),
    ...places.filter((place) => place.subdivision),
  ];
  return split<Place>(atoms, lists, (list) => {
    const named = new Set(list);
    return atoms.flatMap(({ country = "", subdivision = "" }, atom) =>
      named.has(country) || named.has(subdivision) ? [atom] : [],
    );
  });
}

/** Where IPv6 begins on the one line of all addresses. */
const six = 1n << 128n;
const ends = { 4: 1n << 32n, 6: six << 1n } as const;

/** Addresses that documentation uses: where one fits, it is the plainest. */
const familiar = ["203.0.113.7", "198.51.100.7", "192.0.2.7", "2001:db8::7"].map((text) => start(parseBlock(text)!));

/** Addresses as the intervals between all ends of blocks. What is no block holds none. */
export function addressField(lists: readonly (readonly string[])[]): Field<string> {
  const read = new Map<string, readonly [bigint, bigint]>();
  for (const text of lists.flat()) {
    const block = parseBlock(text);
    if (block && !read.has(text)) read.set(text, [start(block), end(block)]);
  }
  const bounds = [
    ...everywhere.map((all) => [start(all), end(all)] as const),
    ...read.values(),
    ...familiar.map((at) => [at, at] as const),
  ].flat();
  const starts = [...new Set(bounds)].filter((at) => at !== ends[4] && at !== ends[6]).toSorted(ascending);
  const order = [...starts.keys()].toSorted((a, b) => strangeness(starts[a]!) - strangeness(starts[b]!));
  const atomOf = new Map(order.map((interval, atom) => [interval, atom]));
  const indexOf = (at: bigint) => lowest(starts, at);
  return split(
    order.map((interval) => addressAt(starts[interval]!)),
    lists,
    function* (list) {
      for (const text of list) {
        const [from, to] = read.get(text) ?? [0n, 0n];
        for (let interval = indexOf(from); interval < starts.length && starts[interval]! < to; interval++) {
          yield atomOf.get(interval)!;
        }
      }
    },
  );
}

const ascending = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);

function strangeness(at: bigint): number {
  const known = familiar.indexOf(at);
  if (known >= 0) return known;
  return at < six ? 10 : 11;
}

/** Of a sorted list, the first that is not below. */
function lowest(sorted: readonly bigint[], at: bigint): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function start({ family, first }: Block): bigint {
  return family === 4 ? first : six + first;
}

function end(block: Block): bigint {
  const width = block.family === 4 ? 32 : 128;
  return start(block) + (1n << BigInt(width - block.length));
}

function addressAt(at: bigint): string {
  return at < six
    ? formatBlock({ family: 4, first: at, length: 32 })
    : formatBlock({ family: 6, first: at - six, length: 128 });
}
