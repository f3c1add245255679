/** Lets a new object wait for the deletion of the object that has its unique value, because Terraform deletes and creates in any order. */
import type { Clock } from "./clock";
import { createActivity } from "./activity";

export interface Departures {
  /** Runs a write of this process. A wait does not end meanwhile. */
  during<T>(write: () => Promise<T>): Promise<T>;
  /** Records that this process deleted the object. */
  left(id: string): void;
  /** Resolves to true once this process has deleted the object, and to false if nothing was written for some time. */
  hasLeft(id: string): Promise<boolean>;
}

/** `giveUp`: milliseconds without a write after which nothing more is expected. */
export function createDepartures(clock: Clock, signal: AbortSignal, giveUp: number): Departures {
  const activity = createActivity(clock, signal);
  const gone = new Set<string>();
  return {
    during: (write) => activity.during(write),
    left: (id) => void gone.add(id),
    async hasLeft(id) {
      while (!gone.has(id)) {
        if (!activity.isBusy() && activity.idleMs() >= giveUp) return false;
        await activity.wait(giveUp);
      }
      return true;
    },
  };
}
