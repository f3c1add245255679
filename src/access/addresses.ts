/** Orders all addresses, and cuts them into intervals where CIDR blocks begin and end. */
import { everywhere, formatBlock, parseBlock, unmapped, type Block } from "./cidr";

/** Positions of addresses, `to` excluded. IPv6 follows IPv4. */
export type Range = readonly [from: bigint, to: bigint];

export type Family = Block["family"];
export const families = [4, 6] as const;

const six = 1n << 128n;
const ends = { 4: 1n << 32n, 6: six << 1n } as const;

export const familyOf = (at: bigint): Family => (at < six ? 4 : 6);

export function rangeOf({ family, first, length }: Block): Range {
  const from = family === 4 ? first : six + first;
  return [from, from + (1n << BigInt((family === 4 ? 32 : 128) - length))];
}

export function addressAt(at: bigint): string {
  const block: Block = at < six ? { family: 4, first: at, length: 32 } : { family: 6, first: at - six, length: 128 };
  return formatBlock(block);
}

/** The intervals that the blocks tell apart, in order. */
export function intervalsOf(blocks: readonly Block[]): Range[] {
  const bounds = [...everywhere, ...blocks].flatMap(rangeOf);
  const starts = [...new Set(bounds)].filter((at) => at !== ends[4] && at !== ends[6]).toSorted(ascending);
  return starts.map((from, index) => {
    const [next, end] = [starts[index + 1] ?? ends[6], ends[familyOf(from)]];
    return [from, next < end ? next : end];
  });
}

export const ascending = (one: bigint, other: bigint) => (one < other ? -1 : 1);

/** Hosts have IPv6 addresses of 2000::/3 only, so no others are counted. */
const hostsOfSix = parseBlock("2000::/3")!;

/** The same without IPv6 addresses that no host has. The entry of an IPv4-mapped block may match its IPv4 addresses. */
export function hostIntervals(texts: readonly string[]): Range[] {
  const blocks = texts.flatMap((text) => parseBlock(text) ?? []);
  const [first, last] = rangeOf(hostsOfSix);
  return intervalsOf([...blocks, ...blocks.map(unmapped), hostsOfSix]).filter(
    ([from]) => from < six || (first <= from && from < last),
  );
}

/** Addresses for documentation are the plainest. */
export const familiar = ["203.0.113.7", "198.51.100.7", "192.0.2.7", "2001:db8::7"].map(
  (text) => rangeOf(parseBlock(text)!)[0],
);

/** A familiar address, or the first one. */
export function plainestOf(ranges: readonly Range[]): string {
  const known = familiar.find((at) => ranges.some(([from, to]) => from <= at && at < to));
  return addressAt(known ?? ranges[0]![0]);
}

/** The fewest blocks for ranges in order. All addresses that hosts have are one block. Undefined if there are more than `most`. */
export function blocksOf(ranges: readonly Range[], most: number): string[] | undefined {
  const joined: [bigint, bigint][] = [];
  for (const [from, to] of ranges) {
    const last = joined.at(-1);
    if (last?.[1] === from) last[1] = to;
    else joined.push([from, to]);
  }
  const blocks: Block[] = [];
  for (const range of joined) {
    blocks.push(...blocksIn(range));
    if (blocks.length > most) return undefined;
  }
  return blocks.map(formatBlock);
}

function blocksIn([from, to]: Range): Block[] {
  const family = familyOf(from);
  const [origin, bits] = family === 4 ? [0n, 32] : [six, 128];
  const whole = family === 4 ? ends[4] : 1n << 125n;
  if (to - from === whole) return [{ family, first: 0n, length: 0 }];
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
