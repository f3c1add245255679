/** The benchmark fails if a figure is worse than its baseline allows. */
import { baselineOf, regressions } from "../../src/tools/bench/baseline";
import type { Measure } from "../../src/tools/bench/measures";

const row = (title: string, native: number, peer: number, more: Partial<Measure> = {}): Measure => ({
  title,
  of: new Map(Object.entries({ native, peer })),
  tolerance: 1.1,
  ...more,
});

test("names each row whose ratio exceeds the baseline by more than a tenth", () => {
  const baseline = { native: { a: 1, b: 1, c: 1 } };
  expect(regressions([row("a", 2.2, 2), row("b", 2.3, 2), row("d", 9, 1)], baseline)).toEqual([
    "b, native: 1.15, baseline 1.00",
  ]);
});

test("accepts no further request, and judges nothing that chance decides", () => {
  const requests = row("requests", 13, 21, { absolute: true, tolerance: 1 });
  expect(regressions([requests], { native: { requests: 13 } })).toEqual([]);
  expect(regressions([requests], { native: { requests: 12 } })).toHaveLength(1);
  expect(regressions([{ ...requests, tolerance: undefined } as never], { native: { requests: 12 } })).toEqual([]);
});

test("writes judged figures, and keeps those of rows that were not measured", () => {
  const earlier = { native: { a: 9, other: 2 } };
  expect(baselineOf([row("a", 1, 3)], earlier)).toEqual({ native: { a: 0.33, other: 2 }, script: {} });
});
