import { getEventListeners } from "node:events";
import { systemClock } from "../../src/tenant/clock";

test("a sleep that is over leaves nothing behind at the signal", async () => {
  const { signal } = new AbortController();
  await systemClock.sleep(1, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a sleep ends with the signal's reason, also where it was given before", async () => {
  const controller = new AbortController();
  const sleeping = systemClock.sleep(600_000, controller.signal);
  controller.abort(new Error("enough"));
  await expect(sleeping).rejects.toThrow("enough");
  await expect(systemClock.sleep(1, controller.signal)).rejects.toThrow("enough");
});

test("a sleep that is longer than any timer does not end at once", async () => {
  const controller = new AbortController();
  const sleeping = systemClock.sleep(2 ** 31, controller.signal);
  await systemClock.sleep(10);
  controller.abort(new Error("enough"));
  await expect(sleeping).rejects.toThrow("enough");
});
