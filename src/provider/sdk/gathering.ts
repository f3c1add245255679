/**
 * Waits until a plan has settled, so that one of its calls reports for all.
 *
 * Terraform plans each object by itself, and never says which call of a plan is the last. A review that finds a problem waits until no
 * other call runs or comes for a while, and what is known then decides. A call that finds nothing sets no timer:
 *
 *     ACL "partner" opens KP   --- finds a broken expectation, waits ------------------ refused
 *     ACL "wall" blocks KP          --- planned meanwhile: the problem is gone, and the wait ends
 *
 * A waiting call occupies one of Terraform's parallel slots, so only one call waits, and the others return: the newest call, or the newest
 * one that causes a refusal. With one slot (-parallelism=1), no other call can come meanwhile: what was planned before decides then.
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
  /** Whether no call but the asking one is running, or all others wait. */
  isAlone(): boolean;
  /** Does the work of one call. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Waits until the plan has settled, or until nothing is due. Returns true to the call that reports for the whole plan, if something is due
   * then, and false to the others. `due`: what to report, so that a refusal waits longer. `isCause`: whether the call causes a refusal. It
   * goes on waiting when one comes that causes none, because what prevents the refusal may depend on that one.
   */
  whenQuiet(due: () => Due | undefined, isCause?: () => boolean): Promise<boolean>;
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
const quietBefore = { warning: 20, refusal: 3_000 };
/** Quiet counts in ticks of a timer, because a slow machine delays these as it delays Terraform. */
const tick = 100;

type Due = keyof typeof quietBefore;

/** The call that waits. */
interface Waiter {
  due(): Due | undefined;
  isCause(): boolean;
  /** `isNewest`: false once a newer call waits instead. */
  finish(isNewest: boolean): void;
}

export function createGathering(clock: Clock = realClock): Gathering {
  let waiter: Waiter | undefined;
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
    if (waiter && waiter.due() === undefined) release(waiter);
    lookAfter(quietBefore.warning);
  }

  /** The call goes on. */
  function release({ finish }: Waiter): void {
    waiter = undefined;
    waiting--;
    finish(true);
  }

  function lookAfter(ms: number): void {
    cancel?.();
    cancel = waiter ? clock.after(ms, look) : undefined;
  }

  function look(): void {
    if (areRunning() || !waiter) return;
    const now = clock.now();
    quiet += Math.min(now - lastLook, tick);
    lastLook = now;
    const due = waiter.due();
    const wait = due === undefined ? 0 : quietBefore[due];
    if (quiet < wait) return lookAfter(Math.min(tick, wait - quiet));
    if (due === "refusal") quiet = Infinity;
    release(waiter);
  }

  /** Returns when the report is due, or once a newer call waits. */
  function turn(due: () => Due | undefined, isCause = () => false): Promise<boolean> {
    return new Promise((finish) => {
      const older = waiter;
      if (older?.isCause() && !isCause()) return finish(false);
      waiter = { due, isCause, finish };
      older?.finish(false);
      count(() => (waiting += older ? 0 : 1));
    });
  }

  return {
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

    whenQuiet: async (due, isCause) => due() !== undefined && (await turn(due, isCause)) && due() !== undefined,
  };
}
