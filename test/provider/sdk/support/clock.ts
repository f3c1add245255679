/** A clock that runs ahead to its next event, one turn of the event loop for each 20 ms. */
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../../src/provider/sdk/gathering";

export interface VirtualClock extends Clock {
  at(time: number, work: () => void): void;
}

export function createVirtualClock(): VirtualClock {
  const due: { readonly time: number; readonly work: () => void }[] = [];
  let time = 0;
  let isRunning = false;

  async function run(): Promise<void> {
    for (isRunning = true; due.length > 0;) {
      const next = Math.min(...due.map((one) => one.time), time + 20);
      await setImmediate();
      time = next;
      const [one] = due.filter((each) => each.time <= time).toSorted((a, b) => a.time - b.time);
      if (!one) continue;
      due.splice(due.indexOf(one), 1);
      one.work();
    }
    isRunning = false;
  }

  function at(when: number, work: () => void) {
    const one = { time: when, work };
    due.push(one);
    if (!isRunning) void run();
    return () => void (due.includes(one) && due.splice(due.indexOf(one), 1));
  }

  return { now: () => time, at, after: (ms, work) => at(time + ms, work) };
}
