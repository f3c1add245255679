/** What is to be written down, in no language yet: declarations, lists that they share, and rolls of members. */
import type { Attribute } from "../sdk/schema";
import type { Words } from "./naming";
import type { Kind } from "./survey";

/** A value as it is written: plain, or a reference to one that stands elsewhere. */
export type Written = string | number | boolean | Reference | readonly Written[] | { readonly [name: string]: Written };
export type Values = { readonly [name: string]: Written };

export interface Declaration {
  readonly kind: Kind;
  readonly type: string;
  readonly name: Words;
  /** By which it is imported. */
  readonly id: string;
  readonly attributes: readonly Attribute[];
  readonly values: Values;
  /** Where another provider has it, by the address in its state. */
  readonly origin?: Origin;
  /** What needs a decision, each a sentence or two. */
  readonly remarks: readonly string[];
  /** Why the provider would refuse it: it is written down as a comment alone. */
  readonly refused: readonly string[];
  /** What only a person has, and gives once the comment is none any more. */
  readonly variable?: Variable;
}

export interface Origin {
  /** It moves from there; undefined where it is made of several. */
  readonly moved?: string;
  /** These are forgotten. */
  readonly removed: readonly string[];
}

/** In place of a value that stands elsewhere. */
export class Reference {
  constructor(readonly target: Shared | Roll | Variable) {}
}

/** A list that is said once. */
export interface Shared {
  readonly kind: "shared";
  readonly name: Words;
  readonly value: readonly Written[];
  /** What it is for. */
  readonly users: readonly Declaration[];
}

/** Given by whoever plans, and kept nowhere. */
export interface Variable {
  readonly kind: "variable";
  readonly name: Words;
}

/** The members of a large organization, in a file of their own. */
export interface Roll {
  readonly kind: "roll";
  readonly name: Words;
  readonly file: string;
  readonly members: readonly string[];
}

export interface Arranged {
  readonly declarations: readonly Declaration[];
  readonly shared: readonly Shared[];
  readonly rolls: readonly Roll[];
}

/** Members that only somebody who names them can import, for their set leaves others alone; undefined where it does not. */
export function namedMembers({ kind, values }: Declaration): readonly string[] | Roll | undefined {
  if (kind !== "members" || values.exclusive !== false) return undefined;
  const { members } = values;
  return members instanceof Reference ? (members.target as Roll) : (members as readonly string[]);
}

/** The names of members in the id of an import, where a comma stands between two. */
export const inImportId = (member: string) => member.replace(/[%,]/g, encodeURIComponent);
