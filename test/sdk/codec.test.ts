/** Values of a definition as bytes and as plain objects. */
import fc from "../support/random";
import * as z from "zod";
import { unknown, type ObjectValue } from "../../src/cty/value";
import { attribute, mapOf, setOf } from "../../src/sdk/attribute";
import { createCodec } from "../../src/sdk/codec";
import { linked } from "../support/message-link";

const codec = createCodec({
  description: "A thing.",
  config: z.object({
    name: attribute(z.string().max(3, "use 3 characters"), "Name."),
    sizes: attribute(setOf(z.int()).optional(), "Sizes."),
    part: attribute(z.object({ on: attribute(z.boolean().optional(), "On.") }).optional(), "Part."),
  }),
  computed: z.object({ id: attribute(z.string(), "Id.") }),
});

const whole: ObjectValue = { name: "a", sizes: [1, 2], part: { on: true }, id: "1" };

test("decodes every encoded value, including unknown and absent parts", () => {
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof(arbitrary, fc.constant(null), fc.constant(unknown));
  const thing = fc.record({
    name: maybe(fc.string()),
    sizes: maybe(fc.array(fc.integer())),
    part: maybe(fc.record({ on: maybe(fc.boolean()) })),
    id: maybe(fc.string()),
  });
  fc.assert(fc.property(thing, (value) => expect(codec.decode(codec.encode(value))).toEqual(value)));
});

test("decodes missing bytes, empty bytes and an encoded null as null", () => {
  expect(codec.decode(undefined)).toBeNull();
  expect(codec.decode({ msgpack: new Uint8Array() })).toBeNull();
  expect(codec.decode(codec.encode(null))).toBeNull();
});

test("keeps only known values in the known object, without unknown and absent parts", () => {
  expect(codec.known({ ...whole, sizes: [1, unknown], part: { on: null }, id: unknown })).toEqual({
    name: "a",
    part: {},
  });
});

test("fills missing attributes of a stored object with null, and drops unknown attributes", () => {
  expect(codec.fromPlain({ name: "a", old: 1, part: {} })).toEqual({
    name: "a",
    sizes: null,
    part: { on: null },
    id: null,
  });
});

test("refuses an invalid value, and a value for a computed attribute", () => {
  expect(codec.check(null)).toEqual([]);
  expect(codec.check({ ...whole, id: null })).toEqual([]);
  expect(codec.check({ name: "a" })).toEqual([]);
  expect(codec.check({ ...whole, name: "long", id: "2" }).map(({ detail }) => detail)).toEqual([
    linked("`id` cannot be set: the service decides it. Remove it.", "TNF-INVALID-VALUE"),
    linked('`name` is "long": use 3 characters.', "TNF-INVALID-VALUE"),
  ]);
});

test("refuses a map key with a null value", () => {
  const noted = createCodec({
    description: "A thing.",
    config: z.object({ notes: attribute(mapOf(z.string(), z.string()).optional(), "Notes.") }),
  });
  expect(noted.check({ notes: { a: "x", b: unknown } })).toEqual([]);
  expect(noted.check({ notes: { a: "x", b: null } }).map(({ detail }) => detail)).toEqual([
    linked('`notes["b"]` is null: give a value, or leave the key out.', "TNF-INVALID-VALUE"),
  ]);
});
