/** Words for amounts. Large amounts of addresses are shown as powers of two. */

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
