import fc from "../support/random";
import { z } from "zod";
import { unknown, type ObjectValue, type Value } from "../../src/cty/value";
import { attribute, listOf, setOf } from "../../src/sdk/attribute";
import { planChange } from "../../src/sdk/plan";
import { attributesOf } from "../../src/sdk/schema";

const attributes = attributesOf(
  z.object({
    name: attribute(z.string(), "Name.", { replace: true }),
    size: attribute(z.int().default(50), "Size."),
    tags: attribute(setOf(z.string()).optional(), "Tags."),
    rule: attribute(z.object({ on: attribute(z.boolean().default(true), "On.") }).optional(), "Rule."),
  }),
  z.object({
    id: attribute(z.string(), "Id."),
    updated_at: attribute(z.string(), "Time.", { volatile: true }),
  }),
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
