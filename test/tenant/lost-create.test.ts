import { findCreated, isRecent, sameJson } from "../../src/tenant/conflict";

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

test("does not take an object for the lost one if it is older than the attempt by more than two seconds", () => {
  const at = Date.parse("2026-01-01T00:00:10Z");
  expect(isRecent("2026-01-01T00:00:05Z", at, 3_000)).toBe(true);
  expect(isRecent("2026-01-01T00:00:04.999Z", at, 3_000)).toBe(false);
});

test("takes an equal object for the lost one if it was created during the attempt", async () => {
  const at = Date.parse("2026-01-01T00:01:00Z");
  const made = (id: string, seconds: number) => ({ id, created_at: new Date(at - seconds * 1000).toISOString() });
  const found = [made("old", 6), made("other", 1), made("ours", 5)];
  const clock = { now: () => 1_003_000 };
  const find = findCreated(
    clock,
    async () => ({ body: found, at }),
    ({ id }) => id !== "other",
  );
  expect(await find(1_000_000)).toEqual(made("ours", 5));
  expect(await find(1_000_001)).toBeUndefined();
});
