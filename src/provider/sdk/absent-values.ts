/** Attributes that are written as `false`, `""` or `[]`, or as a block of such attributes, and mean that they are absent. */
import { isList, isObject, unknown, type ObjectValue, type Value } from "../../formats/cty/value";
import type { Attribute, Shape } from "./schema";

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
