/** Resource identity in Terraform's protocol: the values that identify an object among those of its type. */
import { decode, encode } from "../../formats/cty/msgpack";
import { encodeType } from "../../formats/cty/type";
import { isObject } from "../../formats/cty/value";
import type { ResourceIdentityData, ResourceIdentitySchema } from "../plugin/protocol/tfplugin6";
import { identityOf, type Definition, type Identity } from "./definition";
import { DiagnosticError } from "./diagnostic";
import { fromPlain, toPlain } from "./values";
import { attributesOf, objectType, typeOf } from "./schema";

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
