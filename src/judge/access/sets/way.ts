/**
 * Ways in which a rule matches: boxes of requests, each under a condition. The rule "country de, host x" has two ways to match: never
 * certainly, and host x in Germany under the condition that letter case does not matter.
 *
 * A field groups the values of one fact into the fewest classes that the tests of the rules tell apart, with one bit for each class.
 */
import type { FactName } from "../facts";

export type Bits = bigint;

export interface Field<Value = unknown> {
  readonly fact: FactName;
  /** The values of each class, the plainest class first. */
  readonly classes: readonly (readonly Value[])[];
  readonly whole: Bits;
  /** The set of a test. It must be one of the tests of the field. */
  set(test: Test<Value>): Bits;
}

export type Test<Value> = (value: Value) => boolean;

/** `values`: the plainest first. */
export function createField<Value>(
  fact: FactName,
  values: readonly Value[],
  tests: readonly Test<Value>[],
): Field<Value> {
  const classes = new Map<string, Value[]>();
  for (const value of values) {
    const key = tests.map((test) => (test(value) ? "1" : "0")).join("");
    const own = classes.get(key) ?? [];
    classes.set(key, own);
    own.push(value);
  }
  const keys = [...classes.keys()];
  const sets = new Map(
    tests.map((test, at) => [test, bitsOf(keys.flatMap((key, index) => (key[at] === "1" ? index : [])))]),
  );
  return { fact, classes: [...classes.values()], whole: allOf(keys.length), set: (test) => sets.get(test)! };
}

export const bitsOf = (indexes: readonly number[]): Bits =>
  indexes.reduce((bits, index) => bits | (1n << BigInt(index)), 0n);

/** The set of the first `count` classes. */
export const allOf = (count: number): Bits => (1n << BigInt(count)) - 1n;

export const has = (bits: Bits, index: number): boolean => ((bits >> BigInt(index)) & 1n) === 1n;

export function indexesIn(bits: Bits): number[] {
  const found: number[] = [];
  for (let index = 0, rest = bits; rest > 0n; index++, rest >>= 1n) if ((rest & 1n) === 1n) found.push(index);
  return found;
}

/** A search takes too long. */
export class Undecided extends Error {}

/** The result, or undefined if the search takes too long. */
export function ifDecided<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

/** Restricts fields by their index. */
export type Box = ReadonlyMap<number, Bits>;

/** The name of an assumption -> its answer. Empty: certainly. An assumption has one answer for all ACLs, before and after a change. */
export type Condition = ReadonlyMap<string, boolean>;

/** The rule matches the requests of the box if the condition holds. */
export interface Way {
  readonly box: Box;
  readonly given: Condition;
}

export const possibleBoxes = (ways: readonly Way[]): Box[] => ways.map(({ box }) => box);

export type Cuts = readonly (readonly [field: number, set: Bits])[];

/** A criterion matches the requests inside of all cuts if the condition holds. */
export interface Alternative {
  readonly cuts: Cuts;
  readonly given: Condition;
}

/** One signal of a rule. It matches if one of the alternatives does. */
export interface Part {
  readonly side: "match" | "not_match";
  readonly alternatives: readonly Alternative[];
}

type Fields = readonly Field[];

const always: Condition = new Map();

/** More conditions of one rule become one: that what is not known about the rule lets it match. */
const mostConditions = 16;

/** How a rule of these parts matches. `given`: what it depends on as a whole. `isShared`: whether other rules have the assumption too. */
export function waysOf(
  parts: readonly Part[],
  fields: Fields,
  given: Condition,
  name: string,
  isShared: (assumption: string) => boolean,
): Way[] {
  const found = productOf(parts, fields, given, mostConditions);
  if (found) return found;
  const merged = parts.map(({ side, alternatives }): Part => {
    const rename = (condition: Condition): Condition =>
      new Map([...condition].map(([one, answer]) => (isShared(one) ? [one, answer] : [name, side === "match"])));
    return { side, alternatives: alternatives.map((one) => ({ ...one, given: rename(one.given) })) };
  });
  return productOf(merged, fields, given, Infinity)!;
}

/** Undefined: there are too many conditions. */
function productOf(parts: readonly Part[], fields: Fields, given: Condition, most: number): Way[] | undefined {
  let ways: readonly Way[] = [{ box: new Map(), given }];
  for (const { side, alternatives } of parts) {
    const own = side === "match" ? alternatives : outside(alternatives, fields);
    ways = widest(ways.flatMap((way) => own.flatMap((one) => within(way, one) ?? [])));
    const conditions = new Set(ways.map((way) => JSON.stringify([...way.given].toSorted())));
    if (conditions.size > most) return undefined;
  }
  return [...ways];
}

/** The requests that none of the alternatives matches. */
function outside(alternatives: readonly Alternative[], fields: Fields): Alternative[] {
  const ways = alternatives.reduce<readonly Way[]>(
    (rest, { cuts, given }) => {
      const others = [
        ...cuts.map(([field, bits]) => ({ cuts: [[field, fields[field]!.whole & ~bits]] as Cuts, given: always })),
        ...[...given].map(([name, answer]) => ({ cuts: [], given: new Map([[name, !answer]]) })),
      ];
      return widest(rest.flatMap((way) => others.flatMap((other) => within(way, other) ?? [])));
    },
    [{ box: new Map(), given: always }],
  );
  return ways.map(({ box, given }) => ({ cuts: [...box], given }));
}

/** Undefined: no request is in both, or the conditions contradict each other. */
function within({ box, given }: Way, one: Alternative): Way | undefined {
  const inner = narrowed(box, one.cuts);
  if (!inner || [...one.given].some(([name, answer]) => given.get(name) === !answer)) return undefined;
  return { box: inner, given: one.given.size === 0 ? given : new Map([...given, ...one.given]) };
}

/** Without the ways that are a part of another one. */
function widest(ways: readonly Way[]): Way[] {
  const isPart = (one: Way, of: Way) =>
    [...of.given].every(([name, answer]) => one.given.get(name) === answer) &&
    [...of.box].every(([field, bits]) => {
      const own = one.box.get(field);
      return own !== undefined && (own & ~bits) === 0n;
    });
  const kept: Way[] = [];
  for (const way of ways) {
    if (kept.some((other) => isPart(way, other))) continue;
    kept.splice(0, kept.length, ...kept.filter((other) => !isPart(other, way)), way);
  }
  return kept;
}

/** Undefined: a field has no values left. */
export function narrowed(box: Box, cuts: Cuts): Box | undefined {
  const rest = new Map(box);
  for (const [field, set] of cuts) {
    const bits = (rest.get(field) ?? set) & set;
    if (bits === 0n) return undefined;
    rest.set(field, bits);
  }
  return rest;
}
