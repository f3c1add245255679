/** Lets writes of one kind of object wait for each other. */
import { createActivity } from "./activity";
import type { Clock } from "./clock";
import type { OtherCalls } from "./write-guard";

export interface Order {
  /** Notes that a write begins, which may free another one. */
  progress(): void;
  /** Sends a write. Nothing gives up meanwhile. */
  during<T>(write: () => Promise<T>): Promise<T>;
  /** Waits for the next write. False if none came for some time. */
  waitForOthers(others?: OtherCalls): Promise<boolean>;
}

export interface OrderOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds without a write after which nothing more is expected. */
  readonly timeouts?: { readonly giveUp?: number } | undefined;
}

export function createOrder({ clock, signal, timeouts }: OrderOptions): Order {
  const { giveUp = 10_000 } = timeouts ?? {};
  const activity = createActivity(clock, signal);
  return {
    progress: () => activity.progress(),
    during: (write) => activity.during(write),
    async waitForOthers(others) {
      const wait = async () => {
        const left = giveUp - activity.quietMs(others);
        if (left <= 0) return false;
        return activity.wait(left, others).then(() => true);
      };
      return others ? others.waiting(wait) : wait();
    },
  };
}
