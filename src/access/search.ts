/** Searches a box for a request outside of all obstacles, with unit propagation like a SAT solver: each obstacle is a clause. */
import type { Box, Space } from "./space";

/** The remaining steps. Several searches may share them. */
export interface Budget {
  left: number;
}

/** A box to avoid, and the fields that it restricts. */
export interface Obstacle {
  /** The number of the obstacle in its space. */
  readonly id: number;
  readonly box: Box;
  readonly fields: readonly (readonly [from: number, to: number])[];
}

const made = new WeakMap<Space, Map<string, Obstacle>>();

/** Returns the same obstacle for equal boxes, so that an unchanged rule is avoided once. */
export function obstacle(box: Box, space: Space): Obstacle {
  const known = made.get(space) ?? new Map<string, Obstacle>();
  made.set(space, known);
  const key = box.join();
  const one = known.get(key) ?? { id: known.size, box, fields: boundFields(box, space) };
  known.set(key, one);
  return one;
}

function boundFields(box: Box, { whole, spans }: Space): Obstacle["fields"] {
  return spans.filter(([from, to]) => box.subarray(from, to).some((bits, at) => bits !== whole[from + at]));
}

/** The budget is used up. */
export class Undecided extends Error {}

/** Thrown often, and each new error would read the call stack. */
export const undecided = new Undecided();

/** The result, or undefined if the budget is used up. */
export function ifDecided<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

/** Limits each search, and all together. Undefined: the steps do not suffice. */
export function allowance(each: number, all: number): <Found>(find: (budget: Budget) => Found) => Found | undefined {
  let left = all;
  return (find) => {
    const granted = Math.min(each, left);
    const budget: Budget = { left: granted };
    const found = ifDecided(() => find(budget));
    left -= granted - Math.max(budget.left, 0);
    return found;
  };
}

/** The same requests as a smaller box with fewer obstacles. Undefined if no request is left. */
export function narrowed(box: Box, obstacles: readonly Obstacle[]) {
  const rest = box.slice();
  const open = propagate(rest, obstacles);
  return open && { box: rest, obstacles: open };
}

/** A part of the box outside of all obstacles, if there is one. */
export function search(box: Box, obstacles: readonly Obstacle[], budget: Budget): Box | undefined {
  if (budget.left-- <= 0) throw undecided;
  const rest = box.slice();
  const open = propagate(rest, obstacles);
  if (open === undefined) return undefined;
  const [first] = open;
  if (first === undefined) return rest;
  const [from, to] = first.fields.find((field) => !isInside(rest, first.box, field))!;
  const away = rest.slice();
  const into = rest;
  for (let word = from; word < to; word++) {
    away[word]! &= ~first.box[word]!;
    into[word]! &= first.box[word]!;
  }
  return search(away, open, budget) ?? search(into, open, budget);
}

/** Narrows the box for obstacles with a single way around them. Returns the others, or undefined if one cannot be avoided. */
function propagate(rest: Box, obstacles: readonly Obstacle[]): Obstacle[] | undefined {
  let open: Obstacle[] = [];
  let left = obstacles;
  for (let changed = true; changed; left = open) {
    changed = false;
    open = [];
    for (const one of left) {
      let ways = 0;
      let way: readonly [number, number] | undefined;
      for (const field of one.fields) {
        if (isApart(rest, one.box, field)) {
          ways = Infinity;
          break;
        }
        if (isInside(rest, one.box, field)) continue;
        ways++;
        way = field;
      }
      if (ways === Infinity) continue;
      if (way === undefined) return undefined;
      if (ways > 1) open.push(one);
      else {
        for (let word = way[0]; word < way[1]; word++) rest[word]! &= ~one.box[word]!;
        changed = true;
      }
    }
  }
  return open;
}

/** Whether a request of the box may be in the obstacle. */
export function isHit(box: Box, one: Obstacle): boolean {
  for (const field of one.fields) if (isApart(box, one.box, field)) return false;
  return true;
}

/** Whether every request of the box is in the obstacle. */
export function isCovered(box: Box, one: Obstacle): boolean {
  for (const field of one.fields) if (!isInside(box, one.box, field)) return false;
  return true;
}

function isApart(rest: Box, box: Box, [from, to]: readonly [number, number]): boolean {
  for (let word = from; word < to; word++) if ((rest[word]! & box[word]!) !== 0) return false;
  return true;
}

function isInside(rest: Box, box: Box, [from, to]: readonly [number, number]): boolean {
  for (let word = from; word < to; word++) if ((rest[word]! & ~box[word]!) !== 0) return false;
  return true;
}
