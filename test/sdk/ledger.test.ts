/** The ledger of a plan by itself, with a clock and marks of our own. */
import { unknown } from "../../src/cty/value";
import type { Change } from "../../src/sdk/definition";
import { createLedger, type Entry, type LedgerOptions } from "../../src/sdk/ledger";

function open(command: LedgerOptions["command"] = () => ({ parallelism: 10 })) {
  let time = 0;
  let marks = 0;
  const slept: number[] = [];
  const ledger = createLedger({
    now: () => time,
    sleep: async (ms) => void slept.push((time += ms)),
    createMark: () => `m${++marks}`,
    command,
  });
  const enter = (change: Change, rest: Partial<Entry> = {}) => ledger.enter({ kind: "thing", ...rest, change });
  const wait = (ms: number) => (time += ms);
  return { ledger, enter, wait, slept };
}

const coming = (planned: object): Change => ({ action: "create", planned: { ...planned } });
const going = (prior: object): Change => ({ action: "destroy", prior: { ...prior } });
const changing = (prior: object, planned: object): Change => ({
  action: "update",
  prior: { ...prior },
  planned: { ...planned },
});

describe("claims", () => {
  test("belong to the first, and others hear its title", () => {
    const { enter } = open();
    expect(enter(coming({ a: 1 })).claim(["place", 7], "one")).toBeUndefined();
    expect(enter(coming({ a: 2 })).claim(["place", 7], "two")).toBe("one");
    expect(enter(coming({ a: 3 })).claim(["place", 8], "three")).toBeUndefined();
  });

  test("of different things never meet, whatever they are called", () => {
    const { enter } = open();
    enter(coming({ a: 1 })).claim(["a", "b,c"], "one");
    expect(enter(coming({ a: 2 })).claim(["a", "b", "c"], "two")).toBeUndefined();
  });

  test("are shared by those who all share them", () => {
    const { enter } = open();
    enter(coming({ a: 1 })).claim(["organization", "o"], "one", { shared: true });
    expect(enter(coming({ a: 2 })).claim(["organization", "o"], "two", { shared: true })).toBeUndefined();
    expect(enter(coming({ a: 3 })).claim(["organization", "o"], "three")).toBe("one");
  });

  test("of an earlier plan of the same object are forgotten", () => {
    const { enter } = open();
    enter(changing({ id: "x" }, { place: 7 }), { mark: "m" }).claim(["place", 7], "x");
    enter(changing({ id: "x" }, { place: 8 }), { mark: "m" }).claim(["place", 8], "x");
    expect(enter(coming({ place: 7 })).claim(["place", 7], "new")).toBeUndefined();
    expect(enter(coming({ place: 8 })).claim(["place", 8], "new")).toBe("x");
  });

  test("pass to the object that takes the place of another", () => {
    const { enter } = open();
    enter(changing({ id: "x" }, {}), { mark: "m" }).claim(["place", 7], "x");
    expect(enter(coming({ place: 7 }), { replaces: "m" }).claim(["place", 7], "its successor")).toBeUndefined();
    expect(enter(coming({ place: 7, other: true })).claim(["place", 7], "other")).toBeDefined();
  });

  test("end with the object", () => {
    const { ledger, enter } = open();
    enter(changing({ id: "x" }, {}), { mark: "m" }).claim(["place", 7], "x");
    ledger.made("thing", "m", { id: "x" }, undefined);
    expect(enter(coming({})).claim(["place", 7], "new")).toBeUndefined();
  });
});

describe("an object that is yet to be made", () => {
  test("is the same again once the first plan was answered", () => {
    const { enter } = open();
    const first = enter(coming({ a: unknown }));
    first.claim(["place", 7], "one");
    first.answered();
    const again = enter(coming({ a: unknown }));
    expect(again.mark).toBe(first.mark);
    expect(again.claim(["place", 7], "one")).toBeUndefined();
  });

  test("is another while the first is being planned, has been made, or is of another kind", () => {
    const { ledger, enter } = open();
    const first = enter(coming({ a: 1 }));
    expect(enter(coming({ a: 1 })).mark).not.toBe(first.mark);
    first.answered();
    ledger.made("thing", first.mark, undefined, { a: 1 });
    expect(enter(coming({ a: 1 })).mark).not.toBe(first.mark);
    const other = enter(coming({ b: 1 }));
    other.answered();
    expect(enter(coming({ b: 1 }), { kind: "other" }).mark).not.toBe(other.mark);
  });

  test("is another after a long silence, when the plan it belonged to is over", () => {
    const { ledger, enter, wait } = open();
    enter(coming({ a: 1 })).claim(["place", 7], "one");
    wait(299_000);
    ledger.touch();
    expect(enter(coming({ a: 2 })).claim(["place", 7], "two")).toBe("one");
    wait(301_000);
    ledger.touch();
    expect(enter(coming({ a: 3 })).claim(["place", 7], "three")).toBeUndefined();
  });

  test("and nothing else of that plan is known then, but what was made", () => {
    const { ledger, enter, wait } = open();
    const first = enter(coming({ a: 1 }));
    first.answered();
    const made = enter(coming({ a: 2 }), { identity: { id: "made" } });
    ledger.made("thing", made.mark, { id: "made" }, { id: "made" });
    ledger.seen("thing", { id: "read" });
    wait(301_000);
    ledger.touch();
    const later = enter(coming({ a: 1 }));
    expect(later.mark).not.toBe(first.mark);
    expect(later.changes().map(({ planned }) => planned)).toEqual([{ a: 2 }, { a: 1 }]);
    expect(later.knows({ id: "read" })).toBe(false);
    expect(later.knows({ id: "made" })).toBe(true);
  });
});

describe("the phase", () => {
  test("is that of the command, until somebody tells, and again after a long silence", () => {
    const { ledger, wait } = open(() => ({ name: "plan", parallelism: 10 }));
    expect(ledger.phase).toBe("plan");
    ledger.touch("apply");
    ledger.touch();
    expect(ledger.phase).toBe("apply");
    wait(301_000);
    ledger.touch();
    expect(ledger.phase).toBe("plan");
  });

  test.each([undefined, "apply", "destroy", "up"])("is not known before somebody tells under %s", (name) => {
    expect(open(() => ({ name, parallelism: 10 })).ledger.phase).toBeUndefined();
  });
});

describe("an object that comes without a mark", () => {
  const change = changing({ id: "x", size: 1 }, { size: 2 });
  const identity = { id: "x" };

  test.each([
    ["without and without", {}, {}],
    ["with and without", { mark: "known" }, {}],
    ["without and with", {}, { mark: "known" }],
  ])("is the same when it is planned again: %s", (_how, first, second) => {
    const { enter } = open();
    const before = enter(change, { identity, ...first });
    expect(before.claim(["organization", "o"], "first")).toBeUndefined();
    before.answered();
    expect(enter(change, { identity, ...second }).claim(["organization", "o"], "again")).toBeUndefined();
  });

  test("is the same after it was made, in whatever state", () => {
    const { enter, ledger } = open();
    const before = enter(change, { identity });
    before.claim(["organization", "o"], "first");
    before.answered();
    ledger.made("thing", before.mark, identity, { id: "x", size: 2 });
    const later = enter(changing({ id: "x", size: 2 }, { size: 3 }), { identity });
    expect(later.claim(["organization", "o"], "again")).toBeUndefined();
  });

  test("is another than one of another state, and than one that is planned beside it", () => {
    const { enter } = open();
    const before = enter(change, { identity });
    before.claim(["organization", "o"], "first");
    expect(enter(change, { identity }).claim(["organization", "o"], "beside")).toBe("first");
    before.answered();
    const other = enter(changing({ id: "x", size: 9 }, { size: 2 }), { identity });
    expect(other.claim(["organization", "o"], "other")).toBe("first");
  });
});

test("what concerns the whole plan is said by one, as often as it is planned", () => {
  const { enter } = open();
  const one = () => enter(changing({ id: "x" }, {}), { mark: "x" }).isFirst("news");
  const two = () => enter(changing({ id: "y" }, {}), { mark: "y" }).isFirst("news");
  expect([one(), two(), one(), two()]).toEqual([true, false, true, false]);
});

describe("counterparts", () => {
  test("are one that goes and one that comes, of one kind and content", () => {
    const { enter } = open();
    const content = { place: 7 };
    expect(enter(going({ id: "x" }), { mark: "x", identity: { id: "x" } }).counterpart(content)).toBeUndefined();
    expect(enter(going({ id: "y" }), { mark: "y" }).counterpart(content)).toBeUndefined();
    expect(enter(coming({ a: 1 }), { kind: "other" }).counterpart(content)).toBeUndefined();
    expect(enter(coming({ a: 1 })).counterpart({ place: 8 })).toBeUndefined();
    expect(enter(coming({ a: 2 })).counterpart(content)).toMatchObject({ identity: { id: "x" } });
  });

  test("are none once it is done", () => {
    const { ledger, enter } = open();
    const made = enter(coming({ a: 1 }));
    made.counterpart({ place: 7 });
    ledger.made("thing", made.mark, { id: "new" }, { id: "new" });
    expect(enter(going({ id: "x" }), { mark: "x" }).counterpart({ place: 7 })).toBeUndefined();
  });
});

test("changes are what comes, changes and goes of a kind; a successor speaks for what it replaces", () => {
  const { ledger, enter } = open();
  enter({ action: "keep", prior: { id: "k" }, planned: {} }, { mark: "k", identity: { id: "k" } });
  enter(going({ id: "g" }), { mark: "g", identity: { id: "g" } });
  enter(changing({ id: "r" }, { place: 1 }), { mark: "r", identity: { id: "r" } });
  const successor = enter(coming({ place: 2 }), { replaces: "r" });
  enter(coming({}), { kind: "other" });
  expect(successor.changesOf("other")).toEqual([{ identity: undefined, planned: {} }]);
  expect(successor.changes()).toEqual([
    { identity: { id: "g" }, planned: undefined },
    { identity: { id: "r" }, planned: undefined },
    { identity: undefined, planned: { place: 2 } },
  ]);
  ledger.made("thing", successor.mark, { id: "s" }, { id: "s", place: 2 });
  expect(successor.changes()).toContainEqual({ identity: { id: "s" }, planned: { place: 2 } });
});

test("what was made is told to others with its identity, until it goes", () => {
  const { ledger } = open();
  ledger.made("thing", "new", { id: "x" }, { id: "x", place: 7 });
  expect(ledger.madeByOther("thing", "old", { id: "x" })).toEqual({ id: "x", place: 7 });
  expect(ledger.madeByOther("thing", undefined, { id: "x" })).toEqual({ id: "x", place: 7 });
  expect(ledger.madeByOther("thing", "new", { id: "x" })).toBeUndefined();
  expect(ledger.madeByOther("thing", "old", { id: "y" })).toBeUndefined();
  expect(ledger.madeByOther("other", "old", { id: "x" })).toBeUndefined();
  ledger.made("thing", "old", { id: "x" }, undefined);
  expect(ledger.madeByOther("thing", "old", { id: "x" })).toBeDefined();
  ledger.made("thing", "new", { id: "x" }, undefined);
  expect(ledger.madeByOther("thing", "old", { id: "x" })).toBeUndefined();
});

describe("a plan has settled", () => {
  test("after 200 ms in which nothing was asked for", async () => {
    const { ledger, enter, wait, slept } = open();
    const { settled } = enter(coming({}));
    wait(150);
    ledger.touch();
    await settled();
    expect(slept).toEqual([350]);
  });

  test("after 5 s at most", async () => {
    let time = 0;
    const ledger = createLedger({
      now: () => time,
      // Somebody always asks.
      sleep: async (ms) => void ((time += ms), ledger.touch()),
    });
    await ledger.enter({ kind: "thing", change: coming({}) }).settled();
    expect(time).toBe(5_000);
  });
});

describe("doubts", () => {
  test("are answered for by the youngest who waits, once nobody comes any more", async () => {
    const { enter } = open();
    const doubts = [1, 2, 3].map((place) => enter(coming({ place })).unresolved("taken", () => place));
    expect(await Promise.all(doubts)).toEqual([[], [], [1, 2, 3]]);
  });

  test("are not spoken of where nobody else can come while one waits", async () => {
    const ledger = createLedger({ command: () => ({ name: "apply", parallelism: 1 }), sleep: () => Promise.reject() });
    const standing = ledger.enter({ kind: "thing", change: coming({ place: 1 }) });
    expect(await standing.unresolved("taken", () => "taken")).toEqual([]);
  });

  test.each([
    { phase: "plan", command: () => ({ name: "plan", parallelism: 10 }), waits: 200 },
    { phase: "first of an apply", command: () => ({ name: "apply", parallelism: 10 }), waits: 1_000 },
  ])("are told after $waits ms of silence in the $phase", async ({ command, waits }) => {
    const { enter, slept } = open(command);
    expect(await enter(coming({})).unresolved("taken", () => "taken")).toEqual(["taken"]);
    expect(slept.at(-1)).toBe(waits);
  });

  test("are not told before 200 ms, however long nobody has asked for anything", async () => {
    const { enter, wait, slept } = open();
    const { unresolved } = enter(coming({}));
    wait(2_000);
    await unresolved("taken", () => "taken");
    expect(slept.at(-1)).toBe(2_200);
  });

  test("are told after 5 s at most", async () => {
    let time = 0;
    const ledger = createLedger({
      now: () => time,
      // Somebody always asks.
      sleep: async (ms) => void ((time += ms), ledger.touch()),
    });
    expect(await ledger.enter({ kind: "thing", change: coming({}) }).unresolved("taken", () => "t")).toEqual(["t"]);
    expect(time).toBe(5_000);
  });

  test("wait for whoever is at work, however long, and a while after: those who come next may put them right", async () => {
    let time = 0;
    let isDone = false;
    const at = new Map<number, () => void>([
      [20_000, () => done()],
      [20_100, () => ledger.touch()],
      [20_200, () => (isRight = true)],
    ]);
    const ledger = createLedger({
      now: () => time,
      sleep: async (ms) => at.get((time += ms))?.(),
      command: () => ({ name: "plan", parallelism: 10 }),
    });
    let isRight = false;
    let done = () => {};
    const work = ledger.during(() => new Promise<void>((resolve) => (done = resolve))).then(() => (isDone = true));
    const doubt = ledger.during(() =>
      ledger
        .enter({ kind: "thing", change: coming({ place: 1 }) })
        .unresolved("taken", () => (isRight ? undefined : "taken")),
    );
    expect(await doubt).toEqual([]);
    await work;
    expect({ isDone, time }).toEqual({ isDone: true, time: 20_200 });
    await ledger.during(() => ledger.enter({ kind: "thing", change: coming({ place: 2 }) }).settled());
    expect(time).toBe(20_400);
  });

  test("wait for whoever is at work also after others have waited and were answered", async () => {
    let time = 0;
    let done = () => {};
    const ledger = createLedger({ now: () => time, sleep: async (ms) => ((time += ms) < 20_000 ? undefined : done()) });
    const settled = (place: number) =>
      ledger.during(() => ledger.enter({ kind: "thing", change: coming({ place }) }).settled());
    await settled(1);
    const work = ledger.during(() => new Promise<void>((resolve) => (done = resolve)));
    await settled(2);
    expect(time).toBeGreaterThan(20_000);
    await work;
  });

  test("do not wait for each other", async () => {
    const { ledger, enter, slept } = open();
    const asking = (place: number) =>
      ledger.during(() => enter(coming({ place })).unresolved(`taken ${place}`, () => place));
    expect(await Promise.all([asking(1), asking(2)])).toEqual([[1], [2]]);
    expect(slept.at(-1)).toBeLessThan(5_000);
  });

  test("that others put right in the meantime are none", async () => {
    const { enter } = open();
    const gone = { value: false };
    const first = enter(coming({ place: 1 })).unresolved("taken", () => (gone.value ? undefined : "first"));
    const second = enter(coming({ place: 2 })).unresolved("taken", () => "second");
    gone.value = true;
    expect(await Promise.all([first, second])).toEqual([[], ["second"]]);
  });

  test("keep nobody waiting once they are put right", async () => {
    const { enter, slept } = open();
    let looks = 0;
    expect(await enter(coming({})).unresolved("taken", () => (++looks > 4 ? undefined : "taken"))).toEqual([]);
    expect(slept.at(-1)).toBeLessThan(200);
  });

  test("of another topic, and later ones, are told by themselves; without any nobody waits", async () => {
    const { enter, slept } = open();
    expect(await enter(coming({})).unresolved("taken", () => undefined)).toEqual([]);
    expect(slept).toEqual([]);
    const both = [enter(coming({ a: 1 })).unresolved("a", () => 1), enter(coming({ a: 2 })).unresolved("b", () => 2)];
    expect(await Promise.all(both)).toEqual([[1], [2]]);
    expect(await enter(coming({ a: 3 })).unresolved("a", () => 3)).toEqual([3]);
  });

  test("an object that was read is managed, planned or not", () => {
    const { ledger, enter } = open();
    const standing = enter(changing({ id: "x" }, {}), { mark: "m", identity: { id: "x" } });
    expect(standing.knows({ id: "x" })).toBe(true);
    expect(standing.knows({ id: "y" })).toBe(false);
    ledger.seen("thing", { id: "y" });
    expect(standing.knows({ id: "y" })).toBe(true);
  });
});
