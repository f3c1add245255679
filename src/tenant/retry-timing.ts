// How long to wait before trying again, and when to give up: pure, with the hour and the dice as parameters.

import type { TenantError } from "./error";

export interface Setback {
  /** How many tries have failed so far, this one included. */
  failures: number;
  /** HTTP status, absent when the connection failed or timed out. */
  status?: number;
  /** Headers of the answer, names in lower case. */
  headers?: Record<string, string>;
  /** Milliseconds since the UNIX epoch. */
  now: number;
  /** Uniform in [0, 1). */
  random: () => number;
}

/**
 * How often something is tried in all that ends in this error; 429 is bounded by time instead. Where nobody is found to
 * talk to, mostly the address is wrong, and where nobody answers in time every try is a long one: there, more tries only
 * look like a hang.
 */
export function maxTries(error: TenantError): number {
  return error.unsent || error.code === "timeout" ? 3 : 7;
}

/** Whether a repeatable call that met this status (none: the connection broke) is worth another try. */
export function isTransient(status: number | undefined): boolean {
  return status === undefined || status === 408 || status >= 500;
}

/** Milliseconds until the next try. */
export function retryDelay({ failures, status, headers = {}, now, random }: Setback): number {
  const backoff = Math.min(8_000, 250 * 2 ** Math.min(failures, 10));
  const told = retryAfter(headers, now) ?? (status === 429 ? untilReset(headers, now) : undefined);
  if (told === undefined) return random() * backoff;
  return told + resetPadding + random() * backoff;
}

/** A reset is told in whole seconds and often names the running one: the padding keeps "until reset" from meaning now. */
const resetPadding = 100;

/** Milliseconds that `Retry-After` asks for, in either of its forms; undefined where absent or unreadable. */
export function retryAfter(headers: Record<string, string>, now: number): number | undefined {
  const value = headers["retry-after"];
  if (value === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  const moment = Date.parse(value);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - serverNow(headers, now));
}

/** Milliseconds until `X-RateLimit-Reset`, by the service's clock where it tells it. */
export function untilReset(headers: Record<string, string>, now: number): number | undefined {
  const reset = Number(headers["x-ratelimit-reset"] ?? Number.NaN);
  return Number.isFinite(reset) ? Math.max(0, reset * 1000 - serverNow(headers, now)) : undefined;
}

/** The service's clock at the time of the answer: its `Date` header, else ours. */
export function serverNow(headers: Record<string, string>, now: number): number {
  const moment = Date.parse(headers["date"] ?? "");
  return Number.isNaN(moment) ? now : moment;
}
