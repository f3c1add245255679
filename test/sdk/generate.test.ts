/** Generates a configuration from a state. */
import * as z from "zod";
import { attribute, listOf, mapOf } from "../../src/sdk/attribute";
import { configOf } from "../../src/sdk/state-import";
import { attributesOf } from "../../src/sdk/schema";

const part = () =>
  z.object({
    name: attribute(z.string(), "Name."),
    size: attribute(z.int().default(3), "Size."),
  });
const attributes = attributesOf(
  z.object({
    size: attribute(z.int().default(3), "Size."),
    part: attribute(part().optional(), "Part."),
    parts: attribute(listOf(part()).optional(), "Parts."),
    labels: attribute(mapOf(z.string(), z.string()).optional(), "Labels."),
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
