/** How long to wait before trying again: pure, with the hour and the dice as parameters. */

/** Headers of an answer, names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** Waits of this many milliseconds are told as warnings, before they begin. */
export const longWait = 5_000;

/** A reset is told in whole seconds and often names the running one: the padding keeps "until reset" from meaning now. */
const resetPadding = 100;

/** A reset that is told for later than in a day is in another unit, or by another clock. */
const latestReset = 24 * 3_600_000;

/** Milliseconds until the next try; `told`: what the answer asked for, `random`: uniform in [0, 1). */
export function retryDelay(failures: number, told: number | undefined, random: () => number): number {
  return (told ?? 0) + random() * Math.min(8_000, 250 * 2 ** Math.min(failures, 10));
}

/** Milliseconds for which an answer asks to be left alone. Only a 429 is about the quota. */
export function requestedWait(status: number, headers: Headers, now: number): number | undefined {
  const told = retryAfter(headers, now) ?? (status === 429 ? untilReset(headers, now) : undefined);
  return told === undefined ? undefined : told + resetPadding;
}

/** Milliseconds that `Retry-After` asks for, in either of its forms; undefined where absent or unreadable. */
function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers["retry-after"];
  if (value === undefined) return undefined;
  const number = numberIn(value);
  if (number !== undefined) return number * 1000;
  const moment = Date.parse(value);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - serverNow(headers, now));
}

/** Milliseconds until `X-RateLimit-Reset`, by the service's clock where it tells it; undefined where it cannot be that. */
export function untilReset(headers: Headers, now: number): number | undefined {
  const reset = numberIn(headers["x-ratelimit-reset"]);
  if (reset === undefined) return undefined;
  const left = Math.max(0, reset * 1000 - serverNow(headers, now));
  return left > latestReset ? undefined : left;
}

/** The service's clock at the time of the answer: its `Date` header, else ours. */
export function serverNow(headers: Headers, now: number): number {
  const moment = Date.parse(headers["date"] ?? "");
  return Number.isNaN(moment) ? now : moment;
}

/** A number that is written as one; headers may hold anything. */
export function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,15}(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

export const seconds = (ms: number) => Math.ceil(ms / 1000);
