/** Groups the facts of one kind into the fewest classes that the entries distinguish. A set of facts has a bit per class. */
import { addressAt, familiar, familyOf, intervalsOf, rangeOf, type Range } from "./addresses";
import { parseBlock } from "./cidr";
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

/** Hosts on the Internet have addresses in these ranges. */
const hosts = [
  ["1.0.0.0", "127.0.0.0"],
  ["128.0.0.0", "224.0.0.0"],
  ["2000::", "4000::"],
].map((range) => range.map((text) => rangeOf(parseBlock(text)!)[0]) as [from: bigint, to: bigint]);

export interface AddressField extends Field<bigint> {
  /** Whether the address is in the set. */
  matches(set: Bits, address: string): boolean;
}

/** A fact is an address that stands for an interval. A text that is not a block matches none. */
export function addressField(lists: readonly (readonly string[])[]): AddressField {
  const blocks = [...new Set(lists.flat())].flatMap((text) => parseBlock(text) ?? []);
  const intervals = intervalsOf([...blocks, ...familiar.map((at) => parseBlock(addressAt(at))!)]);
  const examples = intervals.map(exampleIn);
  const order = [...intervals.keys()].toSorted((a, b) => examples[a]!.strangeness - examples[b]!.strangeness);
  const atomOf = new Int32Array(intervals.length);
  order.forEach((interval, atom) => (atomOf[interval] = atom));
  const indexes = new Map(intervals.map(([from], index) => [from, index]));
  const field = split(
    order.map((interval) => examples[interval]!.at),
    lists,
    (list, visit) => {
      for (const text of list) {
        const block = parseBlock(text);
        const [from, to] = block ? rangeOf(block) : [0n, 0n];
        for (let index = indexes.get(from)!; intervals[index] && intervals[index]![0] < to; index++)
          visit(atomOf[index]!);
      }
    },
  );
  return {
    ...field,
    matches(set, address) {
      const [at] = rangeOf(parseBlock(address)!);
      return field.has(set, atomOf[intervals.findLastIndex(([from]) => from <= at)]!);
    },
  };
}

/** An address of the interval. The least strange is a familiar one, then one from the largest IPv4 interval of hosts. */
function exampleIn([from, to]: Range): { readonly at: bigint; readonly strangeness: number } {
  const known = familiar.indexOf(from);
  if (known >= 0) return { at: from, strangeness: known };
  const ranges = hosts.map(([low, high]) => [from > low ? from : low, to < high ? to : high] as const);
  const own = ranges.find(([low, high]) => low < high);
  const [first, last] = own ?? [from, to];
  const size = Number(last - first);
  // The first address of a block is rarely a host.
  const at = size > 8 ? first + 7n : size > 2 ? first + 1n : first;
  const kind = (familyOf(from) === 4 ? 0 : 1) + (own ? 0 : 2);
  return { at, strangeness: familiar.length + kind + 1 - Math.log2(size) / 129 };
}
