/** Cuts all addresses into intervals where CIDR blocks begin and end. An interval is known by its first position. */
import { formatBlock, parseBlock, unmapped, type Block } from "./cidr";

/** Positions in the order of all addresses, `to` excluded. IPv6 follows IPv4. */
export type Range = readonly [from: bigint, to: bigint];

export type Family = Block["family"];
export const families = [4, 6] as const;

/** Hosts have IPv6 addresses of 2000::/3 only, so no others are counted. */
const six = 1n << 32n;
const firstOfSix = 0x2000n << 112n;
const countOfSix = 1n << 125n;
const end = six + countOfSix;

/** The first positions of all intervals: for no block, those of the two families. A text that is not a block is left out. */
export function startsOf(texts: readonly string[]): bigint[] {
  const blocks = texts.flatMap((text) => parseBlock(text) ?? []);
  // The entry of an IPv4-mapped block may match its IPv4 addresses.
  const bounds = blocks.flatMap((block) => [rangeOf(block), rangeOf(unmapped(block))]).flat();
  const inside = [0n, six, ...bounds].filter((at) => at < end);
  return [...new Set(inside)].toSorted((a, b) => (a < b ? -1 : 1));
}

function rangeOf({ family, first, length }: Block): Range {
  if (family === 4) return [first, first + (1n << BigInt(32 - length))];
  const within = (at: bigint) =>
    at < firstOfSix ? firstOfSix : at > firstOfSix + countOfSix ? firstOfSix + countOfSix : at;
  const to = first + (1n << BigInt(128 - length));
  return [six + within(first) - firstOfSix, six + within(to) - firstOfSix];
}

/** The interval that begins there. */
export const intervalAt = (starts: readonly bigint[], index: number): Range => [
  starts[index]!,
  starts[index + 1] ?? end,
];

export const familyOf = ([from]: Range): Family => (from < six ? 4 : 6);

export function addressAt(position: bigint): string {
  const block: Block =
    position < six
      ? { family: 4, first: position, length: 32 }
      : { family: 6, first: position - six + firstOfSix, length: 128 };
  return formatBlock(block);
}

/** Addresses for documentation. */
const familiar = ["203.0.113.7", "198.51.100.7", "192.0.2.7", "2001:db8::7"].map((text) => parseBlock(text)!);

/** A familiar address, or the first one. */
export function plainestOf(ranges: readonly Range[]): string {
  const known = familiar.find((block) => {
    const [at] = rangeOf(block);
    return ranges.some(([from, to]) => from <= at && at < to);
  });
  return known ? formatBlock(known) : addressAt(ranges[0]![0]);
}

/** The fewest blocks for ranges in order. Undefined if there are more than `most`. */
export function blocksOf(ranges: readonly Range[], most: number): string[] | undefined {
  const joined: [bigint, bigint][] = [];
  for (const [from, to] of ranges) {
    const last = joined.at(-1);
    if (last?.[1] === from && from !== six) last[1] = to;
    else joined.push([from, to]);
  }
  const blocks: Block[] = [];
  for (const range of joined) {
    blocks.push(...blocksIn(range));
    if (blocks.length > most) return undefined;
  }
  return blocks.map(formatBlock);
}

/** All addresses of a family are one block. */
function blocksIn([from, to]: Range): Block[] {
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
