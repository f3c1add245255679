/** Reads instants in RFC 3339, such as 2026-12-01T18:00:00+01:00. */

const form =
  /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

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
