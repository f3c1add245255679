/** Checks that priorities follow the order, stay in the range, and change only if necessary. */
import fc from "../support/random";
import { prioritiesFor } from "../../src/constructs/priorities";

const whole = { first: 1, last: 100 };
const numbers = (ids: readonly string[], earlier?: Record<string, number>, { first, last } = whole) =>
  prioritiesFor(ids, first, last, earlier);

test("counts in tens without earlier priorities, or in smaller steps for many ACLs", () => {
  expect(numbers(["a", "b", "c"])).toEqual({ a: 10, b: 20, c: 30 });
  expect(Object.values(numbers(Array.from({ length: 25 }, (_, index) => `l${index}`))).slice(0, 3)).toEqual([3, 6, 9]);
  expect(numbers(["a", "b"], {}, { first: 41, last: 42 })).toEqual({ a: 41, b: 42 });
});

test("keeps the other priorities when an ACL is inserted or removed", () => {
  const earlier = { a: 10, b: 20, c: 30 };
  expect(numbers(["a", "x", "b", "c"], earlier)).toEqual({ a: 10, x: 15, b: 20, c: 30 });
  expect(numbers(["x", "a", "b", "c"], earlier)).toEqual({ x: 5, a: 10, b: 20, c: 30 });
  expect(numbers(["a", "b", "c", "x"], earlier)).toEqual({ a: 10, b: 20, c: 30, x: 40 });
  expect(numbers(["a", "c"], earlier)).toEqual({ a: 10, c: 30 });
});

test("moves only the neighbours if there is no free priority between them", () => {
  const earlier = { a: 1, b: 2, c: 50, d: 60 };
  expect(numbers(["a", "x", "b", "c", "d"], earlier)).toEqual({ a: 1, x: 17, b: 33, c: 50, d: 60 });
  expect(numbers(["a", "x"], { a: 100 })).toEqual({ a: 10, x: 20 });
});

test("refuses more ACLs than the range has priorities", () => {
  expect(() => numbers(["a", "b"], {}, { first: 7, last: 7 })).toThrow(
    "2 network ACLs do not fit between the priorities 7 and 7",
  );
});

const ids = fc.uniqueArray(fc.constantFrom(..."abcdefghijklmnop"), { maxLength: 16 });
const earlier = fc.dictionary(fc.constantFrom(..."abcdefghijklmnop"), fc.integer({ min: -5, max: 120 }));
const range = fc
  .tuple(fc.integer({ min: 1, max: 84 }), fc.nat(16))
  .map(([first, more]) => ({ first, last: first + 15 + more }));

test("increase within the range for any earlier priorities, and stay the same the next time", () => {
  fc.assert(
    fc.property(ids, earlier, fc.oneof(fc.constant(whole), range), (names, noted, within) => {
      const given = Object.values(numbers(names, noted, within));
      expect(given).toEqual([...new Set(given)].toSorted((a, b) => a - b));
      expect(given.every((number) => Number.isInteger(number) && number >= within.first && number <= within.last)).toBe(
        true,
      );
      const again = numbers(names, numbers(names, noted, within), within);
      expect(Object.values(again)).toEqual(given);
    }),
  );
});

test("keeps all other priorities while there is room between the neighbours", () => {
  fc.assert(
    fc.property(ids, fc.nat(16), (names, place) => {
      const before = numbers(names);
      const inserted = names.toSpliced(Math.min(place, names.length), 0, "new");
      expect(numbers(inserted, before)).toMatchObject(before);
    }),
  );
});
