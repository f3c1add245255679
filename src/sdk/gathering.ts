/** Collects what the reviews of a plan say on one topic, so that one of them reports it for all. */

/*
 * Terraform never says which call of a plan is the last, so a review can only wait until no other call comes for a moment. Before
 * it refuses a plan, it waits longer, and only while Terraform can send the call that would prevent the refusal.
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
  /** Whether a call is running. */
  isRunning(): boolean;
  /** Does the work of one call. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Waits until the plan has settled, or until no `check` of the topic returns anything. Then the newest caller gets what all
   * checks return, and the others get nothing. The wait is longer while `refuses` returns true for a result of a check.
   */
  gathered<T>(topic: string, check: () => T | undefined, refuses?: (found: T) => boolean): Promise<Gathered<T>>;
}

/** Milliseconds without a new call after which a review reports a warning; milliseconds that new calls can prolong this to. */
const moment = 200;
const longest = 5_000;
/** Milliseconds without a new call, and with a free slot, after which a review may refuse the plan. */
const quietBeforeRefusal = 3_000;
const step = 20;

interface Check {
  find(): unknown;
  refuses(): boolean;
}

/** `slots`: how many calls Terraform makes in parallel; 0 if that is unknown, or if nothing may be refused. */
export function createGathering(sleep: (ms: number) => Promise<unknown>, slots: () => number = () => 0): Gathering {
  const topics = new Map<string, Check[]>();
  let begun = 0;
  let running = 0;
  let most = 0;
  let waiting = 0;
  /** The number of calls at which the plan was complete. */
  let completeAt: number | undefined;

  /** Returns whether the plan is complete. */
  async function wait(isOver: () => boolean, refuses: () => boolean): Promise<boolean> {
    waiting++;
    try {
      let seen = begun;
      let quiet = 0;
      let free = completeAt === begun && running <= waiting ? quietBeforeRefusal : 0;
      for (let waited = 0; !isOver();) {
        const hasSlot = waiting < slots();
        const mayRefuse = hasSlot && refuses();
        if (mayRefuse && free >= quietBeforeRefusal) {
          completeAt = begun;
          return true;
        }
        if (!mayRefuse && (quiet >= moment || waited >= longest)) return false;
        await sleep(step);
        const isBusy = running > waiting;
        const isNew = begun !== seen;
        quiet = isBusy || isNew ? 0 : quiet + step;
        free = quiet > 0 && hasSlot && waiting < slots() ? free + step : 0;
        waited = isBusy ? 0 : waited + step;
        seen = begun;
      }
      return false;
    } finally {
      waiting--;
    }
  }

  return {
    isRunning: () => running > 0,

    most: () => most,
    areRunning: () => running > waiting,
    hasFreeSlot: () => running < most,

    async waiting(work) {
      waiting++;
      try {
        return await work();
      } finally {
        waiting--;
      }
    },

    async during(work) {
      begun++;
      running++;
      most = Math.max(most, running);
      try {
        return await work();
      } finally {
        running--;
      }
    },

    async gathered<T>(topic: string, find: () => T | undefined, refuses: (found: T) => boolean = () => false) {
      if (find() === undefined) return { found: [], isComplete: false };
      const checks = topics.get(topic) ?? [];
      topics.set(topic, checks);
      const check = {
        find,
        refuses() {
          const found = find();
          return found !== undefined && refuses(found);
        },
      };
      checks.push(check);
      const isNewest = () => checks.at(-1) === check;
      // A waiting call occupies one of Terraform's parallel slots: all but the newest return at once.
      const isComplete = await wait(
        () => !isNewest() || checks.every((each) => each.find() === undefined),
        () => checks.some((each) => each.refuses()),
      );
      if (!isNewest()) return { found: [], isComplete: false };
      topics.delete(topic);
      return {
        found: checks.map((each) => each.find() as T | undefined).filter((found) => found !== undefined),
        isComplete,
      };
    },
  };
}
