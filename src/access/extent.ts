/** Measures sets of pairs of country and address: how many Internet users and how many addresses they have. */
import { blocksOf, cellsOf, empty, type AddressSpace, type Cells } from "./address-set";
import { formatBlock, type Block } from "./cidr";
import { internetUsersOf } from "./country";

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
  /** Country -> affected share of its addresses: the larger share of the two families. Only countries with affected addresses. */
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

/** The affected addresses in the countries of each group, by the index of the group. A part may overlap other parts. */
export type Region = ReadonlyMap<number, readonly Cells[]>;

const mostBlocks = 64;
const families = [4, 6] as const;
type Family = (typeof families)[number];

interface Sizes {
  readonly 4: bigint;
  readonly 6: bigint;
}

/** `groups`: countries with the same affected addresses in all regions. */
export function createMeasure(
  groups: readonly (readonly string[])[],
  line: AddressSpace,
): (regions: readonly Region[]) => Extent {
  const users = groups.map((group) => BigInt(group.reduce((sum, country) => sum + internetUsersOf(country), 0)));
  const allUsers = users.reduce((sum, own) => sum + own, 0n);
  // Regions often share their cells.
  const known = new WeakMap<Cells, Sizes>();
  const sizesOf = (cells: Cells) => {
    const sizes = known.get(cells) ?? { 4: line.sizeOf(cells, 4), 6: line.sizeOf(cells, 6) };
    known.set(cells, sizes);
    return sizes;
  };
  const whole = sizesOf(cellsOf(line.whole));
  const partOf = (count: bigint, all: bigint) => (count === 0n ? 0 : count === all ? 1 : between(count, all));
  return (regions) => {
    const affected = unionOf(regions, line);
    const parts = [...affected].map(([group, cells]) => ({ group, countries: groups[group]!, sizes: sizesOf(cells) }));
    const share = (family: Family) => {
      const some = parts.filter(({ sizes }) => sizes[family] > 0n);
      if (some.length === 0) return 0;
      if (some.length === groups.length && some.every(({ sizes }) => sizes[family] === whole[family])) return 1;
      const count = some.reduce((sum, { group, sizes }) => sum + users[group]! * sizes[family], 0n);
      return between(count, allUsers * whole[family]);
    };
    const most = (family: Family) => parts.reduce((max, { sizes }) => (sizes[family] > max ? sizes[family] : max), 0n);
    const isWhole = ({ sizes }: { sizes: Sizes }) => families.every((family) => sizes[family] === whole[family]);
    const shareIn = ({ sizes }: { sizes: Sizes }) =>
      Math.max(...families.map((family) => partOf(sizes[family], whole[family])));
    const countriesOf = (chosen: typeof parts) => chosen.flatMap(({ countries }) => countries).toSorted();
    return {
      ipv4: share(4),
      ipv6: share(6),
      countries: countriesOf(parts),
      wholeCountries: countriesOf(parts.filter(isWhole)),
      byCountry: new Map(parts.flatMap((part) => part.countries.map((country) => [country, shareIn(part)] as const))),
      addresses: { ipv4: most(4), ipv6: most(6) },
      ...commonBlocks([...affected.values()], line),
    };
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

const isSame = (one: Cells, other: Cells) =>
  one === other ||
  (one.words.length === other.words.length &&
    one.words.every((word, at) => word === other.words[at] && one.bits[at] === other.bits[at]));

/** Undefined if the list is too long. */
function listOf(cells: Cells, line: AddressSpace): string[] | undefined {
  const blocks: Block[] = [];
  for (const range of families.flatMap((family) => line.rangesOf(cells, family, mostBlocks + 1))) {
    blocks.push(...blocksOf(range));
    if (blocks.length > mostBlocks) return undefined;
  }
  return blocks.map(formatBlock);
}

/** A quotient that rounding makes neither 0 nor 1. */
function between(count: bigint, all: bigint): number {
  return Math.min(Math.max(Number(count) / Number(all), Number.MIN_VALUE), 1 - Number.EPSILON / 2);
}
