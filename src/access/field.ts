/** Groups the facts of one kind into the fewest classes that the entries distinguish. A set of facts has a bit per class. */
import { everywhere, formatBlock, parseBlock, type Block } from "./cidr";
import { internetUsersOf } from "./country";

export type Bits = Int32Array;

export interface Field<Fact, Entry = string> {
  /** All facts. */
  readonly whole: Bits;
  /** The facts that a list matches. It must be one of the lists of the field. */
  matching(list: readonly Entry[]): Bits;
  /** The plainest fact of a non-empty set. */
  plainest(set: Bits): Fact;
}

/** Atoms are facts, plainest first. `members` visits those that a list matches, some of them twice. */
function split<Fact, Entry>(
  atoms: readonly Fact[],
  lists: readonly (readonly Entry[])[],
  members: (list: readonly Entry[], visit: (atom: number) => void) => void,
): Field<Fact, Entry> & { has(set: Bits, atom: number): boolean } {
  const keyed = new Map(lists.map((list) => [keyOf(list), list]));
  const visited = new Int32Array(atoms.length);
  let round = 0;
  const held = new Map(
    [...keyed].map(([key, list]) => {
      const own: number[] = [];
      round++;
      members(list, (atom) => {
        if (visited[atom] !== round) own.push(atom);
        visited[atom] = round;
      });
      return [key, own];
    }),
  );
  const classOf = classesOf(atoms.length, held.values());
  const plainest = new Map<number, Fact>();
  atoms.forEach((fact, atom) => {
    if (!plainest.has(classOf[atom]!)) plainest.set(classOf[atom]!, fact);
  });
  const words = Math.ceil(plainest.size / 32);
  const sets = new Map([...held].map(([key, own]) => [key, bitsOf(own, classOf, words)]));
  return {
    whole: bitsOf([...atoms.keys()], classOf, words),
    matching: (list) => sets.get(keyOf(list))!,
    has: (set, atom) => (set[classOf[atom]! >> 5]! & (1 << (classOf[atom]! & 31))) !== 0,
    plainest(set) {
      for (const [index, fact] of plainest) if (set[index >> 5]! & (1 << (index & 31))) return fact;
      throw new Error("no fact is in the empty set");
    },
  };
}

/** Atoms that are in the same lists have the same class. Classes are numbered in the order of the atoms. */
function classesOf(atoms: number, lists: Iterable<readonly number[]>): Int32Array {
  const classOf = new Int32Array(atoms);
  let count = 1;
  for (const held of lists) {
    // The part of a class that the list matches becomes a new class.
    const parts = new Map<number, number>();
    for (const atom of held) {
      const old = classOf[atom]!;
      if (!parts.has(old)) parts.set(old, count++);
      classOf[atom] = parts.get(old)!;
    }
  }
  const inOrder = new Map<number, number>();
  return classOf.map((name) => {
    if (!inOrder.has(name)) inOrder.set(name, inOrder.size);
    return inOrder.get(name)!;
  });
}

function bitsOf(atoms: readonly number[], classOf: Int32Array, words: number): Bits {
  const set = new Int32Array(words);
  for (const atom of atoms) set[classOf[atom]! >> 5]! |= 1 << (classOf[atom]! & 31);
  return set;
}

/** JSON, because entries may contain any separator. */
const keyOf = (list: readonly unknown[]) => JSON.stringify(list);

/** A fact is one of the options. */
export function optionField<Option extends string>(
  options: readonly Option[],
  lists: readonly (readonly Option[])[],
): Field<Option> {
  return split(options, lists, (list, visit) => list.forEach((option) => visit(options.indexOf(option as Option))));
}

/** A fact is a subset of the names. Only for few names. */
export function subsetField(lists: readonly (readonly string[])[]): Field<readonly string[]> {
  const names = [...new Set(lists.flat())];
  const masks = Array.from({ length: 2 ** names.length }, (_, mask) => mask);
  const subsets = masks
    .map((mask) => names.filter((_name, at) => mask & (1 << at)))
    .toSorted((a, b) => a.length - b.length);
  return split(subsets, lists, (list, visit) =>
    subsets.forEach((subset, atom) => subset.some((name) => list.includes(name)) && visit(atom)),
  );
}

/** A fact is a text, or none. */
export function textField(lists: readonly (readonly string[])[]): Field<string | undefined> {
  const texts = [...new Set(lists.flat())];
  const places = new Map(texts.map((text, index) => [text, index + 1]));
  return split([undefined, ...texts], lists, (list, visit) => list.forEach((text) => visit(places.get(text)!)));
}

export interface Location {
  readonly country?: string;
  readonly subdivision?: string;
}

/** An entry of a list names a country or a subdivision, never both. The same text may be either. */
export type LocationEntry = { readonly country: string } | { readonly subdivision: string };

/** The country of a subdivision is known by the form of its code alone. */
const subdivisionCode = /^([A-Z]{2})-[A-Z0-9]{1,3}$/;

/** Countries and their subdivisions. A request from a subdivision is from its country, or from any where no code tells which. */
export function locationField(lists: readonly (readonly LocationEntry[])[]): Field<Location, LocationEntry> {
  const entries = lists.flat();
  const named = new Set(entries.flatMap((entry) => ("country" in entry ? entry.country : [])));
  const countries = [...named].toSorted((a, b) => internetUsersOf(b) - internetUsersOf(a));
  const subdivisions = [...new Set(entries.flatMap((entry) => ("subdivision" in entry ? entry.subdivision : [])))];
  const alone: Location[] = [{}, ...countries.map((country) => ({ country }))];
  const within = subdivisions.flatMap((subdivision): Location[] => {
    const country = subdivisionCode.exec(subdivision)?.[1];
    const homes = country === undefined ? alone : [{ country }];
    return homes.map((home) => ({ ...home, subdivision }));
  });
  const atoms = [...alone, ...within];
  return split(atoms, lists, (list, visit) => {
    const listed = new Set(list.map((entry) => JSON.stringify(entry)));
    const isNamed = (entry: Location) => listed.has(JSON.stringify(entry));
    atoms.forEach(({ country, subdivision }, atom) => {
      if (isNamed({ country }) || isNamed({ subdivision })) visit(atom);
    });
  });
}

/** IPv6 addresses follow IPv4 addresses. */
const six = 1n << 128n;
const ends = { 4: 1n << 32n, 6: six << 1n } as const;

/** Addresses for documentation are the plainest. */
const familiar = ["203.0.113.7", "198.51.100.7", "192.0.2.7", "2001:db8::7"].map((text) => start(parseBlock(text)!));

/** Hosts on the Internet have addresses in these ranges. */
const hosts = [
  ["1.0.0.0", "127.0.0.0"],
  ["128.0.0.0", "224.0.0.0"],
  ["2000::", "4000::"],
].map((range) => range.map((text) => start(parseBlock(text)!)) as [from: bigint, to: bigint]);

export interface AddressField extends Field<bigint> {
  /** Whether the address is in the set. */
  matches(set: Bits, address: string): boolean;
}

/** A fact is an address that stands for the interval between the bounds of all blocks. A text that is not a block matches none. */
export function addressField(lists: readonly (readonly string[])[]): AddressField {
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
  // The next start after the last IPv4 interval is that of IPv6.
  const examples = starts.map((from, index) =>
    exampleIn(from, min(starts[index + 1] ?? ends[6], ends[from < six ? 4 : 6])),
  );
  const order = [...starts.keys()].toSorted((a, b) => examples[a]!.strangeness - examples[b]!.strangeness);
  const atomOf = new Int32Array(starts.length);
  order.forEach((interval, atom) => (atomOf[interval] = atom));
  const intervals = new Map(
    [...read].map(([text, [from, to]]) => [text, [lowest(starts, from), lowest(starts, to)] as const]),
  );
  const field = split(
    order.map((interval) => examples[interval]!.at),
    lists,
    (list, visit) => {
      for (const text of list) {
        const [from, to] = intervals.get(text) ?? [0, 0];
        for (let interval = from; interval < to; interval++) visit(atomOf[interval]!);
      }
    },
  );
  const intervalOf = (at: bigint) => lowest(starts, at + 1n) - 1;
  return { ...field, matches: (set, address) => field.has(set, atomOf[intervalOf(start(parseBlock(address)!))]!) };
}

/** An address of the interval. The least strange is a familiar one, then one from the largest IPv4 interval of hosts. */
function exampleIn(from: bigint, to: bigint): { readonly at: bigint; readonly strangeness: number } {
  const known = familiar.indexOf(from);
  if (known >= 0) return { at: from, strangeness: known };
  const ranges = hosts.map(([low, high]) => [max(from, low), min(to, high)] as const);
  const own = ranges.find(([low, high]) => low < high);
  const [first, last] = own ?? [from, to];
  const size = Number(last - first);
  // The first address of a block is rarely a host.
  const at = size > 8 ? first + 7n : size > 2 ? first + 1n : first;
  const kind = (from < six ? 0 : 1) + (own ? 0 : 2);
  return { at, strangeness: familiar.length + kind + 1 - Math.log2(size) / 129 };
}

const max = (one: bigint, other: bigint) => (one > other ? one : other);
const min = (one: bigint, other: bigint) => (one < other ? one : other);

const ascending = (a: bigint, b: bigint) => (a < b ? -1 : 1);

/** Index of the first entry that is not below the value. */
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

export function addressAt(at: bigint): string {
  return at < six
    ? formatBlock({ family: 4, first: at, length: 32 })
    : formatBlock({ family: 6, first: at - six, length: 128 });
}
