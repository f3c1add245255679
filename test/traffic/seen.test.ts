/** Remembers ids in bounded memory. */
import { createSeen, hashOf } from "../../src/traffic/replay";

const id = (number: number) => `900202611${number}000000000000001223372038981421504`;

test("takes each of 50,000 ids once, in every order", () => {
  const seen = createSeen();
  const numbers = Array.from({ length: 50_000 }, (_, index) => index);
  expect(numbers.filter((number) => seen.add(id(number)))).toHaveLength(50_000);
  expect(numbers.toReversed().filter((number) => seen.add(id(number)))).toEqual([]);
  expect(seen.isFull).toBe(false);
});

test("forgets only ids that are older than the most it remembers", () => {
  const seen = createSeen(1_000);
  for (let number = 0; number < 5_000; number++) expect(seen.add(id(number))).toBe(true);
  expect(seen.isFull).toBe(true);
  for (let number = 4_500; number < 5_000; number++) expect(seen.add(id(number))).toBe(false);
  expect(seen.add(id(0))).toBe(true);
});

test("ids that were chosen for one slot are spread under another key", () => {
  const slot = (number: number, key: readonly [number, number]) => hashOf(id(number), key)[0] & 63;
  const chosen = Array.from({ length: 20_000 }, (_, number) => number).filter((number) => slot(number, [1, 2]) === 5);
  expect(chosen.length).toBeGreaterThan(200);
  expect(new Set(chosen.map((number) => slot(number, [3, 4]))).size).toBeGreaterThan(55);
});
