// The gate every request passes: first come first served, inside the service's quotas and our own caps.
import type { Clock } from "./clock";
import { createQuota, readingOf, type Quota, type Sending } from "./quota";

/** The quotas the service counts apart. */
export type Bucket = "global" | "members-read" | "members-write";

export interface PaceOptions {
  clock: Clock;
  signal: AbortSignal;
  /** Requests under way at once. */
  maxConcurrency: number;
  /** Requests a second, whatever the quota allows; undefined: as the quota allows. */
  maxRequestsPerSecond?: number;
}

export interface Admission {
  /** Milliseconds it was held for the quota or the cap on requests a second. */
  waitedMs: number;
  /** Tells the answer's headers; undefined where there was none. Every admission ends with this or with `refused`. */
  answered(headers: Record<string, string> | undefined): void;
  /** Tells of a 429: nothing more of this bucket for so many milliseconds. */
  refused(headers: Record<string, string>, holdMs: number): void;
}

export interface Pace {
  /** Resolves when a request may go. Lower orders go first. Rejects with the signal's reason. */
  enter(bucket: Bucket, order: number): Promise<Admission>;
  /** What is known of the bucket, for the log. */
  state(bucket: Bucket): { level?: number; rate?: number };
}

interface Waiting {
  order: number;
  since: number;
  held: boolean;
  admit(admission: Admission): void;
  reject(reason: unknown): void;
}

interface Lane {
  queue: Waiting[];
  /** The token buckets that answers in this lane told of. */
  quotas: Set<Quota>;
  /** Whether any answer has come: until then a few requests find out. */
  answered: boolean;
  underWay: Set<Admitted>;
  hold: number;
}

/** A request that was let through: when, and what it draws on. */
interface Admitted {
  at: number;
  sendings: Map<Quota, Sending>;
}

/** Requests of a kind that go before anything is known of its quota: the smallest subscription allows two at once. */
const scouts = 2;

export function createPace({ clock, signal, maxConcurrency, maxRequestsPerSecond }: PaceOptions): Pace {
  const lanes = new Map<Bucket, Lane>();
  // A bucket is known by its size: a request may draw on several, and its answer tells of the scarcest.
  const quotas = new Map<number, Quota>();
  const spacing = maxRequestsPerSecond === undefined ? 0 : 1000 / maxRequestsPerSecond;
  let underWay = 0;
  let nextByCap = 0;
  let wakeAt = Infinity;

  const laneOf = (bucket: Bucket): Lane => {
    const lane = lanes.get(bucket) ?? { queue: [], quotas: new Set(), answered: false, underWay: new Set(), hold: 0 };
    lanes.set(bucket, lane);
    return lane;
  };

  const readyAt = (lane: Lane, now: number): number => {
    if (underWay >= maxConcurrency || (!lane.answered && lane.underWay.size >= scouts)) return Infinity;
    return Math.max(lane.hold, nextByCap, ...[...lane.quotas].map((quota) => quota.readyAt(now)));
  };

  /** The bucket that an answer in this lane told of; what is under way in the lane draws on it, too. */
  const quotaOf = (lane: Lane, limit: number): Quota => {
    const quota = quotas.get(limit) ?? createQuota(limit);
    quotas.set(limit, quota);
    lane.quotas.add(quota);
    for (const { at, sendings } of lane.underWay) if (!sendings.has(quota)) sendings.set(quota, quota.sent(at));
    return quota;
  };

  const settle = (lane: Lane, admitted: Admitted, headers: Record<string, string> | undefined, until?: number) => {
    const now = clock.now();
    const reading = headers && readingOf(headers, now);
    const told = reading && quotaOf(lane, reading.limit);
    if (headers) lane.answered = true;
    if (!lane.underWay.delete(admitted)) return;
    underWay--;
    for (const [quota, sending] of admitted.sendings) {
      quota.answered(sending, now, quota === told ? reading : undefined);
      if (quota !== told && reading) quota.atLeast(reading.remaining, now);
    }
    if (until !== undefined) {
      told?.refused(now, until);
      lane.hold = Math.max(lane.hold, until);
    }
    pump();
  };

  const admit = (lane: Lane, waiting: Waiting, now: number) => {
    const sendings = new Map([...lane.quotas].map((quota) => [quota, quota.sent(now)]));
    const admitted = { at: now, sendings };
    lane.underWay.add(admitted);
    underWay++;
    nextByCap = Math.max(nextByCap, now) + spacing;
    waiting.admit({
      waitedMs: waiting.held ? now - waiting.since : 0,
      answered: (headers) => settle(lane, admitted, headers),
      refused: (headers, holdMs) => settle(lane, admitted, headers, clock.now() + holdMs),
    });
  };

  const pump = () => {
    const now = clock.now();
    let next = Infinity;
    for (;;) {
      next = Infinity;
      let first: Lane | undefined;
      for (const lane of lanes.values()) {
        const head = lane.queue[0];
        if (!head) continue;
        const at = readyAt(lane, now);
        if (at > now) {
          if (at !== Infinity) for (const waiting of lane.queue) waiting.held = true;
          next = Math.min(next, at);
        } else if (!first || head.order < (first.queue[0]?.order ?? 0)) first = lane;
      }
      const waiting = first?.queue.shift();
      if (!first || !waiting) break;
      admit(first, waiting, now);
    }
    if (next < wakeAt) {
      wakeAt = next;
      clock.sleep(next - now, signal).then(() => {
        if (wakeAt === next) wakeAt = Infinity;
        pump();
      }, release);
    }
  };

  const release = (reason: unknown) => {
    for (const lane of lanes.values()) {
      for (const waiting of lane.queue.splice(0)) waiting.reject(reason);
    }
  };
  signal.addEventListener("abort", () => release(signal.reason), { once: true });

  return {
    enter(bucket, order) {
      if (signal.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const { queue } = laneOf(bucket);
        const waiting: Waiting = { order, since: clock.now(), held: false, admit: resolve, reject };
        const place = queue.findIndex((other) => other.order > order);
        queue.splice(place < 0 ? queue.length : place, 0, waiting);
        pump();
      });
    },
    state(bucket) {
      const now = clock.now();
      const scarcest = [...laneOf(bucket).quotas].toSorted((a, b) => a.level(now) - b.level(now))[0];
      return scarcest ? { level: round(scarcest.level(now)), rate: round(scarcest.rate()) } : {};
    },
  };
}

const round = (value: number) => Math.round(value * 10) / 10;
