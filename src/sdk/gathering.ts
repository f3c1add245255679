/** Collects what the reviews of a plan say on one topic, so that one of them reports it for all. */

/*
 * Terraform never says which call of a plan is the last, so a review can only wait until no other call comes for a moment. This
 * wait decides how many warnings a plan shows. It must never decide whether a plan is refused.
 */

export interface Gathering {
  /** Whether a call is running. */
  isRunning(): boolean;
  /** Does the work of one call. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Waits until only waiting calls are running and no call has come for a moment, or until `isOver`. */
  settled(isOver?: () => boolean): Promise<void>;
  /**
   * Waits until the plan has settled, or until no `check` of the topic returns anything. Then the newest caller gets what all
   * checks return, and the others get nothing.
   */
  gathered<T>(topic: string, check: () => T | undefined): Promise<readonly T[]>;
}

/** Milliseconds without a new call after which a plan counts as settled; milliseconds that new calls can prolong this to. */
const moment = 200;
const longest = 5_000;
const step = 20;

export function createGathering(sleep: (ms: number) => Promise<unknown>): Gathering {
  const topics = new Map<string, (() => unknown)[]>();
  let begun = 0;
  let running = 0;
  let waiting = 0;

  async function settled(isOver = () => false): Promise<void> {
    waiting++;
    try {
      let seen = begun;
      for (let quiet = 0, waited = 0; quiet < moment && waited < longest && !isOver();) {
        await sleep(step);
        const isBusy = running > waiting;
        quiet = isBusy || begun !== seen ? 0 : quiet + step;
        waited = isBusy ? 0 : waited + step;
        seen = begun;
      }
    } finally {
      waiting--;
    }
  }

  return {
    isRunning: () => running > 0,
    settled,

    async during(work) {
      begun++;
      running++;
      try {
        return await work();
      } finally {
        running--;
      }
    },

    async gathered<T>(topic: string, check: () => T | undefined) {
      if (check() === undefined) return [];
      const checks = (topics.get(topic) ?? []) as (() => T | undefined)[];
      topics.set(topic, checks);
      checks.push(check);
      const isNewest = () => checks.at(-1) === check;
      // A waiting call occupies one of Terraform's parallel slots: all but the newest return at once.
      await settled(() => !isNewest() || checks.every((each) => each() === undefined));
      if (!isNewest()) return [];
      topics.delete(topic);
      return checks.map((each) => each()).filter((found) => found !== undefined);
    },
  };
}
