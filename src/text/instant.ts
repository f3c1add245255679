/** Reads and words instants in RFC 3339, such as 2026-12-01T18:00:00+01:00. */

const form =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.\d{1,9})?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Milliseconds since the UNIX epoch. Undefined: the text is no instant. */
export function instantOf(text: unknown): number | undefined {
  const [, year, month, day] = (typeof text === "string" && form.exec(text)) || [];
  if (year === undefined) return undefined;
  // Date.parse takes 30 February for 2 March.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isDate = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  const instant = isDate ? Date.parse(text as string) : NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

/** `1 December 2026, 18:00 +01:00`, with the offset that the author wrote. The text itself if it is no instant. */
export function instantWords(text: string): string {
  const [, year, month, day, hour, minute, second, offset] = form.exec(text) ?? [];
  if (instantOf(text) === undefined) return text;
  const time = [hour, minute, ...(second === "00" ? [] : [second])].join(":");
  return `${Number(day)} ${monthNames[Number(month) - 1]} ${year}, ${time} ${offset === "Z" ? "UTC" : offset}`;
}

const units = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
] as const;

/** `in 8 days`, `5 hours ago`, `now`. */
export function distanceWords(instant: number, now: number): string {
  const distance = Math.abs(instant - now);
  const [size, unit] = units.find(([least]) => distance >= least) ?? [];
  if (size === undefined) return instant > now ? "in less than a minute" : "just now";
  const count = Math.round(distance / size);
  const words = `${count} ${unit}${count === 1 ? "" : "s"}`;
  return instant > now ? `in ${words}` : `${words} ago`;
}
