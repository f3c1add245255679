import { z } from "zod";
import { Schema_NestedBlock_NestingMode } from "../../../src/provider/plugin/protocol/tfplugin6";
import { attribute, listOf, setOf } from "../../../src/provider/sdk/attribute";
import { protocolSchema } from "../../../src/provider/sdk/codec";
import { attributesOf, objectType } from "../../../src/provider/sdk/schema";

const attributes = attributesOf(
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
  expect(objectType(attributes)).toEqual([
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
  const { block } = protocolSchema(attributes, "A thing.", 0);
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
