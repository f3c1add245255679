/** Terraform's values, and their form on the wire. */
import { Decoder } from "@msgpack/msgpack";
import { decode, encode, TypeMismatch } from "../../../src/formats/cty/msgpack";
import { attributePath, formatPath } from "../../../src/formats/cty/path";
import { type Type, typeName } from "../../../src/formats/cty/type";
import {
  Decimal,
  digitsOf,
  equal,
  hasUnknown,
  notKnown,
  numberFrom,
  unknown,
  type Value,
} from "../../../src/formats/cty/value";
import fc from "../../support/random";

test("compares sets in any order, and lists in their order", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (elements) => {
      const reversed = elements.toReversed();
      expect(equal(elements, reversed, ["set", "string"])).toBe(true);
      expect(equal(elements, reversed, ["list", "string"])).toBe(JSON.stringify(elements) === JSON.stringify(reversed));
    }),
  );
});

test.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: [Symbol("x"), "t"] }, { b: [Symbol("x"), "t"], a: 1 }, true],
  [{ a: Symbol("x") }, { a: Symbol("y") }, false],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1, b: null }, { a: 1 }, false],
  [["a", "b"], ["b", "a"], false],
  [[1, 2], [1, 2, 3], false],
  [[], {}, false],
])("%p and %p are equal: %p", (one, other, expected) => expect(equal(one, other)).toBe(expected));

test("compares without order, and finds an unknown part at any depth", () => {
  expect(equal({ a: [{ b: ["x", "y"] }, "z"] }, { a: ["z", { b: ["y", "x"] }] }, "unordered")).toBe(true);
  const values = [{ a: [null, 1] }, [{ a: unknown }], { a: [1, { b: [notKnown("first"), notKnown("second")] }] }];
  expect(values.map(hasUnknown)).toEqual([false, true, true]);
});

test("distinguishes unknown, null, booleans and numbers from texts that look like them", () => {
  const all = [unknown, null, "?", "null", true, "true", 1, "1"] as const;
  for (const a of all) for (const b of all) expect(equal(a, b, "dynamic")).toBe(a === b);
});

test("keeps all decimal digits of a number", () => {
  for (const digits of ["0", "-1", "0.1", "9007199254740993", "0.1000000000000000055511151231257827"]) {
    expect(digitsOf(numberFrom(digits))).toBe(digits);
  }
});

test("formats paths and types like Terraform", () => {
  expect(formatPath([...attributePath("rule", "items"), { index: 0 }, { key: "a" }])).toBe('rule.items[0]["a"]');
  expect(typeName(["object", { a: ["set", "string"], b: ["tuple", ["bool", "dynamic"]] }])).toBe(
    "object({ a = set(string), b = tuple([bool, any]) })",
  );
});

const key = fc.stringMatching(/^[a-z_]{1,8}$/);
const { type: anyType } = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Type>("string", "number", "bool"),
    fc.tuple(fc.constantFrom("list" as const, "set" as const, "map" as const), tie("type")),
    fc.tuple(fc.constant("tuple" as const), fc.array(tie("type"), { maxLength: 3 })),
    fc.tuple(fc.constant("object" as const), fc.dictionary(key, tie("type"), { maxKeys: 4, noNullPrototype: true })),
  ) as fc.Arbitrary<Type>,
}));

/** The decoder refuses __proto__, because this key would replace the prototype of an object. */
const mapKey = fc.string().filter((name) => name !== "__proto__");

const numeric = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 200n }),
  fc.bigInt({ min: -(2n ** 200n), max: -(2n ** 53n) }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
  fc.constant(new Decimal("0.12345678901234567890123")),
);

function valueOf(type: Type): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 8, arbitrary: knownOf(type) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant(unknown) },
  );
}

function knownOf(type: Type): fc.Arbitrary<Value> {
  if (type === "string") return fc.string({ unit: "grapheme" });
  if (type === "number") return numeric;
  if (type === "bool") return fc.boolean();
  if (type === "dynamic") throw new Error("not generated");
  if (type[0] === "tuple") return fc.tuple(...type[1].map(valueOf));
  if (type[0] === "object") {
    return fc.record(Object.fromEntries(Object.entries(type[1]).map(([name, inner]) => [name, valueOf(inner)])), {
      noNullPrototype: true,
    });
  }
  if (type[0] === "map") return fc.dictionary(mapKey, valueOf(type[1]), { maxKeys: 4, noNullPrototype: true });
  return fc.array(valueOf(type[1]), { maxLength: 4 });
}

const typed: fc.Arbitrary<{ type: Type; value: Value }> = anyType.chain((type) =>
  valueOf(type).map((value: Value) => ({ type, value })),
);

test("decodes every encoded value of every type", () => {
  fc.assert(
    fc.property(typed, ({ type, value }) => {
      const back = decode(encode(value, type), type);
      expect(equal(back, value, type)).toBe(true);
      expect(hasUnknown(back)).toBe(hasUnknown(value));
    }),
    { numRuns: 500 },
  );
});

test("encodes the type with a dynamic value", () => {
  const value: Value = { name: "a", list: [1, "two", unknown], none: null };
  expect(decode(encode(value, "dynamic"), "dynamic")).toEqual(value);
});

test("encodes an unknown value as Terraform does, and decodes a refined unknown value as unknown", () => {
  expect(Buffer.from(encode(unknown, "string")).toString("hex")).toBe("d40000");
  expect(decode(Buffer.from("c7030c8101c2", "hex"), "string")).toBe(unknown);
});

test("encodes fractions and huge integers as decimal digits", () => {
  expect(new Decoder().decode(encode(0.1, "number"))).toBe("0.1");
  expect(new Decoder().decode(encode(2n ** 70n, "number"))).toBe("1180591620717411303424");
  expect(decode(Buffer.from("a3302e31", "hex"), "number")).toBe(0.1);
  expect(decode(Buffer.from("cf0020000000000001", "hex"), "number")).toBe(2n ** 53n + 1n);
});

test("refuses a value of the wrong type, and names its path", () => {
  const type: Type = ["object", { rule: ["object", { cidrs: ["list", "string"] }] }];
  expect(() => encode({ rule: { cidrs: ["a", 2] } }, type)).toThrow(TypeMismatch);
  expect(() => encode({ rule: { cidrs: ["a", 2] } }, type)).toThrow("rule.cidrs[1]: expected string, got number");
});

test("encodes missing attributes as null", () => {
  const type: Type = ["object", { a: "string", b: "string" }];
  expect(decode(encode({ a: "x" }, type), type)).toEqual({ a: "x", b: null });
});

test("refuses __proto__ as the key of a map", () => {
  const hostile = Buffer.from(`81a9${Buffer.from("__proto__").toString("hex")}a178`, "hex");
  expect(() => decode(hostile, ["map", "string"])).toThrow("__proto__");
});

test("throws an error for invalid bytes, for every type", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), anyType, (bytes, type) => {
      let value: Value;
      try {
        value = decode(bytes, type);
      } catch (error) {
        return expect(error).toBeInstanceOf(Error);
      }
      expect(equal(decode(encode(value, type), type), value, type)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
