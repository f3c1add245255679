/** The beginning of texts that nobody reads to their end. */
import fc from "fast-check";
import { excerpt, firstLines } from "../../src/text/excerpt";
import { printable } from "../../src/text/printable";

test("a text of usual length is whole, on one line", () => {
  expect(excerpt("No such organization.\n")).toBe("No such organization.\\n");
  expect(excerpt("x".repeat(2_000))).toBe("x".repeat(2_000));
});

test("a longer one is cut at 2,000 characters, and what is left out is counted", () => {
  expect(excerpt("x".repeat(30 * 1024 * 1024))).toBe(`${"x".repeat(2_000)}… (31,455,280 more characters)`);
  // What is written out takes the room that it takes.
  expect(excerpt("\u0007".repeat(10_000))).toBe(`${"\\u0007".repeat(333)}… (9,667 more characters)`);
});

test("no character is cut in two", () => {
  expect(excerpt("🚀".repeat(4), 5)).toBe("🚀🚀… (4 more characters)");
  expect(firstLines("🚀".repeat(4), 5)).toBe("🚀🚀… (4 more characters)");
  expect(firstLines("one\ntwo", 5)).toBe("one\nt… (2 more characters)");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, most) => {
      const [shown = "", rest] = excerpt(text, most).split("… (");
      return (
        shown.length <= most &&
        printable(text).startsWith(shown) &&
        (rest !== undefined) === printable(text).length > most
      );
    }),
  );
});
