/** Derives from a definition its attributes and its type, and converts between plain objects and the protocol's bytes. */
import type * as z from "zod";
import { decode, encode } from "../../formats/cty/msgpack";
import { attributePath, formatPath } from "../../formats/cty/path";
import { encodeType, type Type } from "../../formats/cty/type";
import { isObject, hasUnknown, type ObjectValue, type Value } from "../../formats/cty/value";
import {
  Schema_NestedBlock_NestingMode as BlockNesting,
  Schema_Object_NestingMode as Nesting,
  type Diagnostic as ProtocolDiagnostic,
  type DynamicValue,
  type Schema,
  type Schema_Attribute,
  type Schema_Block,
  type Schema_NestedBlock,
  type Schema_Object,
} from "../plugin/protocol/tfplugin6";
import type { Rule } from "./attribute";
import { blanksAsNull } from "./absent-values";
import { check } from "./check";
import { protocolDiagnostic } from "./diagnostic";
import { fromPlain, toPlain } from "./values";
import { attributesOf, objectType, typeOf, type Attribute, type Shape } from "./schema";

/** A resource, a data source or the provider block. */
export interface Encodable {
  readonly description: string;
  readonly config: z.ZodObject;
  readonly computed?: z.ZodObject;
  readonly rules?: readonly Rule[];
}

export interface Codec {
  readonly attributes: readonly Attribute[];
  readonly type: Type;
  /** The schema version of the states that it writes. */
  readonly version: number;
  schema(): Schema;
  /** Whether `decode` returns an object. */
  holds(bytes: DynamicValue | undefined): boolean;
  /** Null where there is no object. */
  decode(bytes: DynamicValue | undefined): ObjectValue | null;
  encode(value: Value): DynamicValue;
  /** The plain object without null and unknown values. */
  known(value: ObjectValue): Record<string, unknown>;
  /** The same of the write-only values of a configuration alone. */
  writeOnly(written: ObjectValue): Record<string, unknown>;
  fromPlain(plain: unknown): Value;
  /** The problems of a configuration; unknown parts are skipped. */
  check(value: ObjectValue | null): ProtocolDiagnostic[];
}

/** The byte of null in MessagePack. */
const nil = 0xc0;

export function createCodec(encodable: Encodable, version = 0): Codec {
  const { description, config, computed, rules } = encodable;
  const attributes = attributesOf(config, computed);
  const type = objectType(attributes);
  const known = (value: ObjectValue) => {
    const parts = Object.entries(blanksAsNull(attributes, value)).filter(([, attribute]) => !hasUnknown(attribute));
    return toPlain(Object.fromEntries(parts)) as Record<string, unknown>;
  };
  const writeOnly = attributes.filter((attribute) => attribute.writeOnly).map(({ name }) => name);
  return {
    attributes,
    type,
    version,
    schema: () => protocolSchema(attributes, description, version),
    holds: (bytes) => (bytes?.msgpack?.length ? bytes.msgpack[0] !== nil : false),
    decode(bytes) {
      const value = bytes?.msgpack?.length ? decode(bytes.msgpack, type) : null;
      return isObject(value) ? value : null;
    },
    encode: (value) => ({ msgpack: encode(value, type) }),
    known,
    writeOnly: (written) => known(Object.fromEntries(writeOnly.map((name) => [name, written[name] ?? null]))),
    fromPlain: (plain) => fromPlain(plain, type),
    check(value) {
      if (!value) return [];
      const found = check({ config, rules, attributes }, toPlain(value)).map(protocolDiagnostic);
      return [...decided(attributes, value), ...withoutValue(attributes, value), ...found];
    },
  };
}

/** Reports attributes that are written although the service decides them. */
function decided(attributes: readonly Attribute[], value: ObjectValue): ProtocolDiagnostic[] {
  return attributes
    .filter(({ name, computed }) => computed && (value[name] ?? null) !== null)
    .map(({ name }) =>
      protocolDiagnostic({
        path: attributePath(name),
        severity: "error",
        code: ["TNF-INVALID-VALUE", name],
        detail: `\`${name}\` cannot be set: the service decides it. Remove it.`,
      }),
    );
}

/** Reports keys of maps that have no value. If they counted as absent, the named objects would silently disappear. */
function withoutValue(attributes: readonly Attribute[], value: ObjectValue): ProtocolDiagnostic[] {
  return attributes.flatMap(({ name, shape }) => {
    const map = value[name];
    if (shape.kind !== "map" || !isObject(map)) return [];
    const keys = Object.keys(map).filter((key) => map[key] === null);
    return keys.map((key) => {
      const path = [{ attribute: name }, { key }];
      const subject = formatPath(path);
      const detail = `\`${subject}\` is null: give a value, or leave the key out.`;
      return protocolDiagnostic({ path, severity: "error", code: ["TNF-INVALID-VALUE", subject], detail });
    });
  });
}

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
