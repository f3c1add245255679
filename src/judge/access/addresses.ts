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
function intervalsOf(blocks: readonly Block[]): Range[] {
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

/** Whether hosts have the addresses of a range of `addressRanges`. */
export const isHostRange = ([from]: Range): boolean => {
  const [first, last] = rangeOf(hostsOfSix);
  return from < six || (first <= from && from < last);
};

/** The block of exactly these addresses, if there is one. */
export function rangeBlock([from, to]: Range): string | undefined {
  const [family, origin, bits] = from < six ? ([4, 0n, 32] as const) : ([6, six, 128] as const);
  const hostBits = (to - from).toString(2).length - 1;
  const isBlock = to - from === 1n << BigInt(hostBits) && (from - origin) % (to - from) === 0n;
  return isBlock ? formatBlock({ family, first: from - origin, length: bits - hostBits }) : undefined;
}

/** Addresses for documentation are the plainest. */
const familiar = ["203.0.113.7", "198.51.100.7", "192.0.2.7", "2001:db8::7"].map(
  (text) => rangeOf(parseBlock(text)!)[0],
);

/** Hosts on the Internet have addresses in these ranges. */
const hosts = [
  ["1.0.0.0", "127.0.0.0"],
  ["128.0.0.0", "224.0.0.0"],
  ["2000::", "4000::"],
].map((range) => range.map((text) => rangeOf(parseBlock(text)!)[0]) as [from: bigint, to: bigint]);

/** An address of the range. The least strange is a familiar one, then one from the largest IPv4 range of hosts. */
export function exampleIn([from, to]: Range): { readonly at: bigint; readonly strangeness: number } {
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

/** IPv4-mapped addresses: no request has one, because the service turns it into its IPv4 address. */
export const mappedRange = rangeOf(parseBlock("::ffff:0:0/96")!);

/** The ranges of all addresses that requests have, cut where the blocks begin and end, the plainest first. */
export function addressRanges(texts: readonly string[]): Range[] {
  const blocks = texts.flatMap((text) => parseBlock(text) ?? []);
  const around = [...familiar.map((at) => parseBlock(addressAt(at))!), hostsOfSix, parseBlock("::ffff:0:0/96")!];
  return intervalsOf([...blocks, ...blocks.map(unmapped), ...around])
    .filter(([from]) => from < mappedRange[0] || from >= mappedRange[1])
    .map((range) => ({ range, strangeness: exampleIn(range).strangeness }))
    .toSorted((one, other) => one.strangeness - other.strangeness)
    .map(({ range }) => range);
}
