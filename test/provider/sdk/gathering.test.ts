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
const message = () => "message";
const always = () => true;

test.each([
  ["warning", undefined, 50],
  ["refusal", always, 3_000],
])(
  "a %s is due after a time without a call, which begins after the last running call",
  async (_what, refuses, wait) => {
    const slow = slowCall();
    const { during, gathered, time } = open({ 20_000: slow.finish });
    const work = during(slow.work);
    expect(await during(() => gathered("a", message, refuses))).toEqual(["message"]);
    await work;
    expect(time()).toBe(20_000 + wait);
  },
);

test.each([1, 2, 10])("%i waiting calls all report, whatever else could come", async (count) => {
  const { during, gathered } = open();
  const topics = Array.from({ length: count }, (_, topic) => String(topic));
  const all = await Promise.all(topics.map((topic) => during(() => gathered(topic, () => topic, always))));
  expect(all).toEqual(topics.map((topic) => [topic]));
});

test("each new call prolongs the wait", async () => {
  const often = Object.fromEntries(Array.from({ length: 500 }, (_, count) => [count * 40, () => void during(nothing)]));
  const { during, gathered, time } = open(often);
  const warned = during(() => gathered("a", message)).then(() => time());
  expect(await during(() => gathered("b", message, always))).toEqual(["message"]);
  expect([await warned, time()]).toEqual([20_010, 23_010]);
});

test("a call that finds nothing sets no timer, also if it looks only once it is alone", async () => {
  const slow = slowCall();
  const { during, gathered, isAlone, time } = open();
  expect(await during(() => gathered("a", () => undefined))).toEqual([]);
  const work = during(slow.work);
  const waiting = during(() => gathered("a", () => (isAlone() ? undefined : "perhaps")));
  slow.finish();
  expect(await waiting).toEqual([]);
  await work;
  expect(time()).toBe(0);
});

test("a machine that is too slow for its timers does not count the time that it lost", async () => {
  const clock = createVirtualClock();
  const late = { now: clock.now, after: (ms: number, work: () => void) => clock.after(ms * 10, work) };
  const { during, gathered } = createGathering(late);
  await during(() => gathered("a", message, always));
  expect(clock.now()).toBeGreaterThan(25_000);
});

test("a call waits for one refusal only, and a later call waits again", async () => {
  const { during, gathered, time } = open();
  await during(async () => {
    await gathered("a", message, always);
    expect(await gathered("b", message, always)).toEqual(["message"]);
  });
  expect(time()).toBeLessThan(3_100);
  const before = time();
  expect(await during(() => gathered("c", message, always))).toEqual(["message"]);
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

describe("on one topic", () => {
  test("reports all messages in the newest call, and lets the other calls return at once", async () => {
    const { gathered } = open();
    const order: number[] = [];
    const said = [1, 2, 3].map((place) => gathered("taken", () => place).then((found) => (order.push(place), found)));
    expect(await Promise.all(said)).toEqual([[], [], [1, 2, 3]]);
    expect(order.at(-1)).toBe(3);
    expect(await gathered("taken", () => 4)).toEqual([4]);
  });

  test("drops a message when its cause disappears before the report", async () => {
    const { gathered } = open();
    let isTaken: true | undefined = true;
    const said = [gathered("taken", () => isTaken && "first"), gathered("taken", () => "second")];
    isTaken = undefined;
    expect(await Promise.all(said)).toEqual([[], ["second"]]);
  });

  test("stops waiting when another call takes the cause of every message, or the reason to refuse, away", async () => {
    let isTaken = true;
    const free = async () => void (isTaken = false);
    const { during, gathered, time } = open({ 1_000: () => void during(free) });
    const gone = during(() => gathered("a", () => (isTaken ? "taken" : undefined), always));
    const still = during(() => gathered("b", message, () => isTaken)).then((found) => ({ found, at: time() }));
    expect(await gone).toEqual([]);
    expect(time()).toBeLessThan(1_100);
    expect(await still).toEqual({ found: ["message"], at: 1_050 });
  });
});
