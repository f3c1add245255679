/** What the answers tell of one of the service's token buckets, and when the next request fits into it. Pure: the hour comes in. */
import { numberIn, untilReset, type Headers } from "./retry-timing";

/*
 * The headers name the bucket's size, what remained after the request was counted, and the second in which the next token
 * comes; never how fast it fills. So the level is taken from each answer, less what is still on its way, and only projected
 * in between, with a rate that is too low rather than too high: a token more than expected shows in the next answer and is
 * spent then, whereas a token too few is a 429.
 */

export interface Reading {
  /** Size of the bucket. */
  readonly limit: number;
  /** Tokens left after the request was counted. */
  readonly remaining: number;
  /** Milliseconds for which the bucket surely stays as it is. */
  readonly dry: number;
}

/** One request on its way. */
export interface Sending {
  /** Tokens thought to be left behind it when it was sent. */
  readonly expected: number;
  /** The least that answers told while this one was on its way: it may have been counted before them. */
  ceiling: number;
}

export interface Quota {
  /** Until when answers told that nothing fits, in the clock's milliseconds. */
  readonly hold: number;
  /** The earliest time at which a request fits; not after `now`: it fits. */
  readyAt(now: number): number;
  sent(now: number): Sending;
  /** Takes the request off the way; `reading` where the answer told about this very bucket. */
  answered(sending: Sending, now: number, reading?: Reading): void;
  /** Another bucket was the scarcer one of the two, with so many left. */
  atLeast(remaining: number, now: number): void;
  /** A 429 came: nothing before `until`. */
  refused(now: number, until: number): void;
  /** Tokens a second thought to come in. */
  readonly rate: number;
}

export function createQuota(limit: number): Quota {
  let level = limit;
  let at = 0;
  let rate = Math.max(1, limit / 10);
  let hold = 0;
  const underWay = new Set<Sending>();

  const projected = (now: number) => Math.min(limit - underWay.size, level + (Math.max(0, now - at) / 1000) * rate);
  const stand = (value: number, now: number) => {
    level = value;
    at = Math.max(now, hold);
  };

  return {
    get hold() {
      return hold;
    },
    get rate() {
      return rate;
    },
    readyAt(now) {
      const missing = 1 - projected(now);
      return Math.max(hold, missing <= 0 ? now : now + Math.ceil((missing / rate) * 1000));
    },
    sent(now) {
      stand(projected(now) - 1, now);
      const sending = { expected: level, ceiling: Infinity };
      underWay.add(sending);
      return sending;
    },
    answered(sending, now, reading) {
      underWay.delete(sending);
      if (!reading) return;
      for (const other of underWay) other.ceiling = Math.min(other.ceiling, reading.remaining);
      if (reading.remaining === 0) hold = Math.max(hold, now + reading.dry);
      stand(Math.min(reading.remaining, sending.ceiling) - underWay.size, now);
      // It ran full while we held back.
      if (reading.remaining >= limit - 1 && sending.expected < limit - 1.5) rate *= 1.5;
    },
    atLeast(remaining, now) {
      stand(Math.max(projected(now), remaining - underWay.size), now);
    },
    refused(now, until) {
      if (now >= hold) rate = Math.max(0.05, rate / 2);
      hold = Math.max(hold, until);
      // The moment is told in whole seconds, rounded down: the token comes a little after it.
      stand(0.9, now);
    },
  };
}

/** What the headers of an answer tell of a bucket; undefined where they do not. */
export function readingOf(headers: Headers, now: number): Reading | undefined {
  const limit = numberIn(headers["x-ratelimit-limit"]);
  const remaining = numberIn(headers["x-ratelimit-remaining"]);
  if (limit === undefined || limit < 1 || remaining === undefined) return undefined;
  const until = untilReset(headers, now) ?? 0;
  return { limit, remaining: Math.min(limit, remaining), dry: Math.max(0, until - wholeSecond) };
}

/** Both moments are told in whole seconds: that much of the difference may be rounding. */
const wholeSecond = 1000;
