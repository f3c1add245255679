/** The attributes of a definition, computed once for all its constructs. */
import type * as z from "zod";
import { attributesOf, type Attribute } from "../provider/sdk/schema";

export interface Described {
  readonly attributes: readonly Attribute[];
  /** Names of all attributes, nested ones included. */
  readonly names: readonly string[];
  /** Defaults by attribute. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

const known = new WeakMap<z.ZodObject, Described>();

export function described(config: z.ZodObject): Described {
  const found = known.get(config);
  if (found) return found;
  const attributes = attributesOf(config);
  const defaults = Object.fromEntries(
    attributes.flatMap((one) => (one.default === undefined ? [] : [[one.name, one.default]])),
  );
  const made = { attributes, names: namesIn(attributes), defaults };
  known.set(config, made);
  return made;
}

function namesIn(attributes: readonly Attribute[]): string[] {
  return attributes.flatMap(({ name, shape }) => {
    let inner = shape;
    while (inner.kind !== "object" && inner.kind !== "primitive") inner = inner.element;
    return [name, ...(inner.kind === "object" ? namesIn(inner.attributes) : [])];
  });
}
