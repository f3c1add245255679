/** Messages of several reviews on one topic, gathered into one report. The test controls the clock. */
import { createGathering } from "../../src/sdk/gathering";

/** `at`: milliseconds -> the action at that time. */
function open(at: Record<number, () => void> = {}, slots = 10) {
  let time = 0;
  const gathering = createGathering(
    async (ms) => at[(time += ms)]?.(),
    () => slots,
  );
  return { ...gathering, settled: () => settled(gathering), time: () => time };
}

let topics = 0;

/** Waits with a message on a topic of its own. */
const settled = ({ gathered }: Pick<ReturnType<typeof createGathering>, "gathered">) =>
  gathered(`topic ${topics++}`, () => "message");

describe("a plan settles", () => {
  test("after 200 ms without a new call", async () => {
    const { during, settled: wait, time } = open({ 100: () => void during(async () => {}) });
    await wait();
    expect(time()).toBe(300);
  });

  test("after 5 s, if calls keep coming", async () => {
    let time = 0;
    const gathering = createGathering(async (ms) => {
      time += ms;
      void gathering.during(async () => {});
      await Promise.resolve();
    });
    await settled(gathering);
    expect(time).toBe(5_000);
  });

  test("200 ms after the last running call, however long that takes", async () => {
    let finish = () => {};
    const { during, settled: wait, time } = open({ 20_000: () => finish() });
    const work = during(() => new Promise<void>((resolve) => (finish = resolve)));
    await during(() => wait());
    await work;
    expect(time()).toBeGreaterThan(20_100);
    expect(time()).toBeLessThan(20_300);
  });

  test("although other calls wait as well", async () => {
    const { during, settled: wait, time } = open();
    await Promise.all([during(() => wait()), during(() => wait())]);
    expect(time()).toBeLessThan(1_000);
  });

  test("as soon as the reason to wait is gone", async () => {
    const { gathered, time } = open();
    await gathered("lock-out", () => (time() >= 60 ? undefined : "message"));
    expect(time()).toBe(60);
  });
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

  test("does not wait when the call has no message", async () => {
    const { gathered, time } = open();
    expect((await gathered("taken", () => undefined)).found).toEqual([]);
    expect(time()).toBe(0);
  });

  test("drops a message when its cause disappears before the report", async () => {
    const { gathered } = open();
    let isTaken: true | undefined = true;
    const said = [gathered("taken", () => isTaken && "first"), gathered("taken", () => "second")];
    isTaken = undefined;
    expect((await Promise.all(said)).map(({ found }) => found)).toEqual([[], ["second"]]);
  });

  test("stops waiting once the cause of every message is gone", async () => {
    const { gathered, time } = open();
    const { found } = await gathered("taken", () => (time() < 60 ? "taken" : undefined));
    expect([found, time()]).toEqual([[], 60]);
  });
});

test("reports each topic separately", async () => {
  const { gathered } = open();
  const both = await Promise.all([gathered("a", () => 1), gathered("b", () => 2)]);
  expect(both.map(({ found }) => found)).toEqual([[1], [2]]);
});

describe("a refusal", () => {
  const yes = () => true;
  const refusal = { found: ["taken"], isComplete: true };
  const warning = { found: ["taken"], isComplete: false };
  const taken = () => "taken";

  test("waits for 3 s without a new call", async () => {
    const { during, gathered, time } = open({ 1_000: () => void during(async () => {}) });
    expect(await during(() => gathered("a", taken, yes))).toEqual(refusal);
    expect(time()).toBe(4_000);
  });

  test("waits for 3 s after the last running call, however long that takes", async () => {
    let finish = () => {};
    const { during, gathered, time } = open({ 20_000: () => finish() });
    const work = during(() => new Promise<void>((resolve) => (finish = resolve)));
    expect(await during(() => gathered("a", taken, yes))).toEqual(refusal);
    await work;
    expect(time()).toBeGreaterThan(22_900);
    expect(time()).toBeLessThan(23_100);
  });

  test("stays a refusal while calls keep coming", async () => {
    let time = 0;
    const sleep = async (ms: number) => {
      time += ms;
      if (time < 20_000) void gathering.during(async () => {});
      await Promise.resolve();
    };
    const gathering = createGathering(sleep, () => 10);
    expect(await gathering.during(() => gathering.gathered("a", taken, yes))).toEqual(refusal);
    expect(time).toBeGreaterThan(22_900);
  });

  test("ends at once when a change prevents it", async () => {
    const { gathered, time } = open();
    await gathered("a", () => (time() < 1_000 ? "taken" : undefined), yes);
    expect(time()).toBe(1_000);
  });

  test("becomes a warning once another call makes the refusal unnecessary", async () => {
    const { gathered, time } = open();
    expect(await gathered("a", taken, () => time() < 1_000)).toEqual(warning);
    expect(time()).toBe(1_000);
  });

  test.each([
    ["after 200 ms, if the number of parallel calls is not known", 0, 200],
    ["after 200 ms with 1 parallel call, because no other call can come", 1, 200],
  ])("becomes a warning %s", async (_when, slots, wait) => {
    const { during, gathered, time } = open({}, slots);
    expect(await during(() => gathered("a", taken, yes))).toEqual(warning);
    expect(time()).toBe(wait);
  });

  test("counts the waiting calls of all topics: with 2 slots, 1 of 2 calls refuses and 1 warns", async () => {
    const { during, gathered } = open({}, 2);
    const both = ["a", "b"].map((topic) => during(() => gathered(topic, taken, yes)));
    expect(new Set(await Promise.all(both))).toEqual(new Set([warning, refusal]));
  });

  test("does not wait a second time if no call has come since", async () => {
    const { during, gathered, time } = open();
    await during(async () => {
      await gathered("a", taken, yes);
      expect(await gathered("b", taken, yes)).toEqual(refusal);
    });
    expect(time()).toBe(3_000);
    expect(await during(() => gathered("c", taken, yes))).toEqual(refusal);
    expect(time()).toBe(6_000);
  });
});
