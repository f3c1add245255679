import { isRecent, sameJson } from "../../src/tenant/recognition";

test.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
  [[1, 2], [1, 2, 3], false],
  [[1, 2, 3], [1, 2], false],
  [[1, 2], [2, 1], false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [[], {}, false],
  [null, {}, false],
  ["a", "a", true],
])("%j and %j: %j", (one, other, same) => expect(sameJson(one, other)).toBe(same));

test("what was made before the attempt is not its work, give or take two seconds of rounding", () => {
  const at = Date.parse("2026-01-01T00:00:10Z");
  expect(isRecent("2026-01-01T00:00:05Z", at, 3_000)).toBe(true);
  expect(isRecent("2026-01-01T00:00:04.999Z", at, 3_000)).toBe(false);
});
