/** Reads and writes durations such as 7d and "7 days". */

const units: readonly (readonly [letter: string, ms: number, noun: string])[] = [
  ["d", 86_400_000, "day"],
  ["h", 3_600_000, "hour"],
  ["m", 60_000, "minute"],
  ["s", 1_000, "second"],
];

/** Milliseconds of `7d`, `12h`, `30m` or `45s`. undefined: not a duration. */
export function durationIn(text: string): number | undefined {
  const [, number, letter] = /^(\d{1,6})\s*([dhms])$/.exec(text.trim()) ?? [];
  const unit = units.find(([name]) => name === letter);
  return unit && Number(number) * unit[1];
}

/** In the largest unit that leaves at least two, rounded: `7 days`, `36 hours`. */
export function durationWords(ms: number): string {
  const [, size, noun] = units.find(([, own]) => Math.round(ms / own) >= 2) ?? units.at(-1)!;
  const count = Math.round(ms / size);
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
