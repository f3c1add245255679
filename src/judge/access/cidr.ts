/**
 * Converts addresses and CIDR blocks to numbers, orders all addresses, and cuts them into intervals where blocks begin and end. An address is a
 * block of length 32 or 128.
 *
 * An IPv4-mapped IPv6 address (::ffff:192.0.2.1) is an IPv6 address here, because the service separates the two families. Use
 * `unmapped` for its IPv4 address.
 */

export interface Block {
  readonly family: 4 | 6;
  /** The first address. The bits after `length` are zero. */
  readonly first: bigint;
  /** The number of leading bits that all addresses share: 0..32 or 0..128. */
  readonly length: number;
}

const bits = { 4: 32, 6: 128 } as const;

/** All addresses. */
export const everywhere: readonly Block[] = [
  { family: 4, first: 0n, length: 0 },
  { family: 6, first: 0n, length: 0 },
];

const mapped: Block = { family: 6, first: 0xffffn << 32n, length: 96 };

/** Each text is read dozens of times in a review. A tenant has at most a few hundred; a log may have millions. */
const known = new Map<string, Block | undefined>();
const mostKnown = 4_096;

/** Reads an address or a CIDR block in any notation, and clears host bits. Refuses zones (fe80::1%eth0) and octal numbers. */
export function parseBlock(text: string): Block | undefined {
  if (known.has(text)) return known.get(text);
  if (known.size >= mostKnown) known.clear();
  const block = readBlock(text);
  known.set(text, block);
  return block;
}

function readBlock(text: string): Block | undefined {
  const [, address, suffix] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  if (address === undefined) return undefined;
  const family = address.includes(":") ? 6 : 4;
  const number = family === 4 ? parseIPv4(address) : parseIPv6(address);
  const length = suffix === undefined ? bits[family] : Number(suffix);
  if (number === undefined || length > bits[family]) return undefined;
  const hostBits = BigInt(bits[family] - length);
  return { family, first: (number >> hostBits) << hostBits, length };
}

/** Whether a text is an address or a CIDR block of the family. */
export function isBlockOf(family: Block["family"], text: string): boolean {
  return parseBlock(text)?.family === family;
}

/** Whether a text is a single IPv4 or IPv6 address. */
export function isAddress(text: string): boolean {
  return !text.includes("/") && parseBlock(text) !== undefined;
}

/** The canonical text: lower case, shortest form (RFC 5952), and no length after a single address. */
export function formatBlock(block: Block): string {
  const { family, first, length } = block;
  const address =
    family === 4 ? formatIPv4(first) : contains(mapped, block) ? `::ffff:${formatIPv4(first)}` : formatIPv6(first);
  return length === bits[family] ? address : `${address}/${length}`;
}

/** Equal for two texts exactly if they mean the same addresses. Undefined if the text is not a block. */
export function canonicalBlock(text: string): string | undefined {
  const block = parseBlock(text);
  return block && formatBlock(block);
}

/** Made once, because comparisons are very frequent. */
const shifts = Array.from({ length: 129 }, (_, count) => BigInt(count));

/** Whether all addresses of `inner` are in `block`. */
export function contains(block: Block, inner: Block): boolean {
  if (block.family !== inner.family || block.length > inner.length) return false;
  const hostBits = shifts[bits[block.family] - block.length]!;
  return (block.first ^ inner.first) >> hostBits === 0n;
}

/** Whether the blocks have an address in common. */
export function overlaps(a: Block, b: Block): boolean {
  return contains(a, b) || contains(b, a);
}

/** Whether every address of `block` is in one of `blocks`. */
export function covers(blocks: readonly Block[], block: Block): boolean {
  if (blocks.some((one) => contains(one, block))) return true;
  const parts = blocks.filter((one) => contains(block, one));
  return parts.length > 1 && halves(block).every((half) => covers(parts, half));
}

/** How many addresses of the family are in at least one block. */
export function countAddresses(blocks: readonly Block[], family: Block["family"]): bigint {
  const own = blocks.filter((block) => block.family === family);
  const inOrder = own.toSorted((one, other) =>
    one.first === other.first ? one.length - other.length : one.first < other.first ? -1 : 1,
  );
  let [count, end] = [0n, 0n];
  // A block is apart from the one before, or within it.
  for (const { first, length } of inOrder) {
    if (first < end) continue;
    const size = 1n << BigInt(bits[family] - length);
    [count, end] = [count + size, first + size];
  }
  return count;
}

/** The IPv4 block of an IPv4-mapped one. Returns other blocks unchanged. */
export function unmapped(block: Block): Block {
  if (!contains(mapped, block)) return block;
  return { family: 4, first: block.first - mapped.first, length: block.length - mapped.length };
}

function halves({ family, first, length }: Block): Block[] {
  const second = first | (1n << BigInt(bits[family] - length - 1));
  return [first, second].map((start) => ({ family, first: start, length: length + 1 }));
}

const fourParts = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/;

function parseIPv4(text: string): bigint | undefined {
  const parts = fourParts.exec(text)?.slice(1).map(Number);
  if (!parts || parts.some((part) => part > 255)) return undefined;
  return BigInt(parts.reduce((number, part) => number * 256 + part, 0));
}

function parseIPv6(text: string): bigint | undefined {
  const hexadecimal = text.replace(/[^:]*\.[^:]*$/, (dotted) => {
    const number = parseIPv4(dotted);
    return number === undefined ? dotted : `${(number >> 16n).toString(16)}:${(number & 0xffffn).toString(16)}`;
  });
  const [head, tail, ...more] = hexadecimal.split("::").map((half) => (half === "" ? [] : half.split(":")));
  if (head === undefined || more.length > 0) return undefined;
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...Array<string>(missing).fill("0"), ...(tail ?? [])];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return groups.reduce((number, group) => (number << 16n) | BigInt(`0x${group}`), 0n);
}

function formatIPv4(number: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 0xffn).join(".");
}

function formatIPv6(number: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => (number >> BigInt(112 - 16 * index)) & 0xffffn);
  const text = groups.map((group) => group.toString(16)).join(":");
  const runs = [...text.matchAll(/\b0(?::0)+\b/g)];
  if (runs.length === 0) return text;
  const longest = runs.reduce((best, run) => (run[0].length > best[0].length ? run : best));
  const before = text.slice(0, longest.index).replace(/:$/, "");
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, "");
  return `${before}::${after}`;
}

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
  const [family, origin, width] = from < six ? ([4, 0n, 32] as const) : ([6, six, 128] as const);
  const hostBits = (to - from).toString(2).length - 1;
  const isBlock = to - from === 1n << BigInt(hostBits) && (from - origin) % (to - from) === 0n;
  return isBlock ? formatBlock({ family, first: from - origin, length: width - hostBits }) : undefined;
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
  const place = familiar.indexOf(from);
  if (place >= 0) return { at: from, strangeness: place };
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
