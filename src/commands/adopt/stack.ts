/** The declarations of a stack, in no language yet. */
import type { Kind } from "../../judge/kinds/kind";
import { commented } from "./escape";
import type { Words } from "./naming";

/** A value as a file has it: plain, or a reference to a value that is written elsewhere. */
export type Written = string | number | boolean | Reference | readonly Written[] | { readonly [name: string]: Written };
export type Values = { readonly [name: string]: Written };

export interface Declaration {
  readonly kind: Kind;
  readonly name: Words;
  readonly id: string;
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
  constructor(readonly target: ListFile | Variable) {}
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
  readonly listFiles: readonly ListFile[];
}

/** The import id. It must name the entries of an object that leaves other entries alone. */
export function importId({ id, kind: { list }, values }: Declaration): string {
  if (!list || values[list.exclusive] !== false) return id;
  const written = values[list.attribute];
  const entries = written instanceof Reference ? (written.target as ListFile).entries : (written as readonly string[]);
  // The import id separates entries by commas.
  return `${id}:${entries.map((entry) => entry.replace(/[%,]/g, encodeURIComponent)).join(",")}`;
}

/** Code with its comments. It is a comment itself if the provider would refuse it. `needs`: what code with a variable needs. */
export function withComments(
  sign: string,
  { notes, refused, variable }: Declaration,
  code: readonly string[],
  needs?: string,
): string[] {
  if (refused.length === 0) return [...commented(sign, notes), ...code];
  const remedy = variable ? needs : "The provider refuses this object. Correct it, then remove the comment marks.";
  const comments = [...notes, ...refused, ...(remedy === undefined ? [] : [remedy])];
  return [...commented(sign, comments), ...code.map((line) => `${sign} ${line}`.trimEnd())];
}
