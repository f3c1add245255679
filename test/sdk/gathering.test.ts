/** Messages of several reviews on one topic, gathered into one report. The test controls the clock. */
import { createGathering, decide, type Moment } from "../../src/sdk/gathering";
import { createVirtualClock } from "./support/clock";

const calm: Moment = { quiet: 0, waited: 0, refuses: false, hasFreeSlot: true };
const refusing = { refuses: true };

test.each<[what: string, moment: Partial<Moment>, decision: ReturnType<typeof decide>]>([
  ["a warning waits 200 ms without a new call", { quiet: 50 }, 150],
  ["a warning is due after 200 ms without a new call", { quiet: 200 }, "warning"],
  ["new calls prolong a warning to 5 s", { quiet: 50, waited: 4_900 }, 100],
  ["a warning is due after 5 s", { quiet: 50, waited: 5_000 }, "warning"],
  ["a refusal waits 3 s without a new call", { ...refusing, quiet: 200, waited: 60_000 }, 2_800],
  ["a refusal is due after 3 s without a new call", { ...refusing, quiet: 3_000 }, "refusal"],
  ["a refusal is due at once in a plan that has settled", { ...refusing, quiet: Infinity }, "refusal"],
  ["without a free slot, no other call can come, so a refusal waits 200 ms", { ...refusing, hasFreeSlot: false }, 200],
  ["and becomes a warning", { ...refusing, hasFreeSlot: false, quiet: 3_000 }, "warning"],
])("%s", (_what, moment, decision) => {
  expect(decide({ ...calm, ...moment })).toBe(decision);
});

/** `at`: milliseconds -> the action at that time. */
function open(at: Record<number, () => void> = {}, slots = 10) {
  const clock = createVirtualClock();
  for (const [time, work] of Object.entries(at)) clock.at(Number(time), work);
  return { ...createGathering(clock, () => slots), time: clock.now };
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
const refusal = { found: ["message"], isComplete: true };
const warning = { found: ["message"], isComplete: false };

test.each([
  ["warning", undefined, 20_200],
  ["refusal", always, 23_000],
])("the time of a %s begins after the last running call, however long that takes", async (_what, refuses, end) => {
  const slow = slowCall();
  const { during, gathered, time } = open({ 20_000: slow.finish });
  const work = during(slow.work);
  await during(() => gathered("a", message, refuses));
  await work;
  expect(time()).toBe(end);
});

test("the last of many calls decides when the plan is refused, and 5 s of calls are enough for a warning", async () => {
  const often = Object.fromEntries(
    Array.from({ length: 200 }, (_, count) => [count * 100, () => void during(nothing)]),
  );
  const { during, gathered, time } = open(often);
  const warned = during(() => gathered("a", message)).then(() => time());
  expect(await during(() => gathered("b", message, always))).toEqual(refusal);
  expect(time()).toBe(22_900);
  expect(await warned).toBe(5_020);
});

test("with 2 slots, 1 of 2 waiting calls refuses and 1 warns", async () => {
  const { during, gathered } = open({}, 2);
  const both = ["a", "b"].map((topic) => during(() => gathered(topic, message, always)));
  expect(new Set(await Promise.all(both))).toEqual(new Set([warning, refusal]));
});

test("a call waits for one refusal only, and a later call waits again", async () => {
  const { during, gathered, time } = open();
  await during(async () => {
    await gathered("a", message, always);
    expect(await gathered("b", message, always)).toEqual(refusal);
  });
  expect(time()).toBeLessThan(3_100);
  const before = time();
  expect(await during(() => gathered("c", message, always))).toEqual(refusal);
  expect(time() - before).toBe(3_000);
});

describe("on one topic", () => {
  test("reports all messages in the newest call, and lets the other calls return at once", async () => {
    const { gathered } = open();
    const order: number[] = [];
    const said = [1, 2, 3].map((place) =>
      gathered("taken", () => place).then(({ found }) => (order.push(place), found)),
    );
    expect(await Promise.all(said)).toEqual([[], [], [1, 2, 3]]);
    expect(order.at(-1)).toBe(3);
    expect((await gathered("taken", () => 4)).found).toEqual([4]);
  });

  test("drops a message when its cause disappears before the report", async () => {
    const { gathered } = open();
    let isTaken: true | undefined = true;
    const said = [gathered("taken", () => isTaken && "first"), gathered("taken", () => "second")];
    isTaken = undefined;
    expect((await Promise.all(said)).map(({ found }) => found)).toEqual([[], ["second"]]);
  });

  test("stops waiting when another call takes the cause of every message, or the reason to refuse, away", async () => {
    let isTaken = true;
    const free = async () => void (isTaken = false);
    const { during, gathered, time } = open({ 1_000: () => void during(free) });
    const gone = during(() => gathered("a", () => (isTaken ? "taken" : undefined), always));
    const still = during(() => gathered("b", message, () => isTaken)).then((result) => ({ ...result, at: time() }));
    expect((await gone).found).toEqual([]);
    expect(time()).toBeLessThan(1_100);
    expect(await still).toEqual({ ...warning, at: 1_220 });
  });
});
