/** Joins words: `A, B and C`, `A, B or C`. */

// Made once and not before the first use, because a format costs more than the words.
let conjunction: Intl.ListFormat | undefined;
let disjunction: Intl.ListFormat | undefined;

export const andWords = (words: Iterable<string>): string =>
  (conjunction ??= new Intl.ListFormat("en-GB")).format(words);

export const orWords = (words: Iterable<string>): string =>
  (disjunction ??= new Intl.ListFormat("en-GB", { type: "disjunction" })).format(words);

/** `4 more members`, `1 fewer country`; nothing for zero. */
export function amountWords(
  count: number | bigint,
  [one, many]: readonly [one: string, many: string],
  comparison?: "more" | "fewer",
): string[] {
  if (count === 0 || count === 0n) return [];
  const bits = nearestPower(BigInt(count));
  const about = BigInt(count) === 1n << BigInt(bits) ? "" : "about ";
  const number = bits > 40 ? `${about}2^${bits}` : count.toLocaleString("en-US");
  return [[number, ...(comparison ? [comparison] : []), count === 1 || count === 1n ? one : many].join(" ")];
}

/** All addresses without a few are about all addresses: 2^128, not 2^127. */
function nearestPower(count: bigint): number {
  const bits = count.toString(2).length - 1;
  return count * count > 1n << BigInt(2 * bits + 1) ? bits + 1 : bits;
}

export function clipped(text: string, most = 48): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
}

export const hidden = "(sensitive)";
