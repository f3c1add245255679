// A clock that stops while work can continue, and then jumps to the next sleeper.
import type { Clock } from "../../../src/tenant/clock";

export interface VirtualClock extends Clock {
  /** Lets time pass until the work is settled. */
  run<T>(work: Promise<T>): Promise<T>;
}

/** Turns after which endless work is given up. */
const mostTurns = 50_000;

interface Sleeper {
  until: number;
  wake(): void;
}

export function createVirtualClock(start = Date.parse("2026-01-01T00:00:00.250Z")): VirtualClock {
  let now = start;
  const sleepers = new Set<Sleeper>();

  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = {
          until: now + Math.max(0, ms),
          wake: () => {
            signal?.removeEventListener("abort", onAbort);
            resolve();
          },
        };
        const onAbort = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
    async run(work) {
      let settled = false;
      const done = () => void (settled = true);
      work.then(done, done);
      for (let turn = 0; turn < mostTurns; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
        if (settled) return work;
        const next = [...sleepers].toSorted((a, b) => a.until - b.until)[0];
        if (!next) throw new Error("Everybody waits and nobody sleeps: a deadlock.");
        sleepers.delete(next);
        now = Math.max(now, next.until);
        next.wake();
      }
      throw new Error(`It has not come to an end in ${mostTurns} turns.`);
    },
  };
}
