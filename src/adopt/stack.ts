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
  /** What needs a decision, each a sentence or two. */
  readonly remarks: readonly string[];
  /** Why the provider would refuse it: it is written down as a comment alone. */
  readonly refused: readonly string[];
}

/** In place of a value that stands elsewhere. */
export class Reference {
  constructor(readonly target: Shared | Roll) {}
}

/** A list that is said once. */
export interface Shared {
  readonly kind: "shared";
  readonly name: Words;
  readonly value: readonly Written[];
  /** What it is for. */
  readonly users: readonly Declaration[];
}

/** The members of a large organization, in a file of their own. */
export interface Roll {
  readonly kind: "roll";
  readonly name: Words;
  readonly members: readonly string[];
}

export interface Arranged {
  readonly declarations: readonly Declaration[];
  readonly shared: readonly Shared[];
  readonly rolls: readonly Roll[];
}
