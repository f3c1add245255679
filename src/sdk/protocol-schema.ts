/** Attributes in the words of Terraform's protocol. */
import { encodeType } from "../cty/type";
import {
  Schema_Object_NestingMode as Nesting,
  type Schema,
  type Schema_Attribute,
  type Schema_Object,
} from "../plugin/protocol/tfplugin6";
import { typeOf, type Attribute, type Shape } from "./schema";

export function protocolSchema(attributes: readonly Attribute[], description: string, version: number): Schema {
  return { version, block: { version, description, attributes: attributes.map(protocolAttribute) } };
}

function protocolAttribute(attribute: Attribute): Schema_Attribute {
  const { name, description, shape, required, computed, sensitive } = attribute;
  const nestedType = nested(shape);
  return {
    name,
    description,
    ...(nestedType ? { nestedType } : { type: encodeType(typeOf(shape)) }),
    required,
    optional: !required && !computed,
    computed: computed || attribute.default !== undefined,
    sensitive: sensitive ?? false,
  };
}

const nestings = { object: Nesting.SINGLE, list: Nesting.LIST, set: Nesting.SET, map: Nesting.MAP };

function nested(shape: Shape): Schema_Object | undefined {
  const inner = shape.kind === "primitive" ? shape : shape.kind === "object" ? shape : shape.element;
  if (inner.kind !== "object") return undefined;
  return {
    nesting: nestings[shape.kind as keyof typeof nestings],
    attributes: inner.attributes.map(protocolAttribute),
  };
}
