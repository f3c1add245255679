/** Values of a definition: its schema, bytes, plain objects, a generated configuration, and diagnostics. */
import { z } from "zod";
import { attributePath } from "../../../src/formats/cty/path";
import type { Type } from "../../../src/formats/cty/type";
import { Decimal, type ObjectValue, unknown, type Value } from "../../../src/formats/cty/value";
import { Schema_NestedBlock_NestingMode } from "../../../src/provider/plugin/protocol/tfplugin6";
import { attribute, listOf, setOf } from "../../../src/provider/sdk/attribute";
import { createCodec, protocolSchema } from "../../../src/provider/sdk/codec";
import { protocolDiagnostic } from "../../../src/provider/sdk/diagnostic";
import { fromPlain, toPlain } from "../../../src/provider/sdk/values";
import { attributesOf, objectType } from "../../../src/provider/sdk/schema";
import { configOf } from "../../../src/provider/sdk/state-import";
import { linked } from "../../support/message-link";
import fc from "../../support/random";

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
  const filled = { name: "a", sizes: null, part: { on: null }, id: null };
  expect(codec.fromPlain({ name: "a", old: 1, part: {} })).toEqual(filled);
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
    config: z.object({ notes: attribute(z.record(z.string(), z.string()).optional(), "Notes.") }),
  });
  expect(noted.check({ notes: { a: "x", b: unknown } })).toEqual([]);
  expect(noted.check({ notes: { a: "x", b: null } }).map(({ detail }) => detail)).toEqual([
    linked('`notes["b"]` is null: give a value, or leave the key out.', "TNF-INVALID-VALUE"),
  ]);
});

test("converts values to plain ones: drops null, converts numbers to doubles, keeps unknown values", () => {
  expect(toPlain(null)).toBeUndefined();
  const numbers: Value = { whole: 5n, precise: new Decimal("0.1") };
  const plain = toPlain({ text: "a", absent: null, ...numbers, later: unknown, list: [1, null] });
  expect(plain).toEqual({ text: "a", whole: 5, precise: 0.1, later: unknown, list: [1, undefined] });
  expect(plain).not.toHaveProperty("absent");
});

test("converts plain values by type: drops extra attributes, and sets missing ones to null", () => {
  const type: Type = ["object", { a: "number", b: "string", c: "bool" }];
  expect(fromPlain({ a: 1, extra: 2, c: unknown }, type)).toEqual({ a: 1, b: null, c: unknown });
  expect(fromPlain({ x: [1, undefined] }, ["map", ["list", "number"]])).toEqual({ x: [1, null] });
  expect(fromPlain({ x: { y: 1 } }, "dynamic")).toEqual({ x: { y: 1 } });
  const texts = [undefined, null, unknown].map((plain) => fromPlain(plain, "string"));
  expect(texts).toEqual([null, null, unknown]);
});

const part = () => z.object({ name: attribute(z.string(), "Name."), size: attribute(z.int().default(3), "Size.") });
const attributes = attributesOf(
  z.object({
    size: attribute(z.int().default(3), "Size."),
    part: attribute(part().optional(), "Part."),
    parts: attribute(listOf(part()).optional(), "Parts."),
    labels: attribute(z.record(z.string(), z.string()).optional(), "Labels."),
  }),
  z.object({ id: attribute(z.string(), "Id.") }),
);

test("omits computed attributes and default values, also inside blocks and lists", () => {
  const usual = { name: "a", size: 3 };
  const other = { name: "b", size: 4 };
  const state = { size: 3, part: usual, parts: [usual, other], labels: { a: "b" }, id: "1" };
  expect(configOf(attributes, state)).toEqual({
    size: null,
    part: { name: "a", size: null },
    parts: [{ name: "a", size: null }, other],
    labels: { a: "b" },
    id: null,
  });
});

test("keeps absent attributes absent", () => {
  const state = { size: 4, part: null, parts: null, labels: null, id: "1" };
  expect(configOf(attributes, state)).toEqual({ ...state, id: null });
});

test("escapes control characters that a terminal would obey", () => {
  const { summary, detail } = protocolDiagnostic({
    path: [],
    severity: "error",
    code: ["TNF-PLAN-EFFECTS", "\u001b[31mred"],
    detail: "one\ntwo\tthree \u001b]0;title\u0007 \u009b2J \u202eev\u{e0041}\u061cil\r",
  });
  expect(summary).toBe("\\u001b[31mred");
  expect(detail).toBe(
    linked("one\ntwo\tthree \\u001b]0;title\\u0007 \\u009b2J \\u202eev\\udb40\\udc41\\u061cil\\u000d"),
  );
});

test("links to the section of the message, also after a long detail", () => {
  const long = { path: [], severity: "error", code: "TNF-SERVICE-FAILED", detail: "x\n".repeat(50_000) } as const;
  expect(protocolDiagnostic(long).detail).toMatch(/\n\nhttps:\/\/\S+\/messages\.md#tnf-service-failed$/);
});

test("sends no attribute path when an error has none", () => {
  const at = (path: ReturnType<typeof attributePath>) =>
    protocolDiagnostic({ path, severity: "error", code: "TNF-STOPPED", detail: "" }).attribute;
  expect(at([])).toBeUndefined();
  expect(at(attributePath("rule"))).toEqual({ steps: [{ attributeName: "rule" }] });
});

const declared = attributesOf(
  z.object({
    name: attribute(z.string(), "The name."),
    size: attribute(z.int().default(3), "The size."),
    token: attribute(z.string().optional(), "A token.", { sensitive: true }),
    keys: attribute(setOf(z.object({ id: attribute(z.string(), "Key id.") })).optional(), "The keys."),
    labels: attribute(z.record(z.string(), listOf(z.number())).optional(), "Labels."),
  }),
  z.object({ id: attribute(z.string(), "The id.") }),
);

test("converts a zod definition to a Terraform type", () => {
  expect(objectType(declared)).toEqual([
    "object",
    {
      name: "string",
      size: "number",
      token: "string",
      keys: ["set", ["object", { id: "string" }]],
      labels: ["map", ["list", "number"]],
      id: "string",
    },
  ]);
});

test("marks attributes of a zod definition as required, optional, computed and sensitive", () => {
  const { block } = protocolSchema(declared, "A thing.", 0);
  const flags = Object.fromEntries(
    block!.attributes!.map(({ name, required, optional, computed, sensitive }) => [
      name,
      [required && "required", optional && "optional", computed && "computed", sensitive && "sensitive"]
        .filter(Boolean)
        .join(),
    ]),
  );
  expect(flags).toEqual({
    name: "required",
    size: "optional,computed",
    token: "optional,sensitive",
    keys: "optional",
    labels: "optional",
    id: "computed",
  });
});

test("declares single, repeated and required blocks, and attributes for values that are computed or also allowed as blocks", () => {
  const inner = () => z.object({ id: attribute(z.string(), "An id.") });
  const both = attributesOf(
    z.object({
      one: attribute(inner(), "One.", { block: true }),
      maybe: attribute(inner().optional(), "Maybe one.", { block: true }),
      several: attribute(listOf(inner()).optional(), "Several.", { block: true }),
      some: attribute(setOf(inner()), "Some.", { block: true }),
      either: attribute(setOf(inner()).optional(), "Either.", { alsoBlocks: true }),
    }),
    z.object({ told: attribute(inner(), "Told.", { block: true }) }),
  );
  const { block } = protocolSchema(both, "A thing.", 0);
  const { SINGLE, LIST, SET } = Schema_NestedBlock_NestingMode;
  const content = { attributes: [expect.objectContaining({ name: "id", required: true })], blockTypes: [] };
  expect(block!.blockTypes).toEqual([
    { typeName: "one", block: { description: "One.", ...content }, nesting: SINGLE, minItems: 1, maxItems: 1 },
    { typeName: "maybe", block: { description: "Maybe one.", ...content }, nesting: SINGLE, minItems: 0, maxItems: 0 },
    { typeName: "several", block: { description: "Several.", ...content }, nesting: LIST, minItems: 0, maxItems: 0 },
    { typeName: "some", block: { description: "Some.", ...content }, nesting: SET, minItems: 1, maxItems: 0 },
  ]);
  const [either, told] = block!.attributes!;
  expect(either).toMatchObject({ name: "either", type: Buffer.from('["set",["object",{"id":"string"}]]') });
  expect(either).not.toHaveProperty("nestedType");
  expect(told).toMatchObject({ name: "told", nestedType: { nesting: 1 }, computed: true, optional: false });
});

test("refuses attributes without a description, shared schemas, and types that Terraform does not have", () => {
  expect(() => attributesOf(z.object({ a: z.string() }))).toThrow("attribute a has no description");
  expect(() => attributesOf(z.object({ a: attribute(z.string(), "Inner.").optional() }))).toThrow("no description");
  const shared = z.string();
  attribute(shared, "One.");
  expect(() => attribute(shared, "Another.")).toThrow('one schema for two attributes: "One." and "Another."');
  expect(() => attributesOf(z.object({ a: attribute(z.union([z.string(), z.number()]), "Either.") }))).toThrow(
    "Terraform has no counterpart of a zod union",
  );
  expect(() => attributesOf(z.object({ a: attribute(setOf(z.string()).max(3), "Some.") }))).toThrow(
    "attribute a is an array: say setOf(…) or listOf(…), and the number of elements within it",
  );
});
