import fc from "fast-check";
import { attributePath, formatPath } from "../../src/cty/path";
import { typeName } from "../../src/cty/type";
import { digitsOf, equal, numberFrom, unknown } from "../../src/cty/value";

test("sets are equal in any order, lists are not", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (elements) => {
      const reversed = elements.toReversed();
      expect(equal(elements, reversed, ["set", "string"])).toBe(true);
      expect(equal(elements, reversed, ["list", "string"])).toBe(JSON.stringify(elements) === JSON.stringify(reversed));
    }),
  );
});

test("unknown, null and the texts that look like them differ", () => {
  const all = [unknown, null, "?", "null", true, "true", 1, "1"] as const;
  for (const a of all) for (const b of all) expect(equal(a, b, "dynamic")).toBe(a === b);
});

test("decimal digits survive in every size", () => {
  for (const digits of ["0", "-1", "0.1", "9007199254740993", "0.1000000000000000055511151231257827"]) {
    expect(digitsOf(numberFrom(digits))).toBe(digits);
  }
});

test("paths and types read as people write them", () => {
  expect(formatPath([...attributePath("rule", "items"), { index: 0 }, { key: "a" }])).toBe('rule.items[0]["a"]');
  expect(typeName(["object", { a: ["set", "string"], b: ["tuple", ["bool", "dynamic"]] }])).toBe(
    "object({ a = set(string), b = tuple([bool, any]) })",
  );
});
