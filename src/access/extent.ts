/** Measures sets of pairs of country and address: how many Internet users and how many addresses they have. */
import { blocksOf, cellsOf, empty, type AddressSpace, type Cells } from "./address-set";
import { formatBlock } from "./cidr";
import { internetUsersOf } from "./internet-users";

/** A set of pairs of country and address, measured. */
export interface Extent {
  /**
   * The share of the requests over IPv4, and over IPv6. The addresses of a family count equally, and a country counts by its
   * Internet users. 0 exactly if no pair of the family is affected, and 1 exactly if all are.
   */
  readonly ipv4: number;
  readonly ipv6: number;
  /** Countries with at least one affected address. */
  readonly countries: readonly string[];
  /** Countries with only affected addresses. */
  readonly wholeCountries: readonly string[];
  /** Country -> affected share of its addresses, of the family with the larger share. Only countries with affected addresses. */
  readonly byCountry: ReadonlyMap<string, number>;
  /** The most affected addresses in one country. */
  readonly addresses: { readonly ipv4: bigint; readonly ipv6: bigint };
  /**
   * The fewest CIDR blocks of the affected addresses, and those of the other addresses. Left out: all addresses are affected,
   * affected countries differ in their addresses, or the list is too long.
   */
  readonly blocks?: readonly string[];
  readonly otherBlocks?: readonly string[];
}

/** What is affected in the countries of each group, by the index of the group. A part may overlap other parts. */
export type Region = ReadonlyMap<number, readonly Cells[]>;

const mostBlocks = 64;
const families = [4, 6] as const;
type Family = (typeof families)[number];

/** `groups`: countries with the same affected addresses in all regions. */
export function extentOf(
  regions: readonly Region[],
  groups: readonly (readonly string[])[],
  line: AddressSpace,
): Extent {
  const affected = unionOf(regions, line);
  const wholes = { 4: line.sizeOf(line.whole, 4), 6: line.sizeOf(line.whole, 6) };
  const parts = [...affected].map(([group, set]) => ({
    countries: groups[group]!,
    set,
    sizes: { 4: line.sizeOf(set, 4), 6: line.sizeOf(set, 6) },
  }));
  const share = (family: Family) => {
    const count = parts.reduce((sum, { countries, sizes }) => sum + usersOf(countries) * sizes[family], 0n);
    const isAll = parts.length === groups.length && parts.every(({ sizes }) => sizes[family] === wholes[family]);
    const isNone = parts.every(({ sizes }) => sizes[family] === 0n);
    return isNone ? 0 : isAll ? 1 : between(count, usersOf(groups.flat()) * wholes[family]);
  };
  const most = (family: Family) => parts.reduce((max, { sizes }) => (sizes[family] > max ? sizes[family] : max), 0n);
  const isWhole = ({ sizes }: (typeof parts)[number]) => families.every((family) => sizes[family] === wholes[family]);
  const shareIn = ({ sizes }: (typeof parts)[number]) =>
    Math.max(...families.map((family) => (sizes[family] === 0n ? 0 : partOf(sizes[family], wholes[family]))));
  return {
    ipv4: share(4),
    ipv6: share(6),
    countries: parts.flatMap(({ countries }) => countries).toSorted(),
    wholeCountries: parts
      .filter(isWhole)
      .flatMap(({ countries }) => countries)
      .toSorted(),
    byCountry: new Map(parts.flatMap((part) => part.countries.map((country) => [country, shareIn(part)] as const))),
    addresses: { ipv4: most(4), ipv6: most(6) },
    ...commonBlocks([...affected.values()], line),
  };
}

function unionOf(regions: readonly Region[], line: AddressSpace): Map<number, Cells> {
  const all = new Map<number, Cells[]>();
  for (const region of regions) {
    for (const [group, parts] of region) all.set(group, [...(all.get(group) ?? []), ...parts]);
  }
  return new Map([...all].map(([group, parts]) => [group, parts.length > 1 ? merge(parts, line) : parts[0]!]));
}

function merge(parts: readonly Cells[], line: AddressSpace): Cells {
  const set = empty(line);
  for (const { words, bits } of parts) words.forEach((word, at) => (set[word]! |= bits[at]!));
  return cellsOf(set);
}

function commonBlocks([one, ...others]: readonly Cells[], line: AddressSpace): Pick<Extent, "blocks" | "otherBlocks"> {
  if (!one || !others.every((other) => isSame(one, other)) || isSame(one, cellsOf(line.whole))) return {};
  const rest = line.whole.slice();
  one.words.forEach((word, at) => (rest[word]! &= ~one.bits[at]!));
  const [blocks, otherBlocks] = [listOf(one, line), listOf(cellsOf(rest), line)];
  return { ...(blocks && { blocks }), ...(otherBlocks && { otherBlocks }) };
}

/** Bits may be signed or not. */
const isSame = (one: Cells, other: Cells) =>
  one.words.length === other.words.length &&
  one.words.every((word, at) => word === other.words[at] && (one.bits[at]! ^ other.bits[at]!) === 0);

function listOf(cells: Cells, line: AddressSpace): string[] | undefined {
  const ranges = families.flatMap((family) => line.rangesOf(cells, family));
  if (ranges.length > mostBlocks) return undefined;
  const blocks = ranges.flatMap(blocksOf);
  return blocks.length > mostBlocks ? undefined : blocks.map(formatBlock);
}

const usersOf = (countries: readonly string[]) =>
  BigInt(countries.reduce((sum, country) => sum + internetUsersOf(country), 0));

const partOf = (count: bigint, all: bigint) => (count === all ? 1 : between(count, all));

/** A quotient that rounding makes neither 0 nor 1. */
function between(count: bigint, all: bigint): number {
  return Math.min(Math.max(Number(count) / Number(all), Number.MIN_VALUE), 1 - Number.EPSILON / 2);
}
