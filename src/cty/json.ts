/** Terraform's values as JSON, the form in which a stored state hands them over for an upgrade. */
import type { Type } from "./type";
import { elementType, isList, isObject, type Value } from "./value";

/**
 * A value of the type from parsed JSON. Attributes that the type does not know are dropped, missing ones become null,
 * so a state of an older or newer version still reads.
 */
export function valueFromJson(json: unknown, type: Type): Value {
  return conform(json as Value, type);
}

function conform(value: Value | undefined, type: Type): Value {
  if (value === undefined || value === null) return null;
  if (isList(value)) return value.map((element, index) => conform(element, elementType(type, index)));
  if (!isObject(value)) return value;
  const keys = typeof type !== "string" && type[0] === "object" ? Object.keys(type[1]) : Object.keys(value);
  return Object.fromEntries(keys.map((key) => [key, conform(value[key], elementType(type, key))]));
}
