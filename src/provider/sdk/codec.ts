/** Derives from a definition its attributes, its type and its identity, and converts between plain objects and the protocol's bytes. */
import type * as z from "zod";
import { decode, encode } from "../../formats/cty/msgpack";
import { attributePath, formatPath } from "../../formats/cty/path";
import { encodeType, type Type } from "../../formats/cty/type";
import { hasUnknown, isObject, type ObjectValue, type Value } from "../../formats/cty/value";
import {
  type Diagnostic as ProtocolDiagnostic,
  type DynamicValue,
  type ResourceIdentityData,
  type ResourceIdentitySchema,
  type Schema,
  type Schema_Attribute,
  type Schema_Block,
  type Schema_NestedBlock,
  Schema_NestedBlock_NestingMode as BlockNesting,
  type Schema_Object,
  Schema_Object_NestingMode as Nesting,
} from "../plugin/protocol/tfplugin6";
import type { Rule } from "./attribute";
import { blanksAsNull, fromPlain, toPlain } from "./values";
import { check } from "./check";
import { DiagnosticError, protocolDiagnostic } from "./diagnostic";
import { type Attribute, attributesOf, objectType, type Shape, typeOf } from "./schema";
import { type Definition, type Identity, identityOf } from "./definition";

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

export interface IdentityCodec {
  /** Undefined where the definition names no identity. */
  schema(): ResourceIdentitySchema | undefined;
  /**
   * Undefined where there is no object, or part of its identity is not known yet: OpenTofu 1.12 cannot store a planned
   * identity that is unknown, and no program misses it.
   */
  encode(known: { readonly [name: string]: unknown } | null | undefined): ResourceIdentityData | undefined;
  /** Undefined where none was sent. Throws a DiagnosticError where part of it is missing. */
  decode(sent: ResourceIdentityData | undefined): Identity | undefined;
}

export function createIdentityCodec(definition: Definition): IdentityCodec {
  const { identity } = definition;
  const attributes = identity ? attributesOf(identity) : [];
  const names = attributes.map(({ name }) => name);
  const type = objectType(attributes);
  return {
    schema: () =>
      names.length === 0
        ? undefined
        : {
            version: 0,
            identityAttributes: attributes.map(({ name, shape, description }) => ({
              name,
              description,
              type: encodeType(typeOf(shape)),
              requiredForImport: true,
            })),
          },
    encode(known) {
      const value = known && identityOf(definition, known);
      return value ? { identityData: { msgpack: encode(fromPlain(value, type), type) } } : undefined;
    },
    decode(sent) {
      const bytes = sent?.identityData?.msgpack;
      const value = bytes?.length ? decode(bytes, type) : null;
      if (!isObject(value)) return undefined;
      const given = toPlain(value) as Identity;
      const missing = names.find((name) => typeof given[name] !== "string" || given[name] === "");
      if (missing === undefined) return given;
      throw new DiagnosticError("TNF-IDENTITY-INCOMPLETE", `\`identity.${missing}\` is missing: give a string.`);
    },
  };
}

/** The name by which the object is imported: each of our identities is one attribute. */
export function nameOf(identity: Identity): string {
  return String(Object.values(identity)[0]);
}
