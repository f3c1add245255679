/** Turns a zod object into Terraform's attributes: their types, and whether people or the provider set them. */
import * as z from "zod";
import type { Type } from "../../formats/cty/type";
import { kindOf, notesOf, type AttributeNotes } from "./attribute";

export interface Attribute extends AttributeNotes {
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
  /** Set by the provider alone. */
  readonly computed: boolean;
  /** Taken where the configuration is silent. */
  readonly default?: unknown;
}

export type Shape =
  | { readonly kind: "primitive"; readonly type: "string" | "number" | "bool" }
  | { readonly kind: "list" | "set" | "map"; readonly element: Shape }
  | { readonly kind: "object"; readonly attributes: readonly Attribute[] };

/** The attributes of a resource, data source or provider: those that people write and those that the provider adds. */
export function attributesOf(config: z.ZodObject, computed?: z.ZodObject): readonly Attribute[] {
  return [...objectAttributes(config, false), ...(computed ? objectAttributes(computed, true) : [])];
}

/** The attribute's type as Terraform counts it. */
export function typeOf(shape: Shape): Type {
  if (shape.kind === "primitive") return shape.type;
  if (shape.kind === "object") return objectType(shape.attributes);
  return [shape.kind, typeOf(shape.element)];
}

export function objectType(attributes: readonly Attribute[]): Type {
  return ["object", Object.fromEntries(attributes.map(({ name, shape }) => [name, typeOf(shape)]))];
}

function objectAttributes(schema: z.ZodObject, computed: boolean): Attribute[] {
  return Object.entries(schema.shape).map(([name, declared]) => {
    const { inner, required, default: value } = unwrap(declared as z.ZodType);
    return {
      ...(inner instanceof z.ZodEnum ? { values: inner.options as string[] } : {}),
      ...notesOf(declared as z.ZodType, name),
      name,
      shape: shapeOf(inner, name, computed),
      required: required && !computed,
      computed,
      default: value,
    };
  });
}

function unwrap(schema: z.ZodType): { inner: z.ZodType; required: boolean; default?: unknown } {
  if (schema instanceof z.ZodOptional) return { inner: schema.unwrap() as z.ZodType, required: false };
  if (schema instanceof z.ZodDefault) {
    return { inner: schema.unwrap() as z.ZodType, required: false, default: schema.def.defaultValue };
  }
  return { inner: schema, required: true };
}

// Only shapes in which the planned value is the configured one, letter for letter: no unions, transforms or coercions.
function shapeOf(schema: z.ZodType, name: string, computed: boolean): Shape {
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return { kind: "primitive", type: "string" };
  if (schema instanceof z.ZodNumber) return { kind: "primitive", type: "number" };
  if (schema instanceof z.ZodBoolean) return { kind: "primitive", type: "bool" };
  if (schema instanceof z.ZodObject) return { kind: "object", attributes: objectAttributes(schema, computed) };
  if (schema instanceof z.ZodArray) {
    const element = shapeOf(schema.element as z.ZodType, name, computed);
    return { kind: kindOf(schema, name), element };
  }
  if (schema instanceof z.ZodRecord) {
    return { kind: "map", element: shapeOf(schema.valueType as z.ZodType, name, computed) };
  }
  throw new Error(`attribute ${name}: Terraform has no counterpart of a zod ${schema.def.type}`);
}
