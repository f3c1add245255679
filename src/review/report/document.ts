/** What reviews show to people: pages of sections, made once by `sections`. Each form lays them out, and escapes every text itself. */
import type { Place } from "../../judge/impact/cause";
import type { Code, Effect, Level } from "../../judge/impact/effect";
import type { LineParts } from "../../judge/impact/words/verdict";
import type { Review } from "../judge/review";

/** A text, or names that a form shows as code behind the text. */
export type Cell = string | { readonly text: string; readonly names: readonly string[] };

/** An effect in a list, with the words that the page has not said yet. */
export interface Item {
  readonly code: Code;
  readonly level: Level;
  readonly words: string;
  /** Why it is not counted. */
  readonly ignored?: string | undefined;
  readonly place?: Place | undefined;
}

export interface Section {
  readonly title: string;
  /** Shown without a click. */
  readonly isOpen?: boolean;
  /** The columns of a table; left out: a list whose items are "first: second, third". */
  readonly columns?: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Effects in place of rows. */
  readonly items?: readonly Item[];
}

export interface Page {
  /** The plan, or the plans of a tenant. */
  readonly name: string;
  readonly title: string;
  /** The result, in at most a few lines. */
  readonly summary: readonly LineParts[];
  /** The open ones first, except for lists of effects. */
  readonly sections: readonly Section[];
  /** Its shares are drawn. */
  readonly review?: Review;
}

export interface Pages {
  /** Sentences before all pages. */
  readonly lead?: readonly string[];
  readonly pages: readonly Page[];
  /** A sentence after all pages. */
  readonly note?: string | undefined;
}

/** `blue: `, or nothing. People see an annotation or an alert alone. */
export type NameOf = (effect: Effect, review: Review) => string;

export const noName: NameOf = () => "";

export const annotationKinds: Readonly<Record<Level, "notice" | "warning" | "error">> = {
  info: "notice",
  low: "notice",
  medium: "warning",
  high: "error",
  critical: "error",
};
