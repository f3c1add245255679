import fc from "../support/random";
import { attributePath, formatPath } from "../../src/cty/path";
import { typeName } from "../../src/cty/type";
import { digitsOf, equal, numberFrom, unknown } from "../../src/cty/value";

test("compares sets in any order, and lists in their order", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (elements) => {
      const reversed = elements.toReversed();
      expect(equal(elements, reversed, ["set", "string"])).toBe(true);
      expect(equal(elements, reversed, ["list", "string"])).toBe(JSON.stringify(elements) === JSON.stringify(reversed));
    }),
  );
});

test("distinguishes unknown, null, booleans and numbers from texts that look like them", () => {
  const all = [unknown, null, "?", "null", true, "true", 1, "1"] as const;
  for (const a of all) for (const b of all) expect(equal(a, b, "dynamic")).toBe(a === b);
});

test("keeps all decimal digits of a number", () => {
  for (const digits of ["0", "-1", "0.1", "9007199254740993", "0.1000000000000000055511151231257827"]) {
    expect(digitsOf(numberFrom(digits))).toBe(digits);
  }
});

test("formats paths and types like Terraform", () => {
  expect(formatPath([...attributePath("rule", "items"), { index: 0 }, { key: "a" }])).toBe('rule.items[0]["a"]');
  expect(typeName(["object", { a: ["set", "string"], b: ["tuple", ["bool", "dynamic"]] }])).toBe(
    "object({ a = set(string), b = tuple([bool, any]) })",
  );
});
