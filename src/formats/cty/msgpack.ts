/** Terraform's values as the bytes that the plugin protocol carries. */
import { Decoder, Encoder, ExtData, ExtensionCodec } from "@msgpack/msgpack";
import { formatPath, root, type Path } from "./path";
import { decodeType, encodeType, typeName, type Type } from "./type";
import {
  Decimal,
  digitsOf,
  isList,
  isObject,
  numberFrom,
  unknown,
  wellFormed,
  type Numeric,
  type Value,
} from "./value";

const unknownPayload = new ExtData(0, new Uint8Array(1));

// Extension 0 is an unknown value, 12 one with promises about what it will be; both read as plain unknown.
const extensionCodec = new ExtensionCodec();
for (const type of [0, 12]) extensionCodec.register({ type, encode: () => null, decode: () => unknown });

const encoder = new Encoder({ extensionCodec, useBigInt64: true });
const decoder = new Decoder({ extensionCodec, useBigInt64: true });

/** A value does not have the type that the schema gives it; the message names the place. */
export class TypeMismatch extends Error {
  constructor(
    readonly path: Path,
    expected: Type,
    actual: unknown,
  ) {
    super(`${formatPath(path) || "value"}: expected ${typeName(expected)}, got ${describe(actual)}`);
    this.name = "TypeMismatch";
  }
}

/** Throws TypeMismatch where the value does not have the type. */
export function encode(value: Value, type: Type): Uint8Array {
  return encoder.encode(toWire(value, type, root));
}

/** Throws TypeMismatch where the bytes do not hold the type. */
export function decode(bytes: Uint8Array, type: Type): Value {
  return fromWire(decoder.decode(bytes), type, root);
}

function toWire(value: Value | undefined, type: Type, path: Path): unknown {
  if (value === undefined || value === null) return null;
  if (value === unknown) return unknownPayload;
  if (type === "dynamic") {
    const guessed = guessType(value);
    return [encodeType(guessed), toWire(value, guessed, path)];
  }
  if (type === "number") return numberToWire(value, path);
  if (type === "string" || type === "bool") {
    if (typeof value === (type === "bool" ? "boolean" : type))
      return typeof value === "string" ? wellFormed(value) : value;
    throw new TypeMismatch(path, type, value);
  }
  return mapElements(value, type, path, toWire as ElementMapper<unknown>);
}

function fromWire(wire: unknown, type: Type, path: Path): Value {
  if (wire === null || wire === undefined) return null;
  if (wire === unknown) return unknown;
  if (type === "dynamic") {
    const [typeBytes, value] = wire as [Uint8Array, unknown];
    return fromWire(value, decodeType(typeBytes), path);
  }
  if (type === "number") return numberFromWire(wire, path);
  if (type === "string" || type === "bool") {
    if (typeof wire === (type === "bool" ? "boolean" : type)) return wire as string | boolean;
    throw new TypeMismatch(path, type, wire);
  }
  return mapElements(wire, type, path, fromWire as ElementMapper<Value>);
}

type Compound = Exclude<Type, string>;
type ElementMapper<Target> = (element: unknown, type: Type, path: Path) => Target;

function mapElements<Target>(
  compound: unknown,
  type: Compound,
  path: Path,
  map: ElementMapper<Target>,
): Target[] | { [key: string]: Target } {
  const [kind, inner] = type;
  if (kind === "object" || kind === "map") {
    if (!isObject(compound)) throw new TypeMismatch(path, type, compound);
    const keys = Object.keys(kind === "object" ? inner : compound);
    return Object.fromEntries(
      keys.map((key) =>
        kind === "object"
          ? [key, map(compound[key], inner[key]!, [...path, { attribute: key }])]
          : [key, map(compound[key], inner, [...path, { key }])],
      ),
    );
  }
  if (!isList(compound)) throw new TypeMismatch(path, type, compound);
  if (kind === "tuple" && compound.length !== inner.length) throw new TypeMismatch(path, type, compound);
  return compound.map((element, index) =>
    map(
      element,
      kind === "tuple" ? (inner as readonly Type[])[index]! : (inner as Type),
      kind === "set" ? path : [...path, { index }],
    ),
  );
}

function numberToWire(value: Value, path: Path): number | bigint | string {
  if (typeof value === "number" && Number.isInteger(value)) {
    return Math.abs(value) < 2 ** 31 ? value : integerToWire(BigInt(value));
  }
  if (typeof value === "bigint") return integerToWire(value);
  if (typeof value === "number" || value instanceof Decimal) return digitsOf(value);
  throw new TypeMismatch(path, "number", value);
}

function integerToWire(value: bigint): bigint | string {
  return value >= -(2n ** 63n) && value < 2n ** 64n ? value : String(value);
}

function numberFromWire(wire: unknown, path: Path): Numeric {
  if (typeof wire === "number") return wire;
  if (typeof wire === "bigint") return Number.isSafeInteger(Number(wire)) ? Number(wire) : wire;
  if (typeof wire === "string") return numberFrom(wire);
  throw new TypeMismatch(path, "number", wire);
}

function guessType(value: Value): Type {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (isList(value)) return ["tuple", value.map(guessType)];
  if (isObject(value)) {
    return ["object", Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, guessType(inner)]))];
  }
  return value === null || value === unknown ? "dynamic" : "number";
}

function describe(value: unknown): string {
  if (value === unknown) return "an unknown value";
  if (isList(value)) return `a list of ${value.length}`;
  return isObject(value) ? `an object with ${Object.keys(value).join(", ") || "no attributes"}` : typeof value;
}
