// Counts timers that are left behind, because they would only show in a process that does not end.
import { createHook } from "node:async_hooks";

/** How many timers of this length were started meanwhile, and how many are still waiting. */
export async function timers(milliseconds: number, meanwhile: () => Promise<void>) {
  const waiting = new Set<number>();
  let begun = 0;
  const hook = createHook({
    init(id, kind, _trigger, timer) {
      if (kind !== "Timeout" || Reflect.get(timer, "_idleTimeout") !== milliseconds) return;
      begun++;
      waiting.add(id);
    },
    destroy: (id) => void waiting.delete(id),
  }).enable();
  try {
    await meanwhile();
    await new Promise(setImmediate);
  } finally {
    hook.disable();
  }
  return { begun, waiting: waiting.size };
}
