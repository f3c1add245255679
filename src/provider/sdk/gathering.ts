/**
 * Waits until a plan has settled, and collects what its changes say on one topic, so that one of them reports it for all.
 *
 * Terraform plans each object by itself, and never says which call of a plan is the last. A review that finds a problem waits until no
 * other call runs or comes for a while, and what is known then decides. A call that finds nothing sets no timer:
 *
 *     ACL "partner" opens KP   --- finds a broken expectation, waits ------------------ refused
 *     ACL "wall" blocks KP          --- planned meanwhile: the problem is gone, and the wait ends
 *
 * A waiting call occupies one of Terraform's parallel slots, so only the newest call of a topic waits, and the others return. With one slot
 * (-parallelism=1), no other call can come meanwhile: what was planned before decides then.
 */

/** The other calls of Terraform, for a call that waits for them. */
export interface OtherCalls {
  /** Whether another call is running, and does not wait. */
  areRunning(): boolean;
  /** Whether fewer calls are running than were seen at one time, so that Terraform can start another one. */
  hasFreeSlot(): boolean;
  /** Counts the call as waiting while the work lasts. */
  waiting<T>(work: () => Promise<T>): Promise<T>;
}

export interface Gathering extends OtherCalls {
  /** The most calls that were running at one time. */
  most(): number;
  /** Whether no call but the asking one is running, or all others wait. */
  isAlone(): boolean;
  /** Does the work of one call. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Waits until the plan has settled, or until no `find` of the topic returns anything. Returns what all of them return then to the newest
   * call, and nothing to the others. The wait is longer while `refuses` returns true for something found.
   */
  gathered<T>(topic: string, find: () => T | undefined, refuses?: (found: T) => boolean): Promise<readonly T[]>;
}

export interface Clock {
  now(): number;
  /** Returns what cancels the work. */
  after(ms: number, work: () => void): () => void;
}

const realClock: Clock = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** Milliseconds without another call before a warning is reported, and before a plan is refused. Two warnings instead of one do no harm. */
const quietBefore = { warning: 50, refusal: 3_000 };
/** Terraform sends the next call a moment after one ends. */
const pause = 20;
/** Quiet counts in ticks of a timer, because a slow machine delays these as it delays Terraform. */
const tick = 100;

interface Check {
  find(): unknown;
  refuses(): boolean;
}

/** The calls of a topic, of which the newest waits. */
interface Waiter {
  readonly checks: readonly Check[];
  /** `isNewest`: false once a newer call of the topic waits instead. */
  finish(isNewest: boolean): void;
}

export function createGathering(clock: Clock = realClock): Gathering {
  /** By topic. */
  const waiters = new Map<string, Waiter>();
  let running = 0;
  let waiting = 0;
  let most = 0;
  /** Milliseconds without a call, as the ticks count them. Infinite once the plan has settled, until another call comes. */
  let quiet = 0;
  let lastLook = clock.now();
  let cancel: (() => void) | undefined;

  const areRunning = () => running > waiting;

  function count(change: () => void): void {
    change();
    if (quiet !== Infinity) quiet = 0;
    lastLook = clock.now();
    if (areRunning()) return;
    for (const [topic, waiter] of waiters) if (isOver(waiter)) release(topic, waiter);
    lookAfter(pause);
  }

  const isOver = ({ checks }: Waiter) => checks.every((check) => check.find() === undefined);

  /** The call goes on. */
  function release(topic: string, waiter: Waiter): void {
    waiters.delete(topic);
    waiting--;
    waiter.finish(true);
  }

  function lookAfter(ms: number): void {
    cancel?.();
    cancel = waiters.size > 0 ? clock.after(ms, look) : undefined;
  }

  function look(): void {
    if (areRunning()) return;
    const now = clock.now();
    quiet += Math.min(now - lastLook, tick);
    lastLook = now;
    let next = tick;
    for (const [topic, waiter] of waiters) {
      const refuses = waiter.checks.some((check) => check.refuses());
      const wait = quietBefore[refuses ? "refusal" : "warning"];
      if (quiet < wait && !isOver(waiter)) {
        next = Math.min(next, wait - quiet);
        continue;
      }
      if (refuses) quiet = Infinity;
      release(topic, waiter);
    }
    if (!areRunning()) lookAfter(next);
  }

  /** Returns when the report is due, or once a newer call of the topic waits. */
  function turn(topic: string, checks: readonly Check[]): Promise<boolean> {
    return new Promise((finish) => {
      const older = waiters.get(topic);
      waiters.set(topic, { checks, finish });
      older?.finish(false);
      count(() => (waiting += older ? 0 : 1));
    });
  }

  return {
    most: () => most,
    areRunning,
    isAlone: () => running - waiting <= 1,
    hasFreeSlot: () => running < most,

    async waiting(work) {
      count(() => waiting++);
      try {
        return await work();
      } finally {
        count(() => waiting--);
      }
    },

    async during(work) {
      quiet = 0;
      count(() => (most = Math.max(most, ++running)));
      try {
        return await work();
      } finally {
        count(() => running--);
      }
    },

    async gathered<T>(topic: string, find: () => T | undefined, refuses: (found: T) => boolean = () => false) {
      if (find() === undefined) return [];
      const refusesNow = () => {
        const found = find();
        return found !== undefined && refuses(found);
      };
      const checks = [...(waiters.get(topic)?.checks ?? []), { find, refuses: refusesNow }];
      if (!(await turn(topic, checks))) return [];
      return checks.map((each) => each.find() as T | undefined).filter((one) => one !== undefined);
    },
  };
}
