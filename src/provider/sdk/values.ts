/**
 * Terraform's values as the plain objects that resources work with and stored states hold, and back. Attributes that are written as `false`, `""`
 * or `[]` and mean that they are absent keep their spelling.
 */
import type { Type } from "../../formats/cty/type";
import { Decimal, elementType, isList, isObject, type ObjectValue, unknown, type Value } from "../../formats/cty/value";
import type { Attribute, Shape } from "./schema";

/** Absent where Terraform says null; unknown parts stay `unknown`; numbers become doubles. */
export function toPlain(value: Value): unknown {
  if (value === null) return undefined;
  if (isList(value)) return value.map(toPlain);
  if (isObject(value)) {
    const present = Object.entries(value).filter(([, inner]) => inner !== null);
    return Object.fromEntries(present.map(([key, inner]) => [key, toPlain(inner)]));
  }
  if (value instanceof Decimal) return Number(value.digits);
  return typeof value === "bigint" ? Number(value) : value;
}

/**
 * Returns the value of the type. Missing parts become null, and unknown parts are dropped, so that the state of an older or newer
 * version can still be read.
 */
export function fromPlain(plain: unknown, type: Type): Value {
  if (plain === undefined || plain === null) return null;
  if (isList(plain)) return plain.map((element, index) => fromPlain(element, elementType(type, index)));
  if (!isObject(plain)) return plain as Value;
  const keys = typeof type !== "string" && type[0] === "object" ? Object.keys(type[1]) : Object.keys(plain);
  return Object.fromEntries(keys.map((key) => [key, fromPlain(plain[key], elementType(type, key))]));
}

type Fields = { readonly [name: string]: unknown };
const isFields = (value: unknown): value is Fields => isObject(value);

function isBlank({ mayBeBlank, shape }: Attribute, value: unknown): boolean {
  if (!mayBeBlank) return false;
  const empty = replaced(shape, value, undefined);
  const isEmpty = (isList(empty) && empty.length === 0) || (isFields(empty) && Object.values(empty).every(isAbsent));
  return value === false || value === "" || isEmpty;
}

const isAbsent = (value: unknown) => value === null || value === undefined;

/** Leaves blank attributes out of a plain object. A value of another form stays as it is. */
export const blanksAsAbsent = (attributes: readonly Attribute[], plain: unknown): unknown =>
  replaced({ kind: "object", attributes }, plain, undefined);

/** The same for a value of Terraform, whose absent attributes are null. */
export const blanksAsNull = (attributes: readonly Attribute[], value: ObjectValue): ObjectValue =>
  replaced({ kind: "object", attributes }, value, null) as ObjectValue;

function replaced(shape: Shape, value: unknown, absent: null | undefined): unknown {
  if (value === unknown || shape.kind === "primitive" || shape.kind === "map") return value;
  if (shape.kind !== "object") {
    return isList(value) ? value.map((element) => replaced(shape.element, element, absent)) : value;
  }
  if (!isFields(value)) return value;
  const left = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    const attribute = shape.attributes.find((each) => each.name === name);
    if (!attribute) return [[name, part]];
    if (isBlank(attribute, part)) return absent === undefined ? [] : [[name, absent]];
    return [[name, replaced(attribute.shape, part, absent)]];
  });
  return Object.fromEntries(left);
}

/** The values that were read, with the blanks of the earlier state, which the service does not return. */
export function withBlanks(attributes: readonly Attribute[], found: Value, earlier: Value): Value {
  if (!isObject(found) || !isObject(earlier)) return found;
  const kept = attributes.map((attribute): [string, Value] => {
    const { name, shape } = attribute;
    const value: Value = found[name] ?? null;
    const was: Value = earlier[name] ?? null;
    if (value === null && isBlank(attribute, was)) return [name, was];
    return [name, shape.kind === "object" ? withBlanks(shape.attributes, value, was) : value];
  });
  return { ...found, ...Object.fromEntries(kept) };
}
