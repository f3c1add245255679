/** Orders all addresses, cuts them where CIDR blocks begin and end, and stores sets of the intervals as bits. */
import { formatBlock, parseBlock, unmapped, type Block } from "./cidr";

/** A set of addresses. */
export type AddressSet = Uint32Array;

/** The words of a set that are not 0, with their indexes in order. */
export interface Cells {
  readonly words: readonly number[];
  /** Signed. */
  readonly bits: readonly number[];
}

export interface AddressSpace {
  readonly whole: AddressSet;
  /** The addresses that a list certainly holds, and those that it perhaps holds: one of the lists that made the line. */
  matching(list: readonly string[]): { readonly yes: AddressSet; readonly may: AddressSet };
  /** A familiar address of the set, or the first one. The set must not be empty. */
  plainest(cells: Cells): string;
  hasAny(set: AddressSet, family: Block["family"]): boolean;
  /** The set as ranges, in order. Ranges do not touch each other. After `most` ranges, the rest is left out. */
  rangesOf(cells: Cells, family: Block["family"], most: number): Range[];
  /** How many addresses of the family the set has. */
  sizeOf(set: AddressSet | Cells, family: Block["family"]): bigint;
}

/** IPv6 starts after IPv4. Hosts have addresses of 2000::/3 only, so no others are counted. */
const six = 1n << 32n;
const firstOfSix = 0x2000n << 112n;
const countOfSix = 1n << 125n;
const end = six + countOfSix;

/** `address`: the only one, if that is known. A text that is not a block may match every address. */
export function createAddressSpace(address: string | undefined, lists: readonly (readonly string[])[]): AddressSpace {
  const only = parseBlock(address ?? "");
  const ranges = new Map<string, readonly [own: Range, near: Range]>();
  for (const text of only ? [] : new Set(lists.flat())) {
    const block = parseBlock(text);
    if (block) ranges.set(text, [rangeOf(block), rangeOf(unmapped(block))]);
  }
  const starts = only ? [0n] : boundariesOf([...ranges.values()].flat(2));
  const indexes = new Map(
    [...ranges].map(([text, own]) => [text, own.map((range) => range.map((at) => lowest(starts, at)))]),
  );
  const words = Math.ceil(starts.length / 32);
  const fill = (set: AddressSet, [from, to]: readonly number[]) => {
    for (let index = from!; index < to!; index++) set[index >> 5]! |= 1 << (index & 31);
  };
  const whole = new Uint32Array(words);
  fill(whole, [0, starts.length]);
  const split = only ? (unmapped(only).family === 4 ? 1 : 0) : lowest(starts, six);
  const limbs = limbsOf(starts.map((start, index) => (only ? 1n : (starts[index + 1] ?? end) - start)));
  const spanOf = (family: Block["family"]) =>
    family === 4 ? ([0, split] as const) : ([split, starts.length] as const);
  return {
    whole,
    matching(list) {
      const [yes, may] = [new Uint32Array(words), new Uint32Array(words)];
      for (const text of list) {
        const [own, near] = indexes.get(text) ?? [];
        if (!own || !near) return { yes, may: whole };
        fill(yes, own);
        fill(may, own);
        fill(may, near);
      }
      return { yes, may };
    },
    plainest(cells) {
      const known = familiar.find((block) => {
        const index = lowest(starts, rangeOf(block)[0] + 1n) - 1;
        const at = cells.words.indexOf(index >> 5);
        return at >= 0 && (cells.bits[at]! & (1 << (index & 31))) !== 0;
      });
      if (known) return formatBlock(known);
      let first = 0;
      visit(cells, [0, starts.length], (index) => {
        first = index;
        return false;
      });
      return addressAt(starts[first]!);
    },
    hasAny: (set, family) => {
      const [from, to] = spanOf(family);
      for (let index = from; index < to; index++) if (has(set, index)) return true;
      return false;
    },
    rangesOf(cells, family, most) {
      const joined: [bigint, bigint][] = [];
      visit(cells, spanOf(family), (index) => {
        const [start, next] = [starts[index]!, starts[index + 1] ?? end];
        const last = joined.at(-1);
        if (last?.[1] === start) last[1] = next;
        else joined.push([start, next]);
        return joined.length < most;
      });
      return joined;
    },
    sizeOf(set, family) {
      const sums = [0, 0, 0, 0];
      visit("words" in set ? set : cellsOf(set), spanOf(family), (index) => {
        for (let limb = 0; limb < 4; limb++) sums[limb]! += limbs[4 * index + limb]!;
        return true;
      });
      return sums.reduceRight((size, sum) => (size << 32n) + BigInt(sum), 0n);
    },
  };
}

export function cellsOf(set: AddressSet): Cells {
  const [words, bits]: [number[], number[]] = [[], []];
  for (let index = 0; index < set.length; index++) {
    if (set[index] === 0) continue;
    words.push(index);
    bits.push(set[index]! | 0);
  }
  return { words, bits };
}

/** Visits the intervals from `from` to `to`, until `each` returns false. */
function visit({ words, bits }: Cells, [from, to]: readonly [number, number], each: (index: number) => boolean): void {
  for (let at = 0; at < words.length; at++) {
    const first = words[at]! << 5;
    if (first + 32 <= from || first >= to) continue;
    for (let rest = bits[at]!; rest !== 0; rest &= rest - 1) {
      const index = first + 31 - Math.clz32(rest & -rest);
      if (index >= from && index < to && !each(index)) return;
    }
  }
}

/** The sizes of the intervals in four parts of 32 bits: sums of these are exact, and far faster than those of large numbers. */
function limbsOf(sizes: readonly bigint[]): Float64Array {
  const limbs = new Float64Array(4 * sizes.length);
  sizes.forEach((size, index) => {
    for (let limb = 0; limb < 4; limb++) limbs[4 * index + limb] = Number((size >> BigInt(32 * limb)) & 0xffffffffn);
  });
  return limbs;
}

export function empty({ whole }: AddressSpace): AddressSet {
  return new Uint32Array(whole.length);
}

export function isEmpty(set: AddressSet): boolean {
  for (let word = 0; word < set.length; word++) if (set[word] !== 0) return false;
  return true;
}

export function addTo(set: AddressSet, { words, bits }: Cells): void {
  for (let at = 0; at < words.length; at++) set[words[at]!]! |= bits[at]!;
}

/** Takes everything out of `set` that is not in `other`. */
export function keep(set: AddressSet, other: AddressSet): void {
  for (let word = 0; word < set.length; word++) set[word]! &= other[word]!;
}

export function drop(set: AddressSet, other: AddressSet): void {
  for (let word = 0; word < set.length; word++) set[word]! &= ~other[word]!;
}

export function both(one: AddressSet, other: AddressSet): AddressSet {
  const set = one.slice();
  keep(set, other);
  return set;
}

export function without(one: AddressSet, other: AddressSet): AddressSet {
  const set = one.slice();
  drop(set, other);
  return set;
}

/** Addresses for documentation. */
const familiar = ["203.0.113.7", "198.51.100.7", "192.0.2.7", "2001:db8::7"].map((text) => parseBlock(text)!);

function addressAt(position: bigint): string {
  const block: Block =
    position < six
      ? { family: 4, first: position, length: 32 }
      : { family: 6, first: position - six + firstOfSix, length: 128 };
  return formatBlock(block);
}

/** Addresses as positions on the line, `to` excluded. */
export type Range = readonly [from: bigint, to: bigint];

/** The fewest blocks for a range of one family. All addresses of a family are one block. */
export function blocksOf([from, to]: Range): Block[] {
  const family = from < six ? 4 : 6;
  if (family === 4 ? to - from === six : to - from === countOfSix) return [{ family, first: 0n, length: 0 }];
  const [origin, bits] = family === 4 ? [0n, 32] : [six - firstOfSix, 128];
  const blocks: Block[] = [];
  for (let [first, left] = [from - origin, to - from]; left > 0n;) {
    let hostBits = 0n;
    while (left >> (hostBits + 1n) > 0n && ((first >> hostBits) & 1n) === 0n) hostBits++;
    blocks.push({ family, first, length: bits - Number(hostBits) });
    first += 1n << hostBits;
    left -= 1n << hostBits;
  }
  return blocks;
}

function rangeOf({ family, first, length }: Block): Range {
  if (family === 4) return [first, first + (1n << BigInt(32 - length))];
  const within = (at: bigint) =>
    at < firstOfSix ? firstOfSix : at > firstOfSix + countOfSix ? firstOfSix + countOfSix : at;
  const to = first + (1n << BigInt(128 - length));
  return [six + within(first) - firstOfSix, six + within(to) - firstOfSix];
}

const has = (set: AddressSet, index: number) => (set[index >> 5]! & (1 << (index & 31))) !== 0;

function boundariesOf(bounds: readonly bigint[]): bigint[] {
  const sorted = [0n, six, ...bounds].filter((at) => at < end).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.filter((at, index) => at !== sorted[index - 1]);
}

/** The first entry of a sorted list that is not below the value. */
function lowest(sorted: readonly bigint[], at: bigint): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
