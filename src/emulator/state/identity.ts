/** Generates identifiers in the forms of the service. */
import { randomInt } from "node:crypto";

/** Returns a number in [0, 1). */
export type Random = () => number;

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const hexadecimal = "0123456789abcdef";

const draw = (alphabet: string, length: number, random: Random) =>
  Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");

/** Unpredictable, because client secrets come from it too. */
export const secureRandom: Random = () => randomInt(2 ** 32) / 2 ** 32;

export const networkAclId = (random: Random) => `acl_${draw(base58, 22, random)}`;
export const networkAclKeyId = (random: Random) => `key_${draw(base58, 22, random)}`;
export const rateLimitPolicyId = (random: Random) => `rlp_${draw(base58, 21, random)}`;
export const organizationId = (random: Random) => `org_${draw(alphanumeric, 16, random)}`;
export const userId = (random: Random) => `auth0|${draw(hexadecimal, 24, random)}`;
export const clientId = (random: Random) => draw(alphanumeric, 32, random);
export const clientSecret = (random: Random) => draw(alphanumeric, 64, random);
export const requestId = (random: Random) => draw(hexadecimal, 20, random);

/** Numbers that follow from a seed alone (mulberry32: 32 bits of state are enough for made-up traffic and faults). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
