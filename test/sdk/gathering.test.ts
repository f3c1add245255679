/** What reviews say on one topic, with a clock of the test's own. */
import { createGathering } from "../../src/sdk/gathering";

/** `at`: what happens after so many milliseconds. */
function open(at: Record<number, () => void> = {}) {
  let time = 0;
  const gathering = createGathering(async (ms) => at[(time += ms)]?.());
  return { ...gathering, time: () => time };
}

describe("a plan has settled", () => {
  test("after 200 ms without a new call", async () => {
    const { during, settled, time } = open({ 100: () => void during(async () => {}) });
    await settled();
    expect(time()).toBe(300);
  });

  test("after 5 s, if calls keep coming", async () => {
    let time = 0;
    const gathering = createGathering(async (ms) => {
      time += ms;
      void gathering.during(async () => {});
      await Promise.resolve();
    });
    await gathering.settled();
    expect(time).toBe(5_000);
  });

  test("200 ms after the last running call, however long that takes", async () => {
    let finish = () => {};
    const { during, settled, time } = open({ 20_000: () => finish() });
    const work = during(() => new Promise<void>((resolve) => (finish = resolve)));
    await during(() => settled());
    await work;
    expect(time()).toBeGreaterThan(20_100);
    expect(time()).toBeLessThan(20_300);
  });

  test("although other calls wait as well", async () => {
    const { during, settled, time } = open();
    await Promise.all([during(() => settled()), during(() => settled())]);
    expect(time()).toBeLessThan(1_000);
  });

  test("as soon as the reason to wait is gone", async () => {
    const { settled, time } = open();
    await settled(() => time() >= 60);
    expect(time()).toBe(60);
  });
});

describe("on one topic", () => {
  test("the newest caller reports for all, and the others return without waiting", async () => {
    const { gathered } = open();
    const order: number[] = [];
    const said = [1, 2, 3].map((place) => gathered("taken", () => place).then((all) => (order.push(place), all)));
    expect(await Promise.all(said)).toEqual([[], [], [1, 2, 3]]);
    expect(order.at(-1)).toBe(3);
    expect(await gathered("taken", () => 4)).toEqual([4]);
  });

  test("a caller with nothing to say does not wait", async () => {
    const { gathered, time } = open();
    expect(await gathered("taken", () => undefined)).toEqual([]);
    expect(time()).toBe(0);
  });

  test("what another call has settled meanwhile is not reported", async () => {
    const { gathered } = open();
    let isTaken: true | undefined = true;
    const said = [gathered("taken", () => isTaken && "first"), gathered("taken", () => "second")];
    isTaken = undefined;
    expect(await Promise.all(said)).toEqual([[], ["second"]]);
  });

  test("nobody waits any longer once everything is settled", async () => {
    const { gathered, time } = open();
    expect(await gathered("taken", () => (time() < 60 ? "taken" : undefined))).toEqual([]);
    expect(time()).toBe(60);
  });
});

test("topics are reported apart", async () => {
  const { gathered } = open();
  expect(await Promise.all([gathered("a", () => 1), gathered("b", () => 2)])).toEqual([[1], [2]]);
});
