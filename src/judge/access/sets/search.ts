/**
 * Searches for a request: in a box, and outside of others. Each box that it must leave out is a clause (one of its fields has a value
 * outside), so the search narrows the fields that are the only way out, and branches on the clause with the fewest ways out.
 */
import { type Bits, type Box, has, indexesIn, Undecided } from "./way";
import type { World } from "./reach";

/** For each field, the classes that are left. */
export type Domain = readonly Bits[];

/** One class of each field. */
export type Point = readonly number[];

/** The requests of a box outside of the other parts. */
export interface Piece {
  readonly box: Box;
  readonly except: readonly Piece[];
}

/** A search of one of the boxes, outside of all these parts. */
export interface Query {
  readonly domain: Domain;
  readonly outside: readonly Piece[];
}

/** Ends a search that takes too long: throws Undecided. */
export class Steps {
  constructor(private left: number) {}

  take(count: number): void {
    this.left -= count;
    if (this.left < 0) throw new Undecided();
  }

  /** Runs one of so many searches with an equal share of the steps. */
  shared<Found>(count: number, search: (steps: Steps) => Found): Found {
    const share = Math.floor(this.left / count);
    const own = new Steps(share);
    const found = search(own);
    this.left -= share - Math.max(own.left, 0);
    return found;
  }
}

export const domainOf = ({ fields }: World): Domain => fields.map(({ whole }) => whole);

/** Undefined if no request is left. */
export function narrowed(domain: Domain, box: Box): Domain | undefined {
  const own = [...domain];
  for (const [field, bits] of box) {
    own[field]! &= bits;
    if (own[field] === 0n) return undefined;
  }
  return own;
}

/** Whether all requests of the box are in the other one. */
export const isPartOf = (small: Box, large: Box): boolean => {
  for (const [field, bits] of large) {
    const own = small.get(field);
    if (own === undefined || (own & ~bits) !== 0n) return false;
  }
  return true;
};

export const alone = (box: Box): Piece => ({ box, except: [] });

export const isInBox = (point: Point, box: Box, ignored?: ReadonlySet<number>): boolean => {
  for (const [field, bits] of box) if (!has(bits, point[field]!) && !ignored?.has(field)) return false;
  return true;
};

export const isIn = (point: Point, { box, except }: Piece): boolean =>
  isInBox(point, box) && !except.some((one) => isIn(point, one));

/** Some requests that are in the domain and outside of the parts. */
export function find({ domain, outside }: Query, steps: Steps): Domain | undefined {
  let own = [...domain];
  let open = outside;
  for (;;) {
    const state = propagated(own, open, steps);
    if (!state) return undefined;
    if (!state.chosen) return own;
    open = state.open;
    if (withPlainWaysOut(own, open)) continue;
    steps.take(open.length);
    const { chosen } = state;
    const { box, except } = chosen;
    const others = open.filter((part) => part !== chosen);
    for (const [field, bits] of box) {
      const out = own[field]! & ~bits;
      if (out === 0n) continue;
      const found = find({ domain: own.with(field, out), outside: open }, steps);
      if (found) return found;
      own = own.with(field, own[field]! & bits);
    }
    for (const one of except) {
      const inside = narrowed(own, one.box);
      const found = inside && find({ domain: inside, outside: [...others, ...one.except] }, steps);
      if (found) return found;
    }
    return undefined;
  }
}

/** Narrows `own` where a part leaves one way out. Undefined if one leaves none. `chosen`: the part with the fewest ways out. */
function propagated(own: Bits[], outside: readonly Piece[], steps: Steps) {
  let open = outside;
  for (;;) {
    const rest: Piece[] = [];
    let chosen: Piece | undefined;
    let [fewest, isNarrowed] = [Infinity, false];
    for (const part of open) {
      steps.take(1 + part.except.length);
      const ways = waysOut(part, own);
      if (ways === undefined) continue;
      if (ways.count === 0) return undefined;
      if (ways.count > 1) {
        rest.push(part);
        if (ways.count < fewest) [fewest, chosen] = [ways.count, part];
        continue;
      }
      isNarrowed = true;
      if (ways.field !== undefined) own[ways.field]! &= ~part.box.get(ways.field)!;
      else {
        for (const [field, bits] of ways.inside!.box) own[field]! &= bits;
        rest.push(...ways.inside!.except);
      }
    }
    if (!isNarrowed) return { chosen, open: rest };
    open = rest;
  }
}

/** Undefined if all requests are outside. */
function waysOut({ box, except }: Piece, own: Domain) {
  let [count, field]: [number, number | undefined] = [0, undefined];
  for (const [index, bits] of box) {
    const inside = own[index]! & bits;
    if (inside === 0n) return undefined;
    if (inside !== own[index]) [count, field] = [count + 1, index];
  }
  let inside: Piece | undefined;
  for (const one of except) {
    const how = overlapOf(one.box, own);
    if (how === "all" && one.except.length === 0) return undefined;
    if (how !== "none") [count, field, inside] = [count + 1, undefined, one];
  }
  return { count, field, inside };
}

function overlapOf(box: Box, own: Domain): "none" | "some" | "all" {
  let isAll = true;
  for (const [index, bits] of box) {
    const inside = own[index]! & bits;
    if (inside === 0n) return "none";
    if (inside !== own[index]) isAll = false;
  }
  return isAll ? "all" : "some";
}

/** A value that is outside of every part loses no solution. */
function withPlainWaysOut(own: Bits[], open: readonly Piece[]): boolean {
  const free = [...own];
  for (const { box, except } of open) {
    for (const [field, bits] of box) free[field]! &= ~bits;
    for (const one of except) keepInside(one, box, free);
  }
  let isNarrowed = false;
  free.forEach((bits, field) => {
    if (bits === 0n || bits === own[field]) return;
    own[field] = bits;
    isNarrowed = true;
  });
  return isNarrowed;
}

/** A value must not lead out of the exceptions of a part, nor into theirs. */
function keepInside({ box, except }: Piece, outer: Box, free: Bits[]): void {
  for (const [field, bits] of box) if (!outer.has(field)) free[field]! &= bits;
  for (const one of except) {
    for (const [field, bits] of one.box) free[field]! &= ~bits;
    for (const inner of one.except) keepInside(inner, one.box, free);
  }
}

const lowest = (bits: Bits): number => indexesIn(bits & -bits)[0]!;

/** The request with the plainest values, the first field first. */
export function plainest(queries: readonly Query[], steps: Steps): Point | undefined {
  let [left, found] = firstOf(queries, steps);
  if (!found) return undefined;
  const point: number[] = [];
  for (let field = 0; field < found.length; field++) {
    for (;;) {
      const below: Bits = (1n << BigInt(lowest(found[field]!))) - 1n;
      const plainer = below === 0n ? [] : within(left, field, below);
      const [rest, better]: ReturnType<typeof firstOf> = firstOf(plainer, steps);
      if (!better) break;
      [left, found] = [rest, better];
    }
    point.push(lowest(found[field]!));
    left = within(left, field, 1n << BigInt(point[field]!));
  }
  return point;
}

/** The first solution, and the queries that may have others. */
function firstOf(queries: readonly Query[], steps: Steps): [readonly Query[], Domain | undefined] {
  for (let index = 0; index < queries.length; index++) {
    const found = find(queries[index]!, steps);
    if (found) return [queries.slice(index), found];
  }
  return [[], undefined];
}

const within = (queries: readonly Query[], field: number, bits: Bits): Query[] =>
  queries.flatMap(({ domain, outside }) => {
    const own = domain[field]! & bits;
    return own === 0n ? [] : [{ domain: domain.with(field, own), outside }];
  });
