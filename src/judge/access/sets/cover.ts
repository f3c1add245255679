/**
 * Describes a set of requests by few cases. A case is a cube of facts with a region of countries and addresses: "user agent curl, from
 * Germany". The cases of a description together are exactly the set: each lies in it, and none of its requests is missing.
 *
 * A description has a _plain_ region: the requests whose other facts no rule names. What the set has beyond that region are its further
 * cases, and what it lacks of that region are its exceptions. For example, the set of requests that a block of Germany newly blocks, behind
 * an allow of one user agent, has the plain region Germany, no further case, and one exception: that user agent.
 *
 * The cases are found one by one: a request that is not described yet, made as general as possible.
 */
import { allOf, type Bits, type Box, ifDecided, indexesIn } from "./way";
import type { World } from "./reach";
import {
  alone,
  type Domain,
  domainOf,
  find,
  isInBox,
  narrowed,
  type Piece,
  plainest,
  type Point,
  type Query,
  type Steps,
} from "./search";

/** Field -> the classes of its values. */
export type Cube = ReadonlyMap<number, Bits>;

export interface Case {
  readonly cube: Cube;
  /** Bit `country * addresses + address`. */
  readonly region: Bits;
  /** Whether the region is the plain region (of an exception), or everything (of a further case), as far as the cube permits. */
  readonly isWhole: boolean;
}

export interface Description {
  readonly plain: Bits;
  readonly further: readonly Case[];
  readonly exceptions: readonly Case[];
  /** Whether there are no more cases. */
  readonly isComplete: boolean;
}

/** More cases of a set are not searched. */
const mostCases = 200;

/** The requests of any of the parts. */
export function describe(set: readonly Piece[], world: World, steps: Steps): Description {
  const plain = regionAt(set, plainPoint(world), world);
  const outside = world.impossible.map(alone);
  const search = { set, plain, world, steps, outside, places: boxesOf(new Map(), plain, world).map(alone) };
  const [further, exceptions] = [allCases({ ...search, kind: "further" }), allCases({ ...search, kind: "exceptions" })];
  return {
    plain,
    further: further.cases,
    exceptions: exceptions.cases,
    isComplete: further.isComplete && exceptions.isComplete,
  };
}

interface Search {
  readonly kind: "further" | "exceptions";
  readonly set: readonly Piece[];
  readonly plain: Bits;
  /** The plain region in parts. */
  readonly places: readonly Piece[];
  /** Requests that do not exist. */
  readonly outside: readonly Piece[];
  readonly world: World;
  readonly steps: Steps;
}

function allCases(search: Search): Cases {
  const found: Case[] = [];
  const isComplete = ifDecided(() => {
    for (const one of casesOf(search)) {
      if (found.length >= mostCases) return false;
      found.push(one);
    }
    return true;
  });
  if (!isComplete) return { cases: found, isComplete: false };
  const simplest = found.toSorted((one, other) => one.cube.size - other.cube.size);
  return { cases: ifDecided(() => irredundant(simplest, search)) ?? simplest, isComplete };
}

interface Cases {
  readonly cases: readonly Case[];
  readonly isComplete: boolean;
}

/** The request whose facts no rule names. */
export const plainPoint = ({ fields }: World): Point => fields.map(() => 0);

/** All pairs of these countries and addresses. */
export function regionOf({ fields, ip }: World, countries: Bits, addresses: Bits): Bits {
  const width = BigInt(fields[ip]!.classes.length);
  return indexesIn(countries).reduce((bits, index) => bits | (addresses << (BigInt(index) * width)), 0n);
}

/** The countries and addresses from which requests with the other facts of the point are in the set. */
export function regionAt(set: readonly Piece[], point: Point, world: World): Bits {
  const { country, ip, fields } = world;
  const places = new Set([country, ip]);
  return bitsIn(set, (box) =>
    isInBox(point, box, places)
      ? regionOf(world, box.get(country) ?? fields[country]!.whole, box.get(ip) ?? fields[ip]!.whole)
      : 0n,
  );
}

/** The bits of any of the parts. */
function bitsIn(set: readonly Piece[], bitsOf: (box: Box) => Bits): Bits {
  return set.reduce((all, { box, except }) => {
    const own = bitsOf(box);
    return own === 0n ? all : all | (own & ~bitsIn(except, bitsOf));
  }, 0n);
}

/** The pairs of country and address that the facts permit. */
function feasibleIn(regions: Bits | undefined, world: World): Bits {
  const [{ whole: countries }, { whole: addresses }] = [world.fields[world.country]!, world.fields[world.ip]!];
  const homes = regions === undefined ? [undefined] : indexesIn(regions).map((index) => world.home(index));
  const own = homes.includes(undefined) ? countries : homes.reduce<Bits>((all, home) => all | home!, 0n);
  return regionOf(world, own, addresses);
}

/** The requests of a cube and a region, as boxes. */
export function boxesOf(cube: Cube, region: Bits, world: World): Box[] {
  const width = world.fields[world.ip]!.classes.length;
  const rows = new Map<Bits, Bits>();
  for (const country of indexesIn(world.fields[world.country]!.whole)) {
    const addresses = (region >> BigInt(country * width)) & allOf(width);
    if (addresses !== 0n) rows.set(addresses, (rows.get(addresses) ?? 0n) | (1n << BigInt(country)));
  }
  return [...rows].map(
    ([addresses, countries]) => new Map([...cube, [world.country, countries] as const, [world.ip, addresses] as const]),
  );
}

/** Requests that come directly are among those with their connecting address. */
const throughAny = (domain: Domain, { connecting }: World): Domain =>
  connecting ? domain.with(connecting.field, domain[connecting.field]! & ~1n) : domain;

function* casesOf({ kind, set, plain, places, outside, world, steps }: Search): Generator<Case> {
  const all = throughAny(domainOf(world), world);
  const [from, left] = kind === "further" ? [set, places] : [places, set];
  const described: Piece[] = [];
  const whole = kind === "further" ? feasibleIn(undefined, world) : plain;
  for (;;) {
    const queries = from.flatMap(({ box, except }): Query[] => {
      const domain = narrowed(all, box);
      return domain ? [{ domain, outside: [...except, ...outside, ...left, ...described] }] : [];
    });
    const point = plainest(queries, steps);
    if (!point) return;
    const feasible = feasibleIn(1n << BigInt(point[world.subdivision]!), world);
    const own = regionAt(set, point, world);
    const region = feasible & (kind === "further" ? own : plain & ~own);
    const cube = enlarged(point, region, described, { kind, set, plain, places, outside, world, steps });
    yield { cube, region, isWhole: (whole & feasibleIn(cube.get(world.subdivision), world) & ~region) === 0n };
    described.push(...boxesOf(cube, region, world).map(alone));
  }
}

/** The largest cube around the point of which all requests from the region are in the set, or none is. */
function enlarged(point: Point, region: Bits, described: readonly Piece[], search: Search): Cube {
  const { world } = search;
  const { fields } = world;
  const regions = boxesOf(new Map(), region, world);
  const free = fields.flatMap((_, field) => (field === world.country || field === world.ip ? [] : field));
  const own = fields.map(({ whole }, field) => (free.includes(field) ? 1n << BigInt(point[field]!) : whole));
  /** A request with these values that does not fit. */
  const misfit = (changed: readonly (readonly [field: number, bits: Bits])[]): Point | undefined => {
    const wider = [...own];
    for (const [field, bits] of changed) wider[field] = bits;
    return misfitIn(
      regions.map((box) => narrowed(wider, box)!),
      search,
    );
  };
  const drop = (some: readonly number[]): boolean => {
    const isFree = misfit(some.map((field) => [field, fields[field]!.whole])) === undefined;
    if (isFree) for (const field of some) own[field] = fields[field]!.whole;
    return isFree;
  };
  // First those that say what a fact is not.
  const plainFields = free.filter((field) => point[field] === (field === world.connecting?.field ? 1 : 0));
  if (!drop(plainFields)) for (const field of plainFields) drop([field]);
  for (const field of free) if (!plainFields.includes(field)) drop([field]);
  for (const field of free) {
    let open = throughAny(domainOf(world), world)[field]! & ~own[field]!;
    if (field === world.subdivision) open &= regionsIn(region, world);
    while (open !== 0n) {
      const wrong = misfit([[field, open]]);
      if (!wrong) own[field]! |= open;
      open &= wrong ? ~misfits(wrong, field, search) : 0n;
    }
    if (own[field] !== fields[field]!.whole)
      own[field]! &= ~describedValues(field, own, regions, described) | (1n << BigInt(point[field]!));
  }
  return new Map(free.flatMap((field) => (own[field] === fields[field]!.whole ? [] : [[field, own[field]!] as const])));
}

/** The subdivisions in which some of these places are. */
const regionsIn = (region: Bits, world: World): Bits =>
  indexesIn(world.fields[world.subdivision]!.whole).reduce((all, index) => {
    const own = 1n << BigInt(index);
    return (feasibleIn(own, world) & region) === 0n ? all : all | own;
  }, 0n);

/** The values of a field with which another case tells all these requests. */
function describedValues(field: number, own: Domain, regions: readonly Box[], described: readonly Piece[]): Bits {
  return regions.reduce((all, places) => {
    const here = narrowed(own, places)!;
    const inPart = described.reduce((values, { box }) => {
      const isDescribed = [...box].every(([other, bits]) => other === field || (here[other]! & ~bits) === 0n);
      return isDescribed ? values | (box.get(field) ?? here[field]!) : values;
    }, 0n);
    return all & inPart;
  }, own[field]!);
}

function misfitIn(domains: readonly Domain[], { kind, set, outside, steps }: Search): Point | undefined {
  const queries = domains.flatMap((domain): Query[] =>
    kind === "further"
      ? [{ domain, outside: [...outside, ...set] }]
      : set.flatMap(({ box, except }) => {
          const own = narrowed(domain, box);
          return own ? [{ domain: own, outside: [...except, ...outside] }] : [];
        }),
  );
  for (const query of queries) {
    const found = find(query, steps);
    if (found) return found.map((bits) => indexesIn(bits & -bits)[0]!);
  }
  return undefined;
}

/** The values of a field with which the request does not fit either. */
function misfits(point: Point, field: number, { kind, set, world }: Search): Bits {
  const itself = 1n << BigInt(point[field]!);
  if (field === world.subdivision) return itself;
  const { whole } = world.fields[field]!;
  const ignored = new Set([field]);
  const valuesIn = (box: Box) => (isInBox(point, box, ignored) ? (box.get(field) ?? whole) : 0n);
  const own = bitsIn(set, valuesIn);
  return itself | (kind === "further" ? whole & ~own : own);
}

/** Leaves out each case of which the others have every request. */
function irredundant(cases: readonly Case[], { kind, places, outside, world, steps }: Search): Case[] {
  const parts = new Map(cases.map((one) => [one, boxesOf(one.cube, one.region, world).map(alone)]));
  let kept = cases;
  for (const one of cases) {
    const others = kept.filter((other) => other !== one);
    const rest = [...outside, ...(kind === "further" ? places : []), ...others.flatMap((other) => parts.get(other)!)];
    const isNeeded = parts.get(one)!.some(({ box }) => {
      const domain = narrowed(domainOf(world), box);
      return domain && find({ domain, outside: rest }, steps);
    });
    if (!isNeeded) kept = others;
  }
  return [...kept];
}
