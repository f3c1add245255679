/** The ledger of a plan by itself, with marks of our own. */
import { unknown } from "../../src/cty/value";
import type { Change } from "../../src/sdk/definition";
import { createLedger, type Entry } from "../../src/sdk/ledger";

function open(command?: string) {
  let marks = 0;
  const ledger = createLedger({ sleep: async () => {}, createMark: () => `m${++marks}`, command: () => command });
  const enter = (change: Change, rest: Partial<Entry> = {}) => ledger.enter({ kind: "thing", ...rest, change });
  return { ledger, enter };
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
});

describe("the phase", () => {
  test("is that of the command, until a call tells", () => {
    const { ledger } = open("plan");
    expect(ledger.phase).toBe("plan");
    ledger.touch("apply");
    expect(ledger.phase).toBe("apply");
  });

  test.each([undefined, "apply", "destroy", "up"])("is not known before a call tells under %s", (name) => {
    expect(open(name).ledger.phase).toBeUndefined();
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

test("a change that failed is forgotten, with its claims", () => {
  const { ledger, enter } = open();
  const failing = enter(changing({ id: "x" }, { place: 7 }), { mark: "m", identity: { id: "x" } });
  failing.claim(["place", 7], "x");
  ledger.failed("m");
  const other = enter(coming({ place: 7 }));
  expect(other.changes()).toEqual([{ identity: undefined, planned: { place: 7 } }]);
  expect(other.claim(["place", 7], "other")).toBeUndefined();
});

test("the kept objects are told on demand", () => {
  const { enter } = open();
  const kept = enter(
    { action: "keep", prior: { id: "k" }, planned: { place: 1 } },
    { mark: "k", identity: { id: "k" } },
  );
  expect(kept.changes()).toEqual([]);
  expect(kept.changes({ kept: true })).toEqual([{ identity: { id: "k" }, planned: { place: 1 } }]);
});

test("an object that was read is managed, planned or not", () => {
  const { ledger, enter } = open();
  const standing = enter(changing({ id: "x" }, {}), { mark: "m", identity: { id: "x" } });
  expect(standing.knows({ id: "x" })).toBe(true);
  expect(standing.knows({ id: "y" })).toBe(false);
  ledger.seen("thing", { id: "y" });
  expect(standing.knows({ id: "y" })).toBe(true);
});
