/** Words for amounts, lists and shortened names. */
import { amountWords, andWords, clipped, orWords } from "../../src/impact/phrases";

test.each<[bigint, string[]]>([
  [0n, []],
  [1n, ["1 address"]],
  [2n, ["2 addresses"]],
  [1n << 40n, ["1,099,511,627,776 addresses"]],
  [1n << 41n, ["2^41 addresses"]],
  [(1n << 41n) + 1n, ["about 2^41 addresses"]],
  [(1n << 128n) - 4n, ["about 2^128 addresses"]],
  [5n << 62n, ["about 2^64 addresses"]],
  [7n << 62n, ["about 2^65 addresses"]],
])("words the amount %s", (count, words) => {
  expect(amountWords(count, ["address", "addresses"])).toEqual(words);
});

test("shortens a name to the most characters, and splits none", () => {
  expect(["abcd", "abcde", "😀😀😀😀", "😀😀😀😀😀"].map((text) => clipped(text, 4))).toEqual([
    "abcd",
    "abc…",
    "😀😀😀😀",
    "😀😀😀…",
  ]);
  expect([48, 49].map((length) => clipped("a".repeat(length)))).toEqual(["a".repeat(48), `${"a".repeat(47)}…`]);
});

test("joins words, again and again", () => {
  for (const _ of [1, 2]) {
    expect([andWords(["A", "B", "C"]), orWords(["A", "B", "C"])]).toEqual(["A, B and C", "A, B or C"]);
  }
});
