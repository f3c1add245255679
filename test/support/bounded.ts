/** Stops work after one minute, because work in quadratic time would take several minutes. */
import { runInNewContext } from "node:vm";

/** Throws if the synchronous work does not end in time. Linear work needs a thousandth of that, so a busy machine does not matter. */
export function bounded(work: () => void): void {
  runInNewContext("work()", { work }, { timeout: 60_000 });
}
