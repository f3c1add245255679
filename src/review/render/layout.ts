/** What each form for people shows of a review, and in which order. A sentence that an effect has is not said again. */
import type { Effect } from "../../impact/effect";
import type { Review } from "../review";
import { listTitle, proofWords, sectionsOf, shownEffects } from "../sections";
import type { Section } from "./section";

export interface Layout {
  /** Shown without a click, before the effects. */
  readonly open: readonly Section[];
  /** Those that the plan causes. */
  readonly effects: readonly Effect[];
  /** `More effects: 1 low.` */
  readonly effectsTitle: string;
  readonly closed: readonly Section[];
  /** Effects that were there before the plan. */
  readonly old: readonly Effect[];
  readonly proof?: string | undefined;
}

export function layoutOf(review: Review): Layout {
  const effects = shownEffects(review, "caused");
  const isSaid = (text: unknown) => typeof text === "string" && effects.some((one) => one.text.includes(text));
  const sections = sectionsOf(review)
    .map((section) => ({
      ...section,
      rows: section.rows.filter(([first, ...rest]) => rest.length > 0 || !isSaid(first)),
    }))
    .filter(({ rows }) => rows.length > 0);
  return {
    open: sections.filter(({ isOpen }) => isOpen),
    effects,
    effectsTitle: listTitle(review),
    closed: sections.filter(({ isOpen }) => !isOpen),
    old: shownEffects(review, "already"),
    proof: proofWords(review),
  };
}
