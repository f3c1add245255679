/** The parts that every form renders in its own way. */
import type { Effect } from "../../judge/impact/effect";
import type { LineParts } from "../../judge/impact/words/verdict";
import type { Review } from "../judge/review";

/** A text, or names that a form shows as code behind the text. */
export type Cell = string | { readonly text: string; readonly names: readonly string[] };

export interface Section {
  readonly title: string;
  /** The columns of a table; left out: a list whose items are "first: second, third". */
  readonly columns?: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Shown without a click. */
  readonly isOpen?: true;
}

/** An effect, with the words that the page has not said yet. */
export interface ShownEffect {
  readonly effect: Effect;
  readonly words: string;
}

/** `blue: `, or nothing. People see an annotation or an alert alone. */
export type NameOf = (effect: Effect, review: Review) => string;

export const noName: NameOf = () => "";

export interface Page {
  /** The plan, or the plans of a tenant. */
  readonly name: string;
  readonly title: string;
  /** The result, in at most a few lines. */
  readonly summary: readonly LineParts[];
  /** Shown without a click, before the effects. */
  readonly open: readonly Section[];
  /** Those that the plan causes. */
  readonly effects: readonly ShownEffect[];
  /** `More effects: 1 low.` */
  readonly effectsTitle: string;
  readonly closed: readonly Section[];
  /** Effects that were there before the plan. */
  readonly old: readonly ShownEffect[];
  /** Its shares and orders are drawn. */
  readonly review?: Review;
}

export interface Pages {
  /** Sentences before all pages. */
  readonly lead?: readonly string[];
  readonly pages: readonly Page[];
  /** A sentence after all pages. */
  readonly note?: string | undefined;
}
