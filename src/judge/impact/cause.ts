/** The objects that cause an effect, and how the plan changes each of them. */

/** Where a configuration declares an object. */
export interface Place {
  /** Relative to the working directory, with forward slashes. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The folder to which the file is relative. Default: the working directory. */
  readonly base?: string;
}

/** An object that the plan changes. */
export interface Cause extends Partial<Place> {
  readonly address: string;
  /** The name of its plan, if there are several plans. */
  readonly plan?: string;
  readonly change: Change;
}

/** A value before and after a change. Left out: not known, or it must not be shown. */
export interface ChangedAttribute {
  /** `priority`, `rule`, `rule.action`. */
  readonly path: string;
  readonly was?: string | number | boolean;
  readonly is?: string | number | boolean;
}

export type Change =
  | { readonly kind: "created" | "destroyed" | "replaced" | "forgotten" | "imported" | "activated" | "deactivated" }
  /** Empty: something else changes. */
  | { readonly kind: "changed"; readonly attributes: readonly ChangedAttribute[] }
  /** The object did not change. It decides what the effect is about, now or before the change. */
  | { readonly kind: "decides"; readonly what: "requests" | "policy" | "members"; readonly before?: true };
