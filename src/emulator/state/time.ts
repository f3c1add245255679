/** A clock that never repeats a microsecond, and the ways in which the service writes times. */
/** Returns microseconds since 1970, each time more than before. */
export type Clock = () => number;

export function createClock(now: () => number): Clock {
  let last = 0;
  return () => (last = Math.max(last + 1, Math.round(now() * 1000)));
}

const fraction = (micros: number) => String(micros % 1_000_000).padStart(6, "0");
const seconds = (micros: number) => new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19);

/** Exactly three decimals: 2026-01-31T10:20:30.400Z. */
export const withMillis = (micros: number) => new Date(Math.floor(micros / 1000)).toISOString();

/** Up to six decimals, trailing zeros trimmed: 2026-01-31T10:20:30.4001Z. */
export function withMicros(micros: number): string {
  const decimals = fraction(micros).replace(/0+$/, "");
  return `${seconds(micros)}${decimals && `.${decimals}`}Z`;
}

/** The form inside the members' cursors: 2026-01-31 10:20:30.400100UTC. */
export const inCursor = (micros: number) => `${seconds(micros).replace("T", " ")}.${fraction(micros)}UTC`;

export function fromCursor(text: string): number | undefined {
  const parts = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})\.(\d{6})UTC$/.exec(text);
  const millis = parts ? Date.parse(`${parts[1]}T${parts[2]}Z`) : NaN;
  return parts && !Number.isNaN(millis) ? millis * 1000 + Number(parts[3]) : undefined;
}
