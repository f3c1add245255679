/** Terraform's values as the plain objects that resources work with and stored states hold, and back. */
import type { Type } from "../../formats/cty/type";
import { Decimal, elementType, isList, isObject, type Value } from "../../formats/cty/value";

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
