/** Random numbers that a seed determines. */
import type { Random } from "../state/identity";

/** Mulberry32: 32 bits of state are enough for made-up traffic. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The choice whose share of the sum contains a random number. */
export function pick<Choice>(choices: readonly (readonly [Choice, number])[], random: Random): Choice {
  let left = random() * choices.reduce((sum, [, weight]) => sum + weight, 0);
  return (choices.find(([, weight]) => (left -= weight) < 0) ?? choices.at(-1)!)[0];
}
