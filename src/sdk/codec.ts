/** A definition together with what follows from it: attributes, type, and the protocol's bytes to and from plain objects. */
import { decode, encode } from "../cty/msgpack";
import { attributePath } from "../cty/path";
import type { Type } from "../cty/type";
import { isObject, isWhollyKnown, type ObjectValue, type Value } from "../cty/value";
import { Diagnostic_Severity, type Diagnostic, type DynamicValue, type Schema } from "../plugin/protocol/tfplugin6";
import type * as z from "zod";
import type { Rule } from "./attribute";
import { check } from "./check";
import { diagnosticOf } from "./diagnostic";
import { fromPlain, toPlain } from "./plain";
import { protocolSchema } from "./protocol-schema";
import { attributesOf, objectType, type Attribute } from "./schema";

export interface Defined {
  readonly description: string;
  readonly config: z.ZodObject;
  readonly computed?: z.ZodObject;
  readonly rules?: readonly Rule[];
  readonly upgrades?: readonly unknown[];
}

export class Codec<D extends Defined> {
  readonly attributes: readonly Attribute[];
  readonly type: Type;

  constructor(readonly definition: D) {
    this.attributes = attributesOf(definition.config, definition.computed);
    this.type = objectType(this.attributes);
  }

  get checkable() {
    return { config: this.definition.config, rules: this.definition.rules, attributes: this.attributes };
  }

  /** Of the states it writes: every upgrade step leads to the next. */
  get version(): number {
    return this.definition.upgrades?.length ?? 0;
  }

  schema(): Schema {
    return protocolSchema(this.attributes, this.definition.description, this.version);
  }

  /** Null where there is no object. */
  decode(bytes: DynamicValue | undefined): ObjectValue | null {
    const value = bytes?.msgpack?.length ? decode(bytes.msgpack, this.type) : null;
    return isObject(value) ? value : null;
  }

  encode(value: Value): DynamicValue {
    return { msgpack: encode(value, this.type) };
  }

  /** The plain object without what is null or not known. */
  known(value: ObjectValue): Record<string, unknown> {
    const known = Object.entries(value).filter(([, attribute]) => isWhollyKnown(attribute));
    return toPlain(Object.fromEntries(known)) as Record<string, unknown>;
  }

  fromPlain(plain: unknown): Value {
    return fromPlain(plain, this.type);
  }
}

/** What is wrong with a configuration, holes stepped over. */
export function faultsOf(codec: Codec<Defined>, value: ObjectValue | null): Diagnostic[] {
  if (!value) return [];
  const decided = codec.attributes.filter(({ name, computed }) => computed && (value[name] ?? null) !== null);
  const faults = decided.map(({ name }) => ({
    path: attributePath(name),
    severity: "error" as const,
    summary: `Invalid ${name}`,
    detail: `\`${name}\` cannot be set: the service decides it. Remove it.`,
  }));
  return [...faults, ...check(codec.checkable, toPlain(value))].map(diagnosticOf);
}

export function isError({ severity }: Diagnostic): boolean {
  return severity === Diagnostic_Severity.ERROR;
}
