/** Tracks the progress of writes, and lets other writes wait for it. */
import type { Clock } from "./clock";
import type { OtherCalls } from "./write-guard";

export interface Activity {
  /** Whether a call to the service is under way. */
  isBusy(): boolean;
  /** Milliseconds since the last progress, and since a call to the service or another running call was last seen. */
  quietMs(others?: OtherCalls): number;
  progress(): void;
  /** Resolves at the next progress, and at the latest after `ms` milliseconds. With other calls, it looks for them again sooner. */
  wait(ms: number, others?: OtherCalls): Promise<void>;
  /** Runs a call to the service. Nothing gives up meanwhile. */
  during<T>(call: () => Promise<T>): Promise<T>;
}

/** Milliseconds between two looks at other calls, whose end is no progress. */
const look = 250;

export function createActivity(clock: Clock, signal: AbortSignal): Activity {
  let calls = 0;
  let progressAt = clock.now();
  let runningAt = progressAt;
  let next = new AbortController();
  const progress = () => {
    progressAt = clock.now();
    next.abort();
    next = new AbortController();
  };
  return {
    isBusy: () => calls > 0,
    quietMs(others) {
      const now = clock.now();
      if (calls > 0 || others?.areRunning()) runningAt = now;
      return now - Math.max(progressAt, runningAt);
    },
    progress,
    wait(ms, others) {
      const until = others ? Math.min(ms, look) : ms;
      return clock.sleep(until, AbortSignal.any([signal, next.signal])).catch(() => signal.throwIfAborted());
    },
    async during(call) {
      calls++;
      try {
        return await call();
      } finally {
        calls--;
        progress();
      }
    },
  };
}
