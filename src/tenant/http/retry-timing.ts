/** Computes how long to wait before the next attempt. Pure: time and randomness are parameters. */

/** Headers of a response, with names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** A wait of at least this many milliseconds is logged as a warning before it begins. */
export const longWait = 5_000;

/** A reset has whole seconds and often names the current one. Without the padding the wait would be zero. */
export const resetPadding = 100;

/** A reset more than a day ahead has another unit or comes from another clock. */
const latestReset = 24 * 3_600_000;

/** Milliseconds until the next attempt. `requested` comes from the response; `random` is uniform in [0, 1). */
export function retryDelay(failures: number, requested: number | undefined, random: () => number): number {
  return (requested ?? 0) + random() * Math.min(8_000, 250 * 2 ** Math.min(failures, 10));
}

/** Milliseconds that a response asks to wait. Only a 429 is about the quota. */
export function requestedWait(status: number, headers: Headers, now: number): number | undefined {
  const requested = retryAfter(headers, now) ?? (status === 429 ? untilReset(headers, now) : undefined);
  return requested === undefined ? undefined : requested + resetPadding;
}

/** Milliseconds that `Retry-After` requests, in seconds or as a date. Undefined if absent or unreadable. */
function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers["retry-after"];
  if (value === undefined) return undefined;
  const number = numberIn(value);
  if (number !== undefined) return number * 1000;
  const moment = Date.parse(value);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - serverNow(headers, now));
}

/** Milliseconds until `X-RateLimit-Reset`, by the service's clock if known. Undefined if the value is implausible. */
export function untilReset(headers: Headers, now: number): number | undefined {
  const reset = numberIn(headers["x-ratelimit-reset"]);
  if (reset === undefined) return undefined;
  const left = Math.max(0, reset * 1000 - serverNow(headers, now));
  return left > latestReset ? undefined : left;
}

/** The time of the response by the service's `Date` header, or by our clock if there is none. */
export function serverNow(headers: Headers, now: number): number {
  const moment = Date.parse(headers["date"] ?? "");
  return Number.isNaN(moment) ? now : moment;
}

/** A plain decimal number. Headers may contain anything. */
export function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,15}(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

export const seconds = (ms: number) => Math.ceil(ms / 1000);
