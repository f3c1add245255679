/** Lets a new object wait for the deletion of the object that has its unique value, because Terraform deletes and creates in any order. */
import type { Order } from "./order";
import type { OtherCalls } from "./write-guard";

export interface Departures {
  /** Records that this process deleted the object. */
  left(id: string): void;
  /** Resolves to true once this process has deleted the object, and to false if nothing more is expected. */
  hasLeft(id: string, others?: OtherCalls): Promise<boolean>;
}

export function createDepartures(order: Order): Departures {
  const gone = new Set<string>();
  return {
    left: (id) => void gone.add(id),
    async hasLeft(id, others) {
      while (!gone.has(id)) if (!(await order.waitForOthers(others))) return gone.has(id);
      return true;
    },
  };
}
