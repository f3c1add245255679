/** Tracks the progress of writes, and lets other writes wait for it. */
import type { Clock } from "./clock";

export interface Activity {
  /** Whether a call to the service is under way. */
  isBusy(): boolean;
  /** Milliseconds since the last progress. */
  idleMs(): number;
  progress(): void;
  /** Resolves at the next progress, and at the latest after `ms` milliseconds. */
  wait(ms: number): Promise<void>;
  /** Runs a call to the service. Nothing gives up meanwhile. */
  during<T>(call: () => Promise<T>): Promise<T>;
}

export function createActivity(clock: Clock, signal: AbortSignal): Activity {
  let calls = 0;
  let progressAt = clock.now();
  let next = new AbortController();
  const progress = () => {
    progressAt = clock.now();
    next.abort();
    next = new AbortController();
  };
  return {
    isBusy: () => calls > 0,
    idleMs: () => clock.now() - progressAt,
    progress,
    wait: (ms) => clock.sleep(ms, AbortSignal.any([signal, next.signal])).catch(() => signal.throwIfAborted()),
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
