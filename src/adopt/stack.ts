/** The declarations of a stack, in no language yet. */
import type { Kind } from "../kinds/kind";
import type { Attribute } from "../sdk/schema";
import type { Words } from "./naming";

/** A value as a file has it: plain, or a reference to a value that is written elsewhere. */
export type Written = string | number | boolean | Reference | readonly Written[] | { readonly [name: string]: Written };
export type Values = { readonly [name: string]: Written };

export interface Declaration {
  readonly kind: Kind;
  readonly name: Words;
  readonly id: string;
  readonly attributes: readonly Attribute[];
  readonly values: Values;
  /** Addresses in the state of another provider. */
  readonly origin?: Origin;
  /** Comments for places that need a decision, each a sentence or two. */
  readonly notes: readonly string[];
  /** Why the provider would refuse the object. The files then have it as a comment only. */
  readonly refused: readonly string[];
  /** The value that only a person has. */
  readonly variable?: Variable;
}

export interface Origin {
  /** The object moves from this address. Left out if several resources become one. */
  readonly moved?: string;
  /** Terraform forgets these resources. */
  readonly removed: readonly string[];
}

/** Stands for a value that is written elsewhere. */
export class Reference {
  constructor(readonly target: SharedList | ListFile | Variable) {}
}

/** A list that several objects have in common. */
export interface SharedList {
  readonly kind: "shared";
  readonly name: Words;
  readonly value: readonly Written[];
}

/** Set by the person that plans, and stored nowhere. */
export interface Variable {
  readonly kind: "variable";
  readonly name: Words;
}

/** A long list in a file of its own. */
export interface ListFile {
  readonly kind: "file";
  readonly attribute: string;
  readonly name: Words;
  readonly file: string;
  readonly entries: readonly string[];
}

export interface Arranged {
  readonly declarations: readonly Declaration[];
  readonly shared: readonly SharedList[];
  readonly listFiles: readonly ListFile[];
}

/** The entries that the import id must name, because the object leaves other entries alone; undefined if the id is enough. */
export function importedEntries({ kind: { list }, values }: Declaration): readonly string[] | ListFile | undefined {
  if (!list || values[list.exclusive] !== false) return undefined;
  const entries = values[list.attribute];
  return entries instanceof Reference ? (entries.target as ListFile) : (entries as readonly string[]);
}

/** The import id separates entries by commas. */
export const inImportId = (entry: string) => entry.replace(/[%,]/g, encodeURIComponent);
