/**
 * Collects what the reviews of a plan say on one topic, so that one of them reports it for all.
 *
 * Terraform never says which call of a plan is the last, so a review waits until no other call runs or comes for a moment. Before it
 * refuses a plan, it waits longer, and only while Terraform has a free slot for the call that would prevent the refusal. Nothing is
 * decided while another call works. When the last one ends, or a review begins to wait, one timer is set. Each time it fires, `decide`
 * says for each waiting review whether it reports now, or when it may.
 */

export interface Gathered<T> {
  readonly found: readonly T[];
  /** Whether the plan has settled, so that the plan can be refused. Never true for a topic without a refusal. */
  readonly isComplete: boolean;
}

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
  /** Does the work of one call. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Waits until the plan has settled, or until no `check` of the topic returns anything. Then the newest caller gets what all
   * checks return, and the others get nothing. The wait is longer while `refuses` returns true for a result of a check.
   */
  gathered<T>(topic: string, check: () => T | undefined, refuses?: (found: T) => boolean): Promise<Gathered<T>>;
}

export interface Clock {
  now(): number;
  /** Returns what cancels the work. */
  after(ms: number, work: () => void): () => void;
}

export const realClock: Clock = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** A time at which no call works, for one waiting review. All times are milliseconds. */
export interface Moment {
  /** Since the last call came or worked. Infinite if the plan has settled already. */
  readonly quiet: number;
  /** Since the review began to wait, without the time in which other calls worked. */
  readonly waited: number;
  /** Whether the review would refuse the plan. */
  readonly refuses: boolean;
  /** Whether Terraform can send the call that would prevent the refusal. */
  readonly hasFreeSlot: boolean;
}

/** Without a new call for this time, a review reports a warning; new calls can prolong the wait to `longest`. */
const moment = 200;
const longest = 5_000;
/** The same for a refusal, which new calls prolong without end. */
const quietBeforeRefusal = 3_000;
/** Terraform sends the next call a moment after one ends. */
const pause = 20;

/** The milliseconds after which to decide again; or the report is due, and may refuse the plan or only warn. */
export function decide({ quiet, waited, refuses, hasFreeSlot }: Moment): "refusal" | "warning" | number {
  if (refuses && hasFreeSlot) return quiet >= quietBeforeRefusal ? "refusal" : quietBeforeRefusal - quiet;
  if (quiet >= moment || waited >= longest) return "warning";
  return Math.min(moment - quiet, longest - waited);
}

interface Check {
  find(): unknown;
  refuses(): boolean;
}

/** The reviews of a topic, of which the newest waits. */
interface Waiter {
  readonly checks: readonly Check[];
  /** The idle time before it began to wait. */
  readonly before: number;
  /** Undefined: a newer review waits instead. */
  finish(isComplete: boolean | undefined): void;
}

/** `slots`: how many calls Terraform makes in parallel; 0 if that is unknown, or if nothing may be refused. */
export function createGathering(clock: Clock = realClock, slots: () => number = () => 0): Gathering {
  /** By topic. */
  const waiters = new Map<string, Waiter>();
  let running = 0;
  let waiting = 0;
  let most = 0;
  /** When the last call came, ended its work, or began to wait. */
  let lastEvent = clock.now();
  /** The time in which no call worked, until the last event. */
  let idle = 0;
  /** Whether a refusal was due, and no call has come since. */
  let isSettled = false;
  let cancel: (() => void) | undefined;

  const areRunning = () => running > waiting;
  const idleNow = () => idle + (areRunning() ? 0 : clock.now() - lastEvent);

  /** Counts a call, and sets the timer if no call works then. */
  function count(change: () => void): void {
    idle = idleNow();
    change();
    lastEvent = clock.now();
    if (!areRunning()) lookAfter(pause);
  }

  function lookAfter(ms: number): void {
    cancel?.();
    cancel = waiters.size > 0 ? clock.after(ms, look) : undefined;
  }

  function look(): void {
    if (areRunning()) return;
    const quiet = isSettled ? Infinity : clock.now() - lastEvent;
    const now = idleNow();
    let next = Infinity;
    for (const [topic, { checks, before, finish }] of waiters) {
      const isOver = checks.every((check) => check.find() === undefined);
      const refuses = !isOver && checks.some((check) => check.refuses());
      const due = isOver ? "warning" : decide({ quiet, waited: now - before, refuses, hasFreeSlot: waiting < slots() });
      if (typeof due === "number") {
        next = Math.min(next, due);
        continue;
      }
      isSettled ||= due === "refusal";
      waiters.delete(topic);
      // The call goes on.
      waiting--;
      finish(due === "refusal");
    }
    if (areRunning()) idle = now;
    else lookAfter(next);
  }

  /** Returns when the report is due: whether it may refuse the plan; undefined once a newer review of the topic waits. */
  function turn(topic: string, checks: readonly Check[]): Promise<boolean | undefined> {
    return new Promise((finish) => {
      const older = waiters.get(topic);
      waiters.set(topic, { checks, before: idleNow(), finish });
      // A waiting call occupies one of Terraform's parallel slots: all but the newest return at once.
      older?.finish(undefined);
      count(() => (waiting += older ? 0 : 1));
    });
  }

  return {
    most: () => most,
    areRunning,
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
      isSettled = false;
      count(() => (most = Math.max(most, ++running)));
      try {
        return await work();
      } finally {
        count(() => running--);
      }
    },

    async gathered<T>(topic: string, find: () => T | undefined, refuses: (found: T) => boolean = () => false) {
      if (find() === undefined) return { found: [], isComplete: false };
      const refusesNow = () => {
        const found = find();
        return found !== undefined && refuses(found);
      };
      const checks = [...(waiters.get(topic)?.checks ?? []), { find, refuses: refusesNow }];
      const isComplete = await turn(topic, checks);
      if (isComplete === undefined) return { found: [], isComplete: false };
      const found = checks.map((each) => each.find() as T | undefined).filter((one) => one !== undefined);
      return { found, isComplete };
    },
  };
}
