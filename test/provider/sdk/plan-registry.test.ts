/** The plan registry on its own, with predictable object keys, and the planned values of one object. */
import { z } from "zod";
import { type ObjectValue, unknown, type Value } from "../../../src/formats/cty/value";
import { attribute, listOf, setOf } from "../../../src/provider/sdk/attribute";
import { planChange } from "../../../src/provider/sdk/plan";
import { createPlanRegistry, type Entry } from "../../../src/provider/sdk/plan-registry";
import { attributesOf } from "../../../src/provider/sdk/schema";
import fc from "../../support/random";
import { createVirtualClock } from "./support/clock";

function open() {
  let keys = 0;
  const registry = createPlanRegistry({ clock: createVirtualClock(), createObjectKey: () => `m${++keys}` });
  const enter = (rest: Partial<Entry> = {}) => registry.enter({ kind: "thing", ...rest });
  return { registry, enter };
}

describe("added objects", () => {
  const asked = (one: ReturnType<ReturnType<typeof open>["enter"]>) => one.added().map(({ object }) => object);

  test("are those of all calls, and the one that asks is marked", () => {
    const { enter } = open();
    const [one, other] = [enter(), enter()];
    one.add({ a: 1 });
    other.add({ a: 2 });
    expect(other.added()).toEqual([
      { object: { a: 1 }, isMade: false, isAsking: false },
      { object: { a: 2 }, isMade: false, isAsking: true },
    ]);
  });

  test("stand for the object that they replace", () => {
    const { enter } = open();
    const old = enter({ objectKey: "m" });
    old.add({ id: "x" });
    const next = enter({ replaces: "m" });
    next.add({ a: 1 });
    const both = { object: { a: 1 }, replaced: { id: "x" }, isMade: false, isAsking: true };
    expect([old.added(), next.added()]).toEqual([[both], [both]]);
  });

  test("are gone after the apply has deleted them, and made after it has written them", () => {
    const { registry, enter } = open();
    const old = enter({ objectKey: "m" });
    old.add({ id: "x" });
    registry.made("thing", "m", { id: "x" }, undefined);
    const next = enter();
    next.add({ a: 1 });
    expect(asked(next)).toEqual([{ a: 1 }]);
    registry.made("thing", next.objectKey, { id: "y" }, { id: "y" });
    expect(next.added()).toMatchObject([{ isMade: true }]);
  });
});

test("a second plan with the key of an object is another object", () => {
  const { enter } = open();
  const keys = [1, 2].map(() => enter({ objectKey: "m" }).objectKey);
  expect(keys).toEqual(["m", "m1"]);
  expect(enter().objectKey).not.toBe(enter().objectKey);
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

test("knows the others as they were read, planned or made last, or as the plan kept them", () => {
  const { registry } = open();
  const states = () => registry.others("thing", "own", { a: { at: "kept" }, b: { at: "kept" } });
  registry.seen("thing", {}, "a", { at: "read" });
  registry.seen("other", {}, "c", { at: "read" });
  expect(states()).toEqual([
    ["b", { at: "kept" }],
    ["a", { at: "read" }],
  ]);
  const change = { kind: "thing", objectKey: "b", prior: { at: "read" }, planned: { at: "planned" } };
  registry.enter(change);
  expect(states()).toContainEqual(["b", { at: "planned" }]);
  registry.failed("b");
  expect(states()).toContainEqual(["b", { at: "read" }]);
  registry.made("thing", "a", {}, undefined);
  registry.made("thing", "own", {}, { at: "made" });
  expect(states()).toEqual([["b", { at: "read" }]]);
});

test("drops a failed change and its object", () => {
  const { registry, enter } = open();
  enter({ objectKey: "m", identity: { id: "x" } }).add({ id: "x" });
  registry.failed("m");
  expect(enter().added()).toEqual([]);
});

test("knows the objects that were read and are not planned yet", () => {
  const { registry, enter } = open();
  for (const id of ["x", "y"]) registry.seen("thing", { id }, `key of ${id}`, { id });
  const one = enter({ objectKey: "m", identity: { id: "x" } });
  expect(one.unplanned()).toEqual([{ kind: "thing", identity: { id: "y" } }]);
});

const attributes = attributesOf(
  z.object({
    name: attribute(z.string(), "Name.", { replace: true }),
    size: attribute(z.int().default(50), "Size."),
    tags: attribute(setOf(z.string()).optional(), "Tags."),
    rule: attribute(z.object({ on: attribute(z.boolean().default(true), "On.") }).optional(), "Rule."),
  }),
  z.object({ id: attribute(z.string(), "Id."), updated_at: attribute(z.string(), "Time.", { volatile: true }) }),
);

const config = (written: Partial<ObjectValue> = {}): ObjectValue =>
  ({ name: "a", size: null, tags: null, rule: null, id: null, updated_at: null, ...written }) as ObjectValue;
const prior: ObjectValue = { name: "a", size: 50, tags: ["x", "y"], rule: null, id: "1", updated_at: "then" };

test("plans a new object with the written values, the defaults, and unknown computed attributes", () => {
  expect(planChange(attributes, null, config({ rule: { on: null } }))).toEqual({
    planned: { name: "a", size: 50, tags: null, rule: { on: true }, id: unknown, updated_at: unknown },
    replace: [],
  });
});

test("fills in defaults in every element of a list or set", () => {
  const part = z.object({ on: attribute(z.boolean().default(true), "On.") });
  const many = attributesOf(
    z.object({ list: attribute(listOf(part), "List."), set: attribute(setOf(z.object(part.shape)), "Set.") }),
  );
  const written = { list: [{ on: null }, { on: false }], set: [{ on: null }] };
  expect(planChange(many, null, written).planned).toEqual({ list: [{ on: true }, { on: false }], set: [{ on: true }] });
});

test("plans no change when only the order of a set differs", () => {
  expect(planChange(attributes, prior, config({ tags: ["y", "x"] })).planned).toEqual({ ...prior, tags: ["y", "x"] });
});

test("plans volatile attributes as unknown after a change, and keeps the others", () => {
  expect(planChange(attributes, prior, config({ size: 7, tags: ["x", "y"] }))).toEqual({
    planned: { ...prior, size: 7, updated_at: unknown },
    replace: [],
  });
});

test("names the attribute that requires a replacement, also if its new value is unknown", () => {
  for (const name of ["b", unknown] as Value[]) {
    const { replace } = planChange(attributes, prior, config({ name, tags: ["x", "y"] }));
    expect(replace).toEqual([[{ attribute: "name" }]]);
  }
});

test("plans every written value unchanged", () => {
  const written = fc.record({
    name: fc.oneof(fc.string(), fc.constant(unknown)),
    size: fc.oneof(fc.integer(), fc.constant(unknown)),
    tags: fc.oneof(fc.array(fc.oneof(fc.string(), fc.constant(unknown))), fc.constant(unknown)),
    rule: fc.oneof(fc.record({ on: fc.boolean() }), fc.constant(unknown)),
  });
  fc.assert(
    fc.property(written, fc.constantFrom(null, prior), (values, before) => {
      expect(planChange(attributes, before, config(values as Partial<ObjectValue>)).planned).toMatchObject(values);
    }),
  );
});

test("derives a value in place of a default, unless the value is written", () => {
  const own = attributesOf(z.object({ on: attribute(z.boolean().default(true), "On.", { derived: true }) }));
  const planned = (on: Value, isOver: boolean) =>
    planChange(own, null, { on }, () => (isOver ? { on: false } : {})).planned;
  expect([planned(null, false), planned(null, true), planned(true, true)]).toEqual([
    { on: true },
    { on: false },
    { on: true },
  ]);
});
