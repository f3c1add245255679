/** Turns a state into a configuration: without values that the service sets, and without defaults. */
import { equal, isList, isObject, type ObjectValue, type Value } from "../cty/value";
import { fromPlain } from "./plain";
import { typeOf, type Attribute, type Shape } from "./schema";

export function configOf(attributes: readonly Attribute[], state: ObjectValue): ObjectValue {
  return Object.fromEntries(
    attributes.map(({ name, shape, computed, default: usual }) => {
      const value = state[name] ?? null;
      const type = typeOf(shape);
      const needless = computed || (usual !== undefined && equal(value, fromPlain(usual, type), type));
      return [name, needless ? null : within(shape, value)];
    }),
  );
}

function within(shape: Shape, value: Value): Value {
  if (shape.kind === "object") return isObject(value) ? configOf(shape.attributes, value) : value;
  if (shape.kind === "primitive" || !isList(value)) return value;
  return value.map((element) => within(shape.element, element));
}
