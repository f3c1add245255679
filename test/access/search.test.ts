/** Compares the search with every point of a small space. */
import fc from "../support/random";
import { includes } from "../../src/access/boxes";
import { ifDecided, isCovered, isHit, obstacle, search, Undecided } from "../../src/access/search";
import { createSpace, type Box, type Space } from "../../src/access/space";
import { block } from "./support/acl";
import { expectSeen } from "../support/seed";

/** Fields of three facts each, and all points of these fields. */
const fields = 4;
const whole = new Int32Array(fields).fill(0b111);
const space = { whole, spans: Array.from({ length: fields }, (_, at) => [at, at + 1] as const) } as unknown as Space;
const points = Array.from({ length: 3 ** fields }, (_, number) =>
  Int32Array.from({ length: fields }, (_none, at) => 1 << (Math.floor(number / 3 ** at) % 3)),
);
const set = fc.oneof(fc.constant(0b111), fc.integer({ min: 1, max: 7 }));
const anyBox = fc.array(set, { minLength: fields, maxLength: fields }).map((sets) => Int32Array.from(sets));
const inBox = (box: Box) => points.filter((point) => includes(box, point));

test("finds a part of the box outside of all obstacles exactly if it exists", () => {
  const seen = { found: 0, none: 0 };
  fc.assert(
    fc.property(anyBox, fc.array(anyBox, { maxLength: 12 }), (box, others) => {
      const obstacles = others.map((other) => obstacle(other, space));
      const given = box.slice();
      const found = search(box, obstacles, { left: 1000 });
      expect(box).toEqual(given);
      const isFree = (point: Box) => !others.some((other) => includes(other, point));
      const free = inBox(box).filter(isFree);
      if (found === undefined) {
        expect(free).toEqual([]);
        seen.none++;
      } else {
        const some = inBox(found);
        expect(some).not.toEqual([]);
        expect(some.filter((point) => !includes(box, point) || !isFree(point))).toEqual([]);
        seen.found++;
      }
    }),
    { numRuns: 2000 },
  );
  expectSeen(Math.min(...Object.values(seen)), 100);
});

test("searches another field if the obstacle covers one field", () => {
  const [corner, left, right] = [
    [0b001, 0b001],
    [0b110, 0b011],
    [0b110, 0b100],
  ].map((sets) => obstacle(Int32Array.from([...sets, 0b111, 0b111]), space));
  const found = search(whole, [corner!, left!, right!], { left: 100 });
  expect([...found!]).toEqual([0b001, 0b110, 0b111, 0b111]);
});

test("detects whether an obstacle overlaps a box, and whether it covers the box", () => {
  fc.assert(
    fc.property(anyBox, anyBox, (box, other) => {
      const one = obstacle(other, space);
      const own = inBox(box);
      expect(isHit(box, one)).toBe(own.some((point) => includes(other, point)));
      expect(isCovered(box, one)).toBe(own.every((point) => includes(other, point)));
    }),
  );
});

test("merges an obstacle that exists before and after the change, with the fields that it restricts", () => {
  const numbers = Array.from({ length: 40 }, (_, index) => block({ match: { asns: [index] } }, index + 1));
  const large = createSpace(numbers, [new Map()]);
  const [from, to] = large.spans.find(([start, end]) => end - start === 2)!;
  const box = large.whole.map((bits, word) => (word === to - 1 ? bits & 1 : word === from ? 0 : bits));
  expect(obstacle(box, large).fields).toEqual([[from, to]]);
  expect(obstacle(box.slice(), large)).toBe(obstacle(box, large));
  expect(obstacle(large.whole, large).fields).toEqual([]);
});

test("returns the result of a search, and nothing if the budget is spent", () => {
  expect(ifDecided(() => "found")).toBe("found");
  expect(ifDecided(() => search(whole, [], { left: 0 }))).toBeUndefined();
  expect(() => search(whole, [], { left: 0 })).toThrow(Undecided);
});

test("passes on other errors than an exceeded budget", () => {
  expect(() =>
    ifDecided(() => {
      throw new TypeError("no such field");
    }),
  ).toThrow("no such field");
});
