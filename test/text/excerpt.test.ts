/** Checks that long texts are cut. */
import fc from "../support/random";
import { excerpt, firstLines } from "../../src/text/excerpt";
import { printable } from "../../src/text/printable";

test("keeps a text of usual length whole, on one line", () => {
  expect(excerpt("No such organization.\n")).toBe("No such organization.\\n");
  expect(excerpt("x".repeat(2_000))).toBe("x".repeat(2_000));
});

test("cuts a longer text at 2,000 characters, and counts the rest", () => {
  expect(excerpt("x".repeat(30 * 1024 * 1024))).toBe(`${"x".repeat(2_000)}… (31,455,280 more characters)`);
  // An escaped character counts with all of its characters.
  expect(excerpt("\u0007".repeat(10_000))).toBe(`${"\\u0007".repeat(333)}… (9,667 more characters)`);
});

test("does not cut inside a character", () => {
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
