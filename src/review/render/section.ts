/** A part of a review that every form renders in its own way. */

/** A text, or names that a form shows as code behind the text. */
export type Cell = string | { readonly text: string; readonly names: readonly string[] };

export interface Section {
  readonly title: string;
  /** The columns of a table; left out: a list whose items are "first: second, third". */
  readonly columns?: readonly string[];
  /** All columns but the first are numbers. */
  readonly areNumbers?: true;
  readonly rows: readonly (readonly Cell[])[];
  /** Shown without a click. */
  readonly isOpen?: true;
}
