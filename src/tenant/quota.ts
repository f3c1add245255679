// What the answers tell of one of the service's token buckets, and when the next request fits into it. Pure: the hour comes in.
import { serverNow } from "./retry-timing";

/*
 * The headers name the bucket's size, what remained after the request was counted, and the second in which the next token
 * comes; never how fast it fills. So the level is taken from each answer, less what is still on its way, and only projected
 * in between, with a rate that is too low rather than too high: a token more than expected shows in the next answer and is
 * spent then, whereas a token too few is a 429. The rate rises by proof: from the first answer to the latest the bucket has
 * been seen to gain at least so many tokens.
 */

export interface Reading {
  /** Size of the bucket. */
  limit: number;
  /** Tokens left after the request was counted. */
  remaining: number;
  /** Milliseconds for which the bucket surely stays as it is. */
  dry: number;
}

/** One request on its way. */
export interface Sending {
  at: number;
  /** Tokens thought to be left behind it when it was sent. */
  expected: number;
  /** Requests known to be counted when this one was sent. */
  answeredBefore: number;
  /** The least that answers told while this one was on its way: it may have been counted before them. */
  ceiling: number;
}

export interface Quota {
  readonly limit: number;
  /** The earliest time at which a request fits, in the clock's milliseconds; not after `now`: it fits. */
  readyAt(now: number): number;
  sent(now: number): Sending;
  /** Takes the request off the way; `reading` where the answer told about this very bucket. */
  answered(sending: Sending, now: number, reading?: Reading): void;
  /** Another bucket was the scarcer one of the two, with so many left. */
  atLeast(remaining: number, now: number): void;
  /** A 429 came: nothing before `until`. */
  refused(now: number, until: number): void;
  /** Tokens thought to be left. */
  level(now: number): number;
  /** Tokens a second thought to come in. */
  rate(): number;
}

export function createQuota(limit: number): Quota {
  let level = limit;
  let at = 0;
  let guess = Math.max(1, limit / 10);
  let proven = 0;
  let hold = 0;
  let sentCount = 0;
  let answeredCount = 0;
  let anchor: { at: number; credit: number } | undefined;
  const underWay = new Set<Sending>();

  const rate = () => Math.max(guess, proven);
  const projected = (now: number) => Math.min(limit - underWay.size, level + (Math.max(0, now - at) / 1000) * rate());
  const stand = (value: number, now: number) => {
    level = value;
    at = Math.max(now, hold, at);
  };

  const prove = (sending: Sending, remaining: number, now: number) => {
    if (!anchor || remaining >= limit - 1) {
      anchor = { at: sending.at, credit: remaining + 1 + sentCount };
      return;
    }
    const gained = remaining + sending.answeredBefore + 1 - anchor.credit;
    if (now > anchor.at) proven = Math.max(proven, (gained / (now - anchor.at)) * 1000);
  };

  return {
    limit,
    rate,
    level: projected,
    readyAt(now) {
      const missing = 1 - projected(now);
      return Math.max(hold, missing <= 0 ? now : now + Math.ceil((missing / rate()) * 1000));
    },
    sent(now) {
      stand(projected(now) - 1, now);
      const sending = { at: now, expected: level, answeredBefore: answeredCount, ceiling: Infinity };
      underWay.add(sending);
      sentCount++;
      return sending;
    },
    answered(sending, now, reading) {
      if (!underWay.delete(sending)) return;
      answeredCount++;
      if (!reading) return;
      for (const other of underWay) other.ceiling = Math.min(other.ceiling, reading.remaining);
      if (reading.remaining === 0) hold = Math.max(hold, now + reading.dry);
      stand(Math.min(reading.remaining, sending.ceiling) - underWay.size, now);
      prove(sending, reading.remaining, now);
      // It ran full while we held back.
      if (reading.remaining >= limit - 1 && sending.expected < limit - 1.5) guess *= 1.5;
    },
    atLeast(remaining, now) {
      stand(Math.max(projected(now), remaining - underWay.size), now);
    },
    refused(now, until) {
      if (now >= hold) {
        guess = Math.max(0.05, guess / 2);
        proven = 0;
        anchor = undefined;
      }
      hold = Math.max(hold, until);
      stand(1, now);
    },
  };
}

/** What the headers of an answer tell of a bucket; undefined where they do not. */
export function readingOf(headers: Record<string, string>, now: number): Reading | undefined {
  const limit = Number(headers["x-ratelimit-limit"] ?? Number.NaN);
  const remaining = Number(headers["x-ratelimit-remaining"] ?? Number.NaN);
  if (!(limit >= 1) || !Number.isFinite(remaining)) return undefined;
  const reset = Number(headers["x-ratelimit-reset"] ?? Number.NaN);
  const until = Number.isFinite(reset) ? reset * 1000 - serverNow(headers, now) : 0;
  return { limit, remaining: Math.max(0, remaining), dry: Math.max(0, until - wholeSecond) };
}

/** Both moments are told in whole seconds: that much of the difference may be rounding. */
const wholeSecond = 1000;
