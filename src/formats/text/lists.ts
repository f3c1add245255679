/** Words for lists, numbers and long texts: `A, B and C`, `1,234 members`. */

// Made once and not before the first use, because a format costs more than the words.
let conjunction: Intl.ListFormat | undefined;
let disjunction: Intl.ListFormat | undefined;

export const andWords = (words: Iterable<string>): string =>
  (conjunction ??= new Intl.ListFormat("en-GB")).format(words);

export const orWords = (words: Iterable<string>): string =>
  (disjunction ??= new Intl.ListFormat("en-GB", { type: "disjunction" })).format(words);

/** The first of the words, and how many more there are: `a`, `b`, `3 more`. A count of one would take the place of the word. */
export const listed = (words: readonly string[], most: number): string[] =>
  words.length > most + 1 ? [...words.slice(0, most), `${words.length - most} more`] : [...words];

/** `1,234` */
export const amount = (count: number | bigint): string => count.toLocaleString("en-US");

/** `1 member`, `1,234 members`, `2 policies` */
export const counted = (count: number, one: string, many = `${one.replace(/([^aeiou])y$/, "$1ie")}s`): string =>
  `${amount(count)} ${count === 1 ? one : many}`;

/** `4 members`, `about 2^64 addresses`; nothing for zero. */
export function amountWords(count: bigint, [one, many]: readonly [one: string, many: string]): string[] {
  if (count === 0n) return [];
  const bits = nearestPower(count);
  const about = count === 1n << BigInt(bits) ? "" : "about ";
  const number = bits > 40 ? `${about}2^${bits}` : amount(count);
  return [`${number} ${count === 1n ? one : many}`];
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
