/** Attributes and blocks in the words of Terraform's protocol. */
import { encodeType } from "../cty/type";
import {
  Schema_NestedBlock_NestingMode as BlockNesting,
  Schema_Object_NestingMode as Nesting,
  type Schema,
  type Schema_Attribute,
  type Schema_Block,
  type Schema_NestedBlock,
  type Schema_Object,
} from "../plugin/protocol/tfplugin6";
import { typeOf, type Attribute, type Shape } from "./schema";

export function protocolSchema(attributes: readonly Attribute[], description: string, version: number): Schema {
  return { version, block: { version, description, ...content(attributes) } };
}

function content(attributes: readonly Attribute[]): Pick<Schema_Block, "attributes" | "blockTypes"> {
  return {
    attributes: attributes.filter((attribute) => !isBlock(attribute)).map(protocolAttribute),
    blockTypes: attributes.filter(isBlock).map(protocolBlock),
  };
}

/** An attribute that only the provider sets is no block, and neither is a part of a nested attribute. */
function isBlock({ block, computed }: Attribute): boolean {
  return block === true && !computed;
}

function protocolBlock({ name, description, shape, required }: Attribute): Schema_NestedBlock {
  const inner = innermost(shape);
  if (inner.kind !== "object" || shape.kind === "map") throw new Error(`block ${name} is no object or list of objects`);
  const single = shape.kind === "object";
  return {
    typeName: name,
    block: { description, ...content(inner.attributes) },
    nesting: single ? BlockNesting.SINGLE : shape.kind === "set" ? BlockNesting.SET : BlockNesting.LIST,
    minItems: required ? 1 : 0,
    maxItems: single && required ? 1 : 0,
  };
}

function protocolAttribute(attribute: Attribute): Schema_Attribute {
  const { name, description, shape, required, computed, sensitive, writeOnly, derived } = attribute;
  const nestedType = attribute.alsoBlocks ? undefined : nested(shape);
  return {
    name,
    description,
    ...(nestedType ? { nestedType } : { type: encodeType(typeOf(shape)) }),
    required,
    optional: !required && !computed,
    computed: computed || derived === true || attribute.default !== undefined,
    sensitive,
    writeOnly,
  };
}

const nestings = { object: Nesting.SINGLE, list: Nesting.LIST, set: Nesting.SET, map: Nesting.MAP };

function nested(shape: Shape): Schema_Object | undefined {
  const inner = innermost(shape);
  if (inner.kind !== "object" || shape.kind === "primitive") return undefined;
  return { nesting: nestings[shape.kind], attributes: inner.attributes.map(protocolAttribute) };
}

/** The object, or what a collection holds. */
function innermost(shape: Shape): Shape {
  return shape.kind === "primitive" || shape.kind === "object" ? shape : shape.element;
}
