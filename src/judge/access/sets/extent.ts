/** Measures a set of pairs of country and address, and says it exactly in countries and blocks. */
import {
  addressAt,
  ascending,
  exampleIn,
  families,
  familyOf,
  isHostRange,
  mappedRange,
  rangeBlock,
  type Family,
  type Range,
} from "../cidr";
import { countries as everyCountry, internetUsersOf } from "../fact-forms";
import { allOf, indexesIn, type Bits } from "./way";
import type { World } from "./reach";

/** The entries, or everything except them. */
export type Entries =
  | {
      /** These. */
      readonly in: readonly string[];
    }
  | {
      /** All but these. */
      readonly outside: readonly string[];
    };

/** All pairs of one of the countries and one of the addresses. A request without a country is outside of every country. */
export interface Area {
  /** ISO 3166-1 codes. */
  readonly countries: Entries;
  /** Blocks (`10.0.0.0/8`) and ranges (`10.0.0.0-10.0.0.2`). */
  readonly addresses: Entries;
  /** The addresses are those that connect. Left out: those of users. */
  readonly by?: "connecting_ip";
}

export interface Extent {
  /** Without common requests, the largest first. */
  readonly areas: readonly Area[];
  /**
   * The share of the requests over IPv4, and over IPv6. The addresses of a family count equally, and a country counts by its Internet
   * users. 0 exactly if no address of a host is affected, and 1 exactly if all are.
   */
  readonly ipv4: number;
  readonly ipv6: number;
  /** Countries with at least one affected address. */
  readonly countries: readonly string[];
  /** Countries with only affected addresses. */
  readonly wholeCountries: readonly string[];
  /** Country -> affected share of its addresses: the larger share of the two families. Only countries with affected addresses. */
  readonly byCountry: ReadonlyMap<string, number>;
  /** The most affected addresses of one country. */
  readonly addresses: { readonly ipv4: bigint; readonly ipv6: bigint };
}

type Sizes = Readonly<Record<Family, bigint>>;

/** The addresses of hosts. */
function sizesOf(ranges: readonly Range[]): Sizes {
  const sizes = { 4: 0n, 6: 0n };
  for (const range of ranges) if (isHostRange(range)) sizes[familyOf(range[0])] += range[1] - range[0];
  return sizes;
}

/** Rows of a set: the addresses in each class of countries. */
function rowsOf(set: Bits, world: World): { readonly country: number; readonly addresses: Bits }[] {
  const width = world.fields[world.ip]!.classes.length;
  const whole = allOf(width);
  return world.fields[world.country]!.classes.flatMap((_, country) => {
    const addresses = (set >> BigInt(country * width)) & whole;
    return addresses === 0n ? [] : [{ country, addresses }];
  });
}

export interface Pairs extends Sizes {
  /** The addresses in each group of countries. */
  readonly rows: readonly Bits[];
}

/** Counts the pairs of a country and an address of a host. */
export function pairsIn(set: Bits, world: World): Pairs {
  const pairs = { 4: 0n, 6: 0n };
  const rows = rowsOf(set, world).flatMap(({ country, addresses }) => {
    const codes = codesIn(world, country).filter((code) => code !== undefined && known.has(code)).length;
    if (codes === 0) return [];
    const sizes = sizesOf(rangesIn(world, addresses));
    for (const family of families) pairs[family] += BigInt(codes) * sizes[family];
    return addresses;
  });
  return { ...pairs, rows };
}

const codesIn = (world: World, country: number) =>
  world.fields[world.country]!.classes[country] as readonly (string | undefined)[];

const rangesIn = (world: World, addresses: Bits): Range[] =>
  indexesIn(addresses).flatMap((index) => world.fields[world.ip]!.classes[index] as readonly Range[]);

export function extentOf(set: Bits, world: World): Extent {
  const all = sizesOf(rangesIn(world, world.fields[world.ip]!.whole));
  const rows = rowsOf(set, world).map(({ country, addresses }) => ({
    codes: codesIn(world, country).filter((code) => code !== undefined && known.has(code)) as string[],
    isWhole: addresses === world.fields[world.ip]!.whole,
    sizes: sizesOf(rangesIn(world, addresses)),
  }));
  const usersOf = (codes: readonly string[]) => codes.reduce((sum, code) => sum + internetUsersOf(code), 0);
  const users = usersOf(everyCountry);
  const share = (family: Family) => {
    const some = rows.filter(({ sizes }) => sizes[family] > 0n);
    const isAll = some.length > 0 && some.flatMap(({ codes }) => codes).length === everyCountry.length;
    if (isAll && some.every(({ sizes, codes }) => codes.length === 0 || sizes[family] === all[family])) return 1;
    if (some.length === 0) return 0;
    const part = some.reduce((sum, { codes, sizes }) => sum + BigInt(usersOf(codes)) * sizes[family], 0n);
    return between(part, BigInt(users) * all[family]);
  };
  const most = (family: Family) => rows.reduce((max, { sizes }) => (sizes[family] > max ? sizes[family] : max), 0n);
  const shareIn = (sizes: Sizes) =>
    Math.max(
      ...families.map((family) =>
        sizes[family] === 0n ? 0 : sizes[family] === all[family] ? 1 : between(sizes[family], all[family]),
      ),
    );
  const listed = (chosen: typeof rows) => chosen.flatMap(({ codes }) => codes).toSorted();
  return {
    areas: areasOf(set, world),
    ipv4: share(4),
    ipv6: share(6),
    countries: listed(rows),
    wholeCountries: listed(rows.filter(({ isWhole }) => isWhole)),
    byCountry: new Map(rows.flatMap(({ codes, sizes }) => codes.map((code) => [code, shareIn(sizes)] as const))),
    addresses: { ipv4: most(4), ipv6: most(6) },
  };
}

const known: ReadonlySet<string> = new Set(everyCountry);

/** Countries with the same addresses are one area. */
export function areasOf(set: Bits, world: World): Area[] {
  const groups = new Map<Bits, number[]>();
  for (const { country, addresses } of rowsOf(set, world)) {
    const own = groups.get(addresses) ?? [];
    groups.set(addresses, own);
    own.push(country);
  }
  const { classes } = world.fields[world.country]!;
  const by = world.fields[world.ip]!.fact === "connecting_ip" ? { by: "connecting_ip" as const } : {};
  const areas = [...groups].map(([addresses, own]) => {
    const codes = own.flatMap((country) => codesIn(world, country));
    const others = classes.flatMap((_, country) => (own.includes(country) ? [] : codesIn(world, country)));
    const isIn = !codes.includes(undefined);
    const texts = (isIn ? codes : others).flatMap((code) => code ?? []).toSorted();
    return {
      size: codes.reduce((sum, code) => sum + (code === undefined ? 0 : internetUsersOf(code)), 0),
      countries: isIn ? { in: texts } : { outside: texts },
      addresses: addressesOf(addresses, world),
    };
  });
  return areas
    .toSorted((one, other) => other.size - one.size)
    .map(({ countries, addresses }) => ({ countries, addresses, ...by }));
}

/** In the form with fewer entries, of which blocks are easier to read than ranges. */
function addressesOf(addresses: Bits, world: World): Entries {
  const own = rangeTexts(rangesIn(world, addresses));
  const others = rangeTexts(rangesIn(world, world.fields[world.ip]!.whole & ~addresses));
  const weight = (texts: readonly string[]) => texts.length + texts.filter((text) => text.includes("-")).length;
  return weight(own) <= weight(others) && others.length > 0 ? { in: own } : { outside: others };
}

/** `10.0.0.0/8`, `10.0.0.0-10.0.0.2`. IPv4-mapped addresses are in none, because no request has one. */
export function rangeTexts(ranges: readonly Range[]): string[] {
  const joined: [bigint, bigint][] = [];
  for (const [from, to] of ranges.toSorted(([one], [other]) => ascending(one, other))) {
    const last = joined.at(-1);
    const isNext = last?.[1] === from || (last?.[1] === mappedRange[0] && from === mappedRange[1]);
    if (last && isNext && familyOf(last[0]) === familyOf(from)) last[1] = to;
    else joined.push([from, to]);
  }
  return joined.map((range) => rangeBlock(range) ?? `${addressAt(range[0])}-${addressAt(range[1] - 1n)}`);
}

/** The plainest address of a class. */
export function addressIn(world: World, field: number, index: number): string {
  const ranges = world.fields[field]!.classes[index] as readonly Range[];
  return addressAt(exampleIn(ranges[0]!).at);
}

/** The first pair of a set: the plainest country and address. */
export function firstIn(set: Bits, world: World): { readonly country: number; readonly ip: number } {
  const width = world.fields[world.ip]!.classes.length;
  const [first] = rowsOf(set, world);
  const index = [...first!.addresses.toString(2)].toReversed().indexOf("1");
  return { country: first!.country, ip: index % width };
}

/** A quotient that rounding makes neither 0 nor 1. */
function between(count: bigint, all: bigint): number {
  return Math.min(Math.max(Number(count) / Number(all), Number.MIN_VALUE), 1 - Number.EPSILON / 2);
}
