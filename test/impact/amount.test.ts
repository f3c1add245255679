/** Words for amounts and lists, shortened names, and things that claim the same. */
import { amountWords, clipped, andWords, orWords } from "../../src/impact/phrases";
import { sharing } from "../../src/impact/objects/duplicates";

const noun = ["address", "addresses"] as const;

test.each<[number | bigint, string[]]>([
  [0, []],
  [0n, []],
  [1, ["1 address"]],
  [1n, ["1 address"]],
  [2, ["2 addresses"]],
  [2n, ["2 addresses"]],
  [1234567, ["1,234,567 addresses"]],
  [1n << 40n, ["1,099,511,627,776 addresses"]],
  [1n << 41n, ["2^41 addresses"]],
  [(1n << 41n) + 1n, ["about 2^41 addresses"]],
  [1n << 128n, ["2^128 addresses"]],
  [(1n << 128n) - 4n, ["about 2^128 addresses"]],
  [5n << 62n, ["about 2^64 addresses"]],
  [7n << 62n, ["about 2^65 addresses"]],
])("words the amount %s", (count, words) => {
  expect(amountWords(count, noun)).toEqual(words);
});

test("compares an amount", () => {
  expect(amountWords(1, noun, "more")).toEqual(["1 more address"]);
  expect(amountWords(4n, noun, "fewer")).toEqual(["4 fewer addresses"]);
  expect(amountWords(0, noun, "more")).toEqual([]);
});

test("shortens a name to the most characters, and splits none", () => {
  expect(clipped("abcd", 4)).toBe("abcd");
  expect(clipped("abcde", 4)).toBe("abc…");
  expect(clipped("😀😀😀😀", 4)).toBe("😀😀😀😀");
  expect(clipped("😀😀😀😀😀", 4)).toBe("😀😀😀…");
  expect(clipped("a".repeat(48))).toBe("a".repeat(48));
  expect(clipped("a".repeat(49))).toBe(`${"a".repeat(47)}…`);
});

test("joins words, again and again", () => {
  for (const _ of [1, 2]) {
    expect(andWords(["A", "B", "C"])).toBe("A, B and C");
    expect(orWords(["A", "B", "C"])).toBe("A, B or C");
  }
});

test("groups what has the same key, and leaves out what has none", () => {
  const things = [{ key: 1 }, { key: undefined }, { key: 2 }, { key: 1 }, { key: undefined }, { key: 1 }];
  expect(sharing(things, ({ key }) => key)).toEqual([[{ key: 1 }, { key: 1 }, { key: 1 }]]);
});
