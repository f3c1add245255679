/** What a search finds within its budget. */
import { ifDecided, Undecided } from "../../src/access/search";

test("what a search finds, and nothing where its budget does not suffice", () => {
  expect(ifDecided(() => "found")).toBe("found");
  expect(
    ifDecided(() => {
      throw new Undecided();
    }),
  ).toBeUndefined();
});

test("an error of another kind is not taken for a search that was too long", () => {
  expect(() =>
    ifDecided(() => {
      throw new TypeError("no such field");
    }),
  ).toThrow("no such field");
});
