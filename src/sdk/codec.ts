/** Derives from a definition its attributes and its type, and converts between plain objects and the protocol's bytes. */
import type * as z from "zod";
import { decode, encode } from "../cty/msgpack";
import { attributePath, formatPath } from "../cty/path";
import type { Type } from "../cty/type";
import { isObject, isWhollyKnown, type ObjectValue, type Value } from "../cty/value";
import type { Diagnostic as ProtocolDiagnostic, DynamicValue, Schema } from "../plugin/protocol/tfplugin6";
import type { Rule } from "./attribute";
import { blanksAsNull } from "./blank";
import { check } from "./check";
import { protocolDiagnostic } from "./diagnostic";
import { fromPlain, toPlain } from "./plain";
import { protocolSchema } from "./protocol-schema";
import { attributesOf, objectType, type Attribute } from "./schema";

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

export function createCodec(encodable: Encodable, version = 0): Codec {
  const { description, config, computed, rules } = encodable;
  const attributes = attributesOf(config, computed);
  const type = objectType(attributes);
  const known = (value: ObjectValue) => {
    const parts = Object.entries(blanksAsNull(attributes, value)).filter(([, attribute]) => isWhollyKnown(attribute));
    return toPlain(Object.fromEntries(parts)) as Record<string, unknown>;
  };
  const writeOnly = attributes.filter((attribute) => attribute.writeOnly).map(({ name }) => name);
  return {
    attributes,
    type,
    version,
    schema: () => protocolSchema(attributes, description, version),
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
