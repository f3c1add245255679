/**
 * The seed of random tests: the same in each run, unless `TENANTFORM_SEED` gives another whole number, or `fresh` for any.
 * `repeatable.js` chooses the number for `fresh`.
 */
const usual = 2;
const given = process.env["TENANTFORM_SEED"] ?? String(usual);
if (!/^[1-9]\d{0,8}$/.test(given))
  throw new Error(`TENANTFORM_SEED is "${given}". Give a whole number from 1 to 999999999, or fresh.`);

export const seed = Number(given);

/** Seeds for tests that make one sample from each. */
export const seeds = (count: number): number[] => Array.from({ length: count }, (_, index) => seed + index);

/** The number of samples: few in each run, more if somebody chose another seed, as the nightly run does. */
export const samples = (few: number, more: number): number => (seed === usual ? few : more);

/** Expects that the samples had enough cases of a kind. Only the samples of the usual seed are known to have them. */
export function expectSeen(count: number, moreThan: number): void {
  if (seed === usual) expect(count).toBeGreaterThan(moreThan);
}

export type Random = () => number;

/** Numbers from 0 to 1, always the same ones. */
export function randomFrom(start: number): Random {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
