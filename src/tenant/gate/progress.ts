/** Lets writes wait for each other: a write that begins or ends is progress, after which each waiting write decides again. */
import type { Clock } from "../clock";

/** The other calls of Terraform. */
export interface OtherCalls {
  /** Whether another call is running, and does not wait. */
  areRunning(): boolean;
  /** Whether Terraform can certainly start another call while all running ones wait. Default: it is not known. */
  hasFreeSlot?(): boolean;
  /** Counts the caller as waiting while the work lasts. */
  waiting<T>(work: () => Promise<T>): Promise<T>;
}

export interface ProgressOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeouts?: { readonly giveUp?: number } | undefined;
}

export interface Progress {
  /** Milliseconds without progress after which nothing more is expected. */
  readonly giveUp: number;
  note(): void;
  /** Runs a call to Auth0. Nothing gives up meanwhile. */
  during<T>(call: () => Promise<T>): Promise<T>;
  /**
   * Waits until the next progress, and at the latest after some milliseconds. Returns for how many milliseconds nothing happened that
   * could end the wait: no progress, no call to Auth0, and no other call of Terraform that runs.
   */
  pause(ms: number, others: OtherCalls | undefined): Promise<number>;
}

/** Milliseconds between two looks at other calls, whose end is no progress. */
const look = 250;

export function createProgress({ clock, signal, timeouts }: ProgressOptions): Progress {
  let calls = 0;
  let progressAt = clock.now();
  let runningAt = progressAt;
  let next = new AbortController();
  const note = () => {
    progressAt = clock.now();
    next.abort();
    next = new AbortController();
  };
  const quietMs = (others: OtherCalls | undefined) => {
    const now = clock.now();
    if (calls > 0 || others?.areRunning()) runningAt = now;
    return now - Math.max(progressAt, runningAt);
  };
  return {
    giveUp: timeouts?.giveUp ?? 10_000,
    note,
    async during(call) {
      calls++;
      try {
        return await call();
      } finally {
        calls--;
        note();
      }
    },
    pause(ms, others) {
      const wait = async () => {
        const until = others ? Math.min(ms, look) : ms;
        await clock.sleep(until, AbortSignal.any([signal, next.signal])).catch(() => signal.throwIfAborted());
        return quietMs(others);
      };
      return others ? others.waiting(wait) : wait();
    },
  };
}

/** Waits until it is so. Returns false if nothing more is expected. */
export async function waitUntil(isSo: () => boolean, progress: Progress, others?: OtherCalls): Promise<boolean> {
  for (let quietMs = 0; !isSo();) {
    if (quietMs >= progress.giveUp) return false;
    quietMs = await progress.pause(progress.giveUp - quietMs, others);
  }
  return true;
}
