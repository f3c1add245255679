/** What several reviews say on one topic, gathered into one report. The test controls the clock. */
import { createGathering } from "../../../src/provider/sdk/gathering";
import { createVirtualClock } from "./support/clock";

/** `at`: milliseconds -> the action at that time. */
function open(at: Record<number, () => void> = {}) {
  const clock = createVirtualClock();
  for (const [time, work] of Object.entries(at)) clock.at(Number(time), work);
  return { ...createGathering(clock), time: clock.now };
}

/** A call that works until `finish`. */
function slowCall() {
  let finish = () => {};
  const work = () => new Promise<void>((resolve) => (finish = resolve));
  return { work, finish: () => finish() };
}

const nothing = async () => {};
const refusal = () => "refusal" as const;
const warning = () => "warning" as const;

test.each([
  ["warning", warning, 20],
  ["refusal", refusal, 3_000],
])("a %s is due after a time without a call, which begins after the last running call", async (_what, due, wait) => {
  const slow = slowCall();
  const { during, whenQuiet, time } = open({ 20_000: slow.finish });
  const work = during(slow.work);
  expect(await during(() => whenQuiet(due))).toBe(true);
  await work;
  expect(time()).toBe(20_000 + wait);
});

test("each new call prolongs the wait", async () => {
  const often = Object.fromEntries(Array.from({ length: 500 }, (_, count) => [count * 40, () => void during(nothing)]));
  const { during, whenQuiet, time } = open(often);
  expect(await during(() => whenQuiet(refusal))).toBe(true);
  expect(time()).toBe(22_960);
});

test("a call that finds nothing sets no timer, also if it looks only once it is alone", async () => {
  const slow = slowCall();
  const { during, whenQuiet, isAlone, time } = open();
  expect(await during(() => whenQuiet(() => undefined))).toBe(false);
  const work = during(slow.work);
  const waiting = during(() => whenQuiet(() => (isAlone() ? undefined : "warning")));
  slow.finish();
  expect(await waiting).toBe(false);
  await work;
  expect(time()).toBe(0);
});

test("a machine that is too slow for its timers does not count the time that it lost", async () => {
  const clock = createVirtualClock();
  const late = { now: clock.now, after: (ms: number, work: () => void) => clock.after(ms * 10, work) };
  const { during, whenQuiet } = createGathering(late);
  await during(() => whenQuiet(refusal));
  expect(clock.now()).toBeGreaterThan(25_000);
});

test("a call waits for one refusal only, and a later call waits again", async () => {
  const { during, whenQuiet, time } = open();
  await during(async () => {
    await whenQuiet(refusal);
    expect(await whenQuiet(refusal)).toBe(true);
  });
  expect(time()).toBeLessThan(3_100);
  const before = time();
  expect(await during(() => whenQuiet(refusal))).toBe(true);
  expect(time() - before).toBe(3_000);
});

test("only the newest call of a plan looks at what is due, and reports for all", async () => {
  const slow = slowCall();
  const { during, whenQuiet, time } = open({ 1_000: slow.finish });
  const looks = [0, 0, 0];
  const work = during(slow.work);
  const told = looks.map((_, call) => during(() => whenQuiet(() => (looks[call]!++, "refusal"))));
  expect(await Promise.all(told)).toEqual([false, false, true]);
  await work;
  expect([looks.slice(0, 2), time()]).toEqual([[1, 1], 4_000]);
  expect(looks[2]).toBeLessThan(50);
});

test("a call that causes no refusal does not take the place of one that does", async () => {
  const { during, whenQuiet } = open();
  const causes = [false, true, false, true, false];
  const told = causes.map((isCause) => during(() => whenQuiet(refusal, () => isCause)));
  expect(await Promise.all(told)).toEqual([false, false, false, true, false]);
});

test("stops waiting when another call takes what is due, or the reason to refuse, away", async () => {
  for (const [rest, isTold, end] of [
    [undefined, false, 1_000],
    ["warning", true, 1_020],
  ] as const) {
    let due: "refusal" | "warning" | undefined = "refusal";
    const free = async () => void (due = rest);
    const { during, whenQuiet, time } = open({ 1_000: () => void during(free) });
    expect(await during(() => whenQuiet(() => due))).toBe(isTold);
    expect(time()).toBe(end);
  }
});
