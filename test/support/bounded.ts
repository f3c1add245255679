/** Work that must not take time squared to its input: such work takes minutes, and it is stopped after one. */
import { runInNewContext } from "node:vm";

/** Throws if the work, which is synchronous, does not end. Linear work needs a thousandth of the time, so a busy machine changes nothing. */
export function bounded(work: () => void): void {
  runInNewContext("work()", { work }, { timeout: 60_000 });
}
