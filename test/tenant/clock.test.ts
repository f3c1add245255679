import { getEventListeners } from "node:events";
import { systemClock } from "../../src/tenant/clock";

test("leaves no listener on the signal after a sleep", async () => {
  const { signal } = new AbortController();
  await systemClock.sleep(1, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("ends a sleep with the signal's reason, even if the signal aborted before", async () => {
  const controller = new AbortController();
  const sleeping = systemClock.sleep(600_000, controller.signal);
  controller.abort(new Error("enough"));
  await expect(sleeping).rejects.toThrow("enough");
  await expect(systemClock.sleep(1, controller.signal)).rejects.toThrow("enough");
});

test("does not end a sleep at once that is longer than the longest timer", async () => {
  const controller = new AbortController();
  const sleeping = systemClock.sleep(2 ** 31, controller.signal);
  await systemClock.sleep(10);
  controller.abort(new Error("enough"));
  await expect(sleeping).rejects.toThrow("enough");
});
