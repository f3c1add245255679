/** What the answers tell of one of the service's token buckets, and when the next request fits into it. Pure: the hour comes in. */
import { numberIn, untilReset, type Headers } from "./retry-timing";

/*
 * The headers name the bucket's size, what remained after the request was counted, and the second in which the next token
 * comes; never how fast it fills. So the level is taken from each answer, less what is still on its way, and only projected
 * in between, with a rate that is too low rather than too high: a token more than expected shows in the next answer and is
 * spent then, whereas a token too few is a 429.
 *
 * After a 429 others are taken to draw on it, too: what remains is theirs as well, so that one token is taken at a time, at a
 * rate that gives way by shares and recovers by steps, the larger the fuller the bucket is. So runs that know nothing of each
 * other come to equal shares of it. Once it is more than half full it is ours alone again. The smaller the bucket, the less it
 * says that nothing is left: one of a single token is empty after each request, whoever draws on it.
 */

export interface RateLimit {
  /** Size of the bucket. */
  readonly limit: number;
  /** Tokens left after the request was counted. */
  readonly remaining: number;
  /** Milliseconds for which the bucket surely stays as it is. */
  readonly emptyFor: number;
}

/** One request on its way. */
export interface InFlight {
  /** Tokens thought to be left behind it when it was sent. */
  readonly expected: number;
  /** The least that answers told while this one was on its way: it may have been counted before them. */
  ceiling: number;
}

export interface TokenBucket {
  /** Until when answers told that nothing fits, in the clock's milliseconds. */
  readonly hold: number;
  /** The earliest time at which a request fits; not after `now`: it fits. */
  readyAt(now: number): number;
  sent(now: number): InFlight;
  /** Takes the request off the way; `reading` where the answer told about this very bucket. */
  answered(sending: InFlight, now: number, reading?: RateLimit): void;
  /** Another bucket was the scarcer one of the two, with so many left. */
  atLeast(remaining: number, now: number): void;
  /** A 429 came: nothing before `until`. */
  refused(now: number, until: number): void;
  /** Tokens a second thought to come in. */
  readonly rate: number;
}

export function createTokenBucket(limit: number): TokenBucket {
  const guess = Math.max(1, limit / 10);
  const slowest = 0.05;
  let level = limit;
  let at = 0;
  let rate = guess;
  let hold = 0;
  let shared = false;
  const underWay = new Set<InFlight>();

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
      return Math.max(hold, now + Math.ceil((missing / rate) * 1000));
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
      if (reading.remaining === 0) hold = Math.max(hold, now + reading.emptyFor);
      const told = Math.min(reading.remaining, sending.ceiling) - underWay.size;
      if (!shared) {
        stand(told, now);
        // It ran full while we held back.
        if (reading.remaining >= limit - 1 && sending.expected < limit - 1.5) rate *= 1.5;
        return;
      }
      stand(Math.min(told, projected(now), 1), now);
      const kept = reading.remaining === 0 ? 1 - 0.05 * (1 - 1 / limit) : 1;
      // That there was a token at all is a little of a step, too.
      rate = Math.max(slowest, rate * kept + (guess / 4) * ((reading.remaining + 0.2) / limit));
      shared = reading.remaining <= limit / 2;
    },
    atLeast(remaining, now) {
      stand(Math.max(projected(now), remaining - underWay.size), now);
    },
    refused(now, until) {
      if (now >= hold) rate = Math.max(slowest, rate * (1 - 0.3 * (1 - 0.5 / limit)));
      hold = Math.max(hold, until);
      // The moment is told in whole seconds, rounded down; where this is not the first refusal, others wait for it as well.
      stand(shared ? 0.5 : 0.8, now);
      shared = true;
    },
  };
}

/** What the headers of an answer tell of a bucket; undefined where they do not. */
export function rateLimitOf(headers: Headers, now: number): RateLimit | undefined {
  const limit = numberIn(headers["x-ratelimit-limit"]);
  const remaining = numberIn(headers["x-ratelimit-remaining"]);
  if (limit === undefined || limit < 1 || remaining === undefined) return undefined;
  const until = untilReset(headers, now) ?? 0;
  return { limit, remaining: Math.min(limit, remaining), emptyFor: Math.max(0, until - wholeSecond) };
}

/** Both moments are told in whole seconds: that much of the difference may be rounding. */
const wholeSecond = 1000;
