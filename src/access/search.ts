/**
 * Whether a box has a request that is in none of some others: each of those is a clause, "some fact lies outside", and
 * the search goes through the fields with unit propagation, as a SAT solver does.
 */
import type { Box, Space } from "./space";

/** What is left to spend: each step of a search takes one. It is shared by searches that must end together. */
export interface Budget {
  left: number;
}

/** A box that is not to be hit, and the fields in which it does not hold every fact. */
export interface Obstacle {
  readonly box: Box;
  readonly fields: readonly (readonly [from: number, to: number])[];
}

const made = new WeakMap<Space, Map<string, Obstacle>>();

/** The same one for the same box of a space, so that what stands before and after a change is avoided once. */
export function obstacle(box: Box, space: Space): Obstacle {
  const known = made.get(space) ?? new Map<string, Obstacle>();
  made.set(space, known);
  const key = box.join();
  const one = known.get(key) ?? { box, fields: boundFields(box, space) };
  known.set(key, one);
  return one;
}

function boundFields(box: Box, { whole, spans }: Space): Obstacle["fields"] {
  return spans.filter(([from, to]) => box.subarray(from, to).some((bits, at) => bits !== whole[from + at]));
}

/** Thrown where the budget does not suffice. */
export class Undecided extends Error {}

/** What a search finds; undefined also where the budget does not suffice. */
export function ifDecided<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

/** A part of `box` outside of all obstacles, or undefined: there is none. */
export function search(box: Box, obstacles: readonly Obstacle[], budget: Budget): Box | undefined {
  if (budget.left-- <= 0) throw new Undecided();
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

/** Narrows the box as far as each obstacle alone demands. What is left to avoid; undefined: one cannot be avoided. */
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
