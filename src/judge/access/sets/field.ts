/**
 * Groups the values of one fact into the fewest classes that some tests tell apart. A set of values is a number with one bit for each class:
 * with the tests "is in 10.0.0.0/8" and "is 10.0.0.1", addresses have three classes, and 10.0.0.0/8 is the set of two of them.
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
