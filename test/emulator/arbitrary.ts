/** Generates values from a schema: valid ones, and some that are invalid in one place. */
import fc from "../support/random";
import type { Schema } from "../../src/emulator/schema";

/** Leaves out properties that shadow those of every object, because the validator cannot handle them. */
const json = fc.jsonValue({ maxDepth: 2 }).filter((made) => !/__proto__|valueOf|toString/.test(JSON.stringify(made)));

const hex = fc.stringMatching(/^[0-9a-f]{1,4}$/);
const address4 = fc.ipV4();
const address6 = fc.oneof(
  fc.ipV6(),
  fc.array(hex, { minLength: 8, maxLength: 8 }).map((parts) => parts.join(":")),
);
const block = (address: fc.Arbitrary<string>, bits: number) =>
  fc.tuple(address, fc.integer({ min: 0, max: bits })).map(([text, length]) => `${text}/${length}`);

const formats: Record<string, fc.Arbitrary<string>> = {
  hostname: fc.domain(),
  ipv4: address4,
  cidr: block(address4, 32),
  ipv6: address6,
  ipv6_cidr: block(address6, 128),
  "strict-https-uri": fc.webUrl({ validSchemes: ["https"] }),
  "user-id-with-max-length": fc.stringMatching(/^[a-z0-9]{1,10}\|[\w.-]{1,40}$/),
};

function word({ format, pattern, minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<string> {
  if (format !== undefined) return formats[format]!;
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern)).filter(({ length }) => length <= maxLength);
  return fc.string({ minLength, maxLength, unit: "grapheme" }).filter((made) => {
    const length = [...made].length;
    return length >= minLength && length <= maxLength;
  });
}

function list({ items = {}, minItems = 0, maxItems = 30, uniqueItems }: Schema): fc.Arbitrary<unknown> {
  const bounds = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4) };
  const entry = valid(items);
  return uniqueItems
    ? fc.uniqueArray(entry, { ...bounds, selector: (item) => JSON.stringify(item) })
    : fc.array(entry, bounds);
}

function properties({ properties: known = {}, required = [], minProperties = 0 }: Schema): fc.Arbitrary<unknown> {
  const entries = Object.fromEntries(Object.entries(known).map(([name, schema]) => [name, valid(schema)]));
  return fc
    .record(entries, { requiredKeys: [...required] })
    .filter((made) => Object.keys(made).length >= minProperties);
}

/** Valid values. */
export function valid(schema: Schema): fc.Arbitrary<unknown> {
  const { oneOf, anyOf, enum: possible, type, minimum, maximum } = schema;
  if (oneOf ?? anyOf) return fc.oneof(...(oneOf ?? anyOf)!.map(valid));
  if (possible) return fc.constantFrom(...possible);
  if (type === "string") return word(schema);
  if (type === "boolean") return fc.boolean();
  if (type === "integer") return fc.integer({ min: minimum, max: maximum });
  if (type === "number")
    return fc.oneof(
      fc.integer({ min: minimum, max: maximum }),
      fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true }),
    );
  if (type === "array") return list(schema);
  if (type === "object") return properties(schema);
  return json;
}

type Place = { holder: Record<string, unknown>; key: string };

function places(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...places(holder[key])]);
}

const junk = fc.oneof(
  json,
  fc.constantFrom<unknown>("", null, 0, -1, 1e9, 0.5, [], {}, true, false, "x".repeat(3000), ["a", "a"]),
);

/** Values that are valid except in one place, with something missing, added, or of another type. */
export function invalid(schema: Schema): fc.Arbitrary<unknown> {
  const way = fc.constantFrom("drop", "replace", "repeat", "add");
  return fc.tuple(valid(schema), fc.nat(), way, junk).map(([made, where, how, value]) => {
    const root = { value: structuredClone(made) };
    const all = places(root);
    const { holder, key } = all[where % all.length]!;
    const present = holder[key];
    if (how === "drop" && Array.isArray(holder)) holder.splice(Number(key), 1);
    else if (how === "drop" && holder !== root) delete holder[key];
    else if (how === "repeat" && Array.isArray(present)) present.push(...present);
    else if (how === "add" && typeof present === "object" && present !== null)
      Object.assign(present, { unheard_of: value });
    else holder[key] = value;
    return root.value;
  });
}
