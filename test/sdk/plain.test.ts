import { Decimal, unknown, type Value } from "../../src/cty/value";
import { fromPlain, toPlain } from "../../src/sdk/plain";

test("converts values to plain ones: drops null, converts numbers to doubles, keeps unknown values", () => {
  expect(toPlain(null)).toBeUndefined();
  const value: Value = {
    text: "a",
    absent: null,
    whole: 5n,
    precise: new Decimal("0.1"),
    later: unknown,
    list: [1, null],
  };
  const plain = toPlain(value);
  expect(plain).toEqual({ text: "a", whole: 5, precise: 0.1, later: unknown, list: [1, undefined] });
  expect(plain).not.toHaveProperty("absent");
});

test("converts plain values by type: drops extra attributes, and sets missing ones to null", () => {
  expect(fromPlain({ a: 1, extra: 2, c: unknown }, ["object", { a: "number", b: "string", c: "bool" }])).toEqual({
    a: 1,
    b: null,
    c: unknown,
  });
  expect(fromPlain({ x: [1, undefined] }, ["map", ["list", "number"]])).toEqual({ x: [1, null] });
  expect(fromPlain({ x: { y: 1 } }, "dynamic")).toEqual({ x: { y: 1 } });
  expect([fromPlain(undefined, "string"), fromPlain(null, "string"), fromPlain(unknown, "string")]).toEqual([
    null,
    null,
    unknown,
  ]);
});
