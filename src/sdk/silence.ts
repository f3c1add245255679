/** When nobody is at work any more: Terraform never says which call of a plan is the last. */

export interface Silence {
  /** Notes that something was asked for. */
  touch(): void;
  /** Does the work of one call; `isAwaited`: Terraform may ask for nothing more until it is done, so that nobody counts as silent. */
  during<T>(work: () => Promise<T>, isAwaited: boolean): Promise<T>;
  /** Milliseconds since anything was at work. */
  idle(): number;
  /**
   * Waits until nothing was asked for so many milliseconds, and all that was is answered, or until it is over, which is looked
   * for each `step`; while nobody is at work, not for longer than `longest`.
   */
  wait(quietFor: () => number, step?: number, isOver?: () => boolean): Promise<void>;
}

/** Milliseconds of silence after which a plan has settled, and the longest wait for them. */
export const quiet = 200;
const longest = 5_000;

export function createSilence(now: () => number, sleep: (ms: number) => Promise<unknown>): Silence {
  let calls = 0;
  let awaited = 0;
  /** How many of those that are awaited wait themselves. */
  let waiting = 0;
  let touched = now();
  let ended = touched;

  return {
    touch() {
      touched = ended = now();
    },
    async during(work, isAwaited) {
      calls++;
      if (isAwaited) awaited++;
      try {
        return await work();
      } finally {
        calls--;
        ended = now();
        if (isAwaited) {
          awaited--;
          touched = ended;
        }
      }
    },
    idle: () => (calls > 0 ? 0 : now() - ended),
    async wait(quietFor, step, isOver = () => false) {
      const began = now();
      let deadline = began + longest;
      waiting++;
      try {
        while (!isOver()) {
          const isBusy = awaited > waiting;
          if (isBusy) deadline = now() + longest;
          const rest = isBusy ? quietFor() : Math.max(touched + quietFor(), began + quiet) - now();
          if (rest <= 0 || now() >= deadline) return;
          await sleep(step ?? rest);
        }
      } finally {
        waiting--;
      }
    },
  };
}
