import fc from "fast-check";
import { createOrderedIndex } from "../../src/emulator/state/ordered-index";

const ascending = (a: number, b: number) => a - b;

test("does whatever a sorted array does, through any additions and removals", () => {
  const step = fc.record({ add: fc.boolean(), from: fc.nat(3000), count: fc.nat(700) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.nat(3000), fc.nat(200), (steps, at, count) => {
      const index = createOrderedIndex(ascending);
      const model = new Set<number>();
      for (const { add, from, count: many } of steps) {
        for (let n = 0; n < many; n++) {
          const value = from + ((n * 7) % many);
          if (add) index.add(value);
          else expect(index.remove(value)).toBe(model.has(value));
          if (add) model.add(value);
          else model.delete(value);
        }
      }
      const sorted = [...model].toSorted(ascending);
      expect([...index]).toEqual(sorted);
      expect(index.size).toBe(sorted.length);
      expect(index.take(count)).toEqual(sorted.slice(0, count));
      expect(index.take(count, at)).toEqual(sorted.filter((value) => value > at).slice(0, count));
      expect(index.slice(at, count)).toEqual(sorted.slice(at, at + count));
    }),
    { numRuns: 60 },
  );
});

const compared = (size: number) => {
  let comparisons = 0;
  const index = createOrderedIndex<number>((a, b) => {
    comparisons++;
    return a - b;
  });
  for (let n = 0; n < size; n++) index.add(n);
  comparisons = 0;
  for (let at = 0; at < size; at += size / 100) index.take(100, at);
  return comparisons / 100;
};

test("a page costs the same among a hundred thousand as among a thousand", () => {
  expect(compared(100_000)).toBeLessThan(compared(1_000) + 12);
});
