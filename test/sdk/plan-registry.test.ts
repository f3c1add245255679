/** The plan registry on its own, with predictable object keys. */
import { createVirtualClock } from "./support/clock";
import { unknown } from "../../src/cty/value";
import type { Change } from "../../src/sdk/definition";
import { createPlanRegistry, type Entry } from "../../src/sdk/plan-registry";

function open(terraformVersion?: string) {
  let keys = 0;
  const registry = createPlanRegistry({
    clock: createVirtualClock(),
    createObjectKey: () => `m${++keys}`,
    ...(terraformVersion && { terraformVersion }),
  });
  const enter = (change: Change, rest: Partial<Entry> = {}) => registry.enter({ kind: "thing", ...rest, change });
  return { registry, enter };
}

const coming = (planned: object): Change => ({ action: "create", planned: { ...planned } });
const going = (prior: object): Change => ({ action: "destroy", prior: { ...prior } });
const changing = (prior: object, planned: object): Change => ({
  action: "update",
  prior: { ...prior },
  planned: { ...planned },
});

describe("claims", () => {
  test("belong to the first object, and later claims return its title", () => {
    const { enter } = open();
    expect(enter(coming({ a: 1 })).claim(["place", 7], "one")).toBeUndefined();
    expect(enter(coming({ a: 2 })).claim(["place", 7], "two")).toBe("one");
    expect(enter(coming({ a: 3 })).claim(["place", 8], "three")).toBeUndefined();
  });

  test("do not conflict if all of them are shared, and conflict with an unshared claim", () => {
    const { enter } = open();
    enter(coming({ a: 1 })).claim(["organization", "o"], "one", { shared: true });
    expect(enter(coming({ a: 2 })).claim(["organization", "o"], "two", { shared: true })).toBeUndefined();
    expect(enter(coming({ a: 3 })).claim(["organization", "o"], "three")).toBe("one");
  });

  test("are released when the same object is planned again", () => {
    const { enter } = open();
    enter(changing({ id: "x" }, { place: 7 }), { objectKey: "m" }).claim(["place", 7], "x");
    enter(changing({ id: "x" }, { place: 8 }), { objectKey: "m" }).claim(["place", 8], "x");
    expect(enter(coming({ place: 7 })).claim(["place", 7], "new")).toBeUndefined();
    expect(enter(coming({ place: 8 })).claim(["place", 8], "new")).toBe("x");
  });

  test("pass from a replaced object to its replacement only", () => {
    const { enter } = open();
    enter(changing({ id: "x" }, {}), { objectKey: "m" }).claim(["place", 7], "x");
    expect(enter(coming({ place: 7 }), { replaces: "m" }).claim(["place", 7], "its successor")).toBeUndefined();
    expect(enter(coming({ place: 7, other: true })).claim(["place", 7], "other")).toBeDefined();
  });

  test("are released after the object is deleted", () => {
    const { registry, enter } = open();
    enter(changing({ id: "x" }, {}), { objectKey: "m" }).claim(["place", 7], "x");
    registry.made("thing", "m", { id: "x" }, undefined);
    expect(enter(coming({})).claim(["place", 7], "new")).toBeUndefined();
  });
});

describe("a new object", () => {
  test("keeps its object key and its claims when it is planned again", () => {
    const { enter } = open();
    const first = enter(coming({ a: unknown }));
    first.claim(["place", 7], "one");
    first.planned();
    const again = enter(coming({ a: unknown }));
    expect(again.objectKey).toBe(first.objectKey);
    expect(again.claim(["place", 7], "one")).toBeUndefined();
  });

  test("gets another object key if an equal object is being planned, was created, or has another kind", () => {
    const { registry, enter } = open();
    const first = enter(coming({ a: 1 }));
    expect(enter(coming({ a: 1 })).objectKey).not.toBe(first.objectKey);
    first.planned();
    registry.made("thing", first.objectKey, undefined, { a: 1 });
    expect(enter(coming({ a: 1 })).objectKey).not.toBe(first.objectKey);
    const other = enter(coming({ b: 1 }));
    other.planned();
    expect(enter(coming({ b: 1 }), { kind: "other" }).objectKey).not.toBe(other.objectKey);
  });
});

test("the phase is unknown until a call shows it", () => {
  const { registry } = open();
  expect(registry.phase).toBeUndefined();
  registry.touch("apply");
  expect(registry.phase).toBe("apply");
});

describe("an object that was planned without an object key", () => {
  const change = changing({ id: "x", size: 1 }, { size: 2 });
  const identity = { id: "x" };

  test.each([
    ["without a key both times", {}, {}],
    ["with a key only the first time", { objectKey: "known" }, {}],
    ["with a key only the second time", {}, { objectKey: "known" }],
  ])("keeps its claim when it is planned again: %s", (_how, first, second) => {
    const { enter } = open();
    const before = enter(change, { identity, ...first });
    expect(before.claim(["organization", "o"], "first")).toBeUndefined();
    before.planned();
    expect(enter(change, { identity, ...second }).claim(["organization", "o"], "again")).toBeUndefined();
  });

  test("keeps its claim after it was applied, although its state changed", () => {
    const { enter, registry } = open();
    const before = enter(change, { identity });
    before.claim(["organization", "o"], "first");
    before.planned();
    registry.made("thing", before.objectKey, identity, { id: "x", size: 2 });
    const later = enter(changing({ id: "x", size: 2 }, { size: 3 }), { identity });
    expect(later.claim(["organization", "o"], "again")).toBeUndefined();
  });

  test("conflicts with an object of another state, and with an object that is planned at the same time", () => {
    const { enter } = open();
    const before = enter(change, { identity });
    before.claim(["organization", "o"], "first");
    expect(enter(change, { identity }).claim(["organization", "o"], "beside")).toBe("first");
    before.planned();
    const other = enter(changing({ id: "x", size: 9 }, { size: 2 }), { identity });
    expect(other.claim(["organization", "o"], "other")).toBe("first");
  });
});

test("lets only one object report a message about the whole plan, each time it is planned", () => {
  const { enter } = open();
  const one = () => enter(changing({ id: "x" }, {}), { objectKey: "x" }).isFirst("news");
  const two = () => enter(changing({ id: "y" }, {}), { objectKey: "y" }).isFirst("news");
  expect([one(), two(), one(), two()]).toEqual([true, false, true, false]);
});

describe("counterparts", () => {
  test("are a destroyed object and a new object of the same kind and content", () => {
    const { enter } = open();
    const content = { place: 7 };
    expect(enter(going({ id: "x" }), { objectKey: "x", identity: { id: "x" } }).counterpart(content)).toBeUndefined();
    expect(enter(going({ id: "y" }), { objectKey: "y" }).counterpart(content)).toBeUndefined();
    expect(enter(coming({ a: 1 }), { kind: "other" }).counterpart(content)).toBeUndefined();
    expect(enter(coming({ a: 1 })).counterpart({ place: 8 })).toBeUndefined();
    expect(enter(coming({ a: 2 })).counterpart(content)).toMatchObject({ identity: { id: "x" } });
  });

  test("are gone after the new object is created", () => {
    const { registry, enter } = open();
    const made = enter(coming({ a: 1 }));
    made.counterpart({ place: 7 });
    registry.made("thing", made.objectKey, { id: "new" }, { id: "new" });
    expect(enter(going({ id: "x" }), { objectKey: "x" }).counterpart({ place: 7 })).toBeUndefined();
  });
});

test("lists the created, updated and destroyed objects of a kind, and each replacement as two changes", () => {
  const { registry, enter } = open();
  enter({ action: "keep", prior: { id: "k" }, planned: {} }, { objectKey: "k", identity: { id: "k" } });
  enter(going({ id: "g" }), { objectKey: "g", identity: { id: "g" } });
  enter(changing({ id: "r" }, { place: 1 }), { objectKey: "r", identity: { id: "r" } });
  const successor = enter(coming({ place: 2 }), { replaces: "r" });
  enter(coming({}), { kind: "other" });
  expect(successor.changesOf("other")).toEqual([{ identity: undefined, planned: {} }]);
  expect(successor.changes()).toEqual([
    { identity: { id: "g" }, planned: undefined },
    { identity: { id: "r" }, planned: undefined },
    { identity: undefined, planned: { place: 2 } },
  ]);
  registry.made("thing", successor.objectKey, { id: "s" }, { id: "s", place: 2 });
  expect(successor.changes()).toContainEqual({ identity: { id: "s" }, planned: { place: 2 } });
});

test("finds a created object by its identity for other objects, until the object is deleted", () => {
  const { registry } = open();
  registry.made("thing", "new", { id: "x" }, { id: "x", place: 7 });
  expect(registry.madeByOther("thing", "old", { id: "x" })).toEqual({ id: "x", place: 7 });
  expect(registry.madeByOther("thing", undefined, { id: "x" })).toEqual({ id: "x", place: 7 });
  expect(registry.madeByOther("thing", "new", { id: "x" })).toBeUndefined();
  expect(registry.madeByOther("thing", "old", { id: "y" })).toBeUndefined();
  expect(registry.madeByOther("other", "old", { id: "x" })).toBeUndefined();
  registry.made("thing", "old", { id: "x" }, undefined);
  expect(registry.madeByOther("thing", "old", { id: "x" })).toBeDefined();
  registry.made("thing", "new", { id: "x" }, undefined);
  expect(registry.madeByOther("thing", "old", { id: "x" })).toBeUndefined();
});

test("drops a failed change and its claims", () => {
  const { registry, enter } = open();
  const failing = enter(changing({ id: "x" }, { place: 7 }), { objectKey: "m", identity: { id: "x" } });
  failing.claim(["place", 7], "x");
  registry.failed("m");
  const other = enter(coming({ place: 7 }));
  expect(other.changes()).toEqual([{ identity: undefined, planned: { place: 7 } }]);
  expect(other.claim(["place", 7], "other")).toBeUndefined();
});

test("counts an object as managed if it was planned or read", () => {
  const { registry, enter } = open();
  const standing = enter(changing({ id: "x" }, {}), { objectKey: "m", identity: { id: "x" } });
  expect(standing.knows({ id: "x" })).toBe(true);
  expect(standing.knows({ id: "y" })).toBe(false);
  registry.seen("thing", { id: "y" });
  expect(standing.knows({ id: "y" })).toBe(true);
});
