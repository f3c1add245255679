/** What each form for people shows of a review, a replay or a comparison, and in which order. */
import type { Review } from "../review";
import { blindSpot, listTitle, proofWords, sectionsOf, shownEffects } from "../sections";
import { forTenant } from "../site";
import type { Page, Pages } from "./section";

export const pagesOf = (reviews: readonly Review[], lead: readonly string[] = []): Pages => ({
  lead,
  pages: reviews.map(pageOf),
  note: blindSpot(reviews),
});

/** A sentence that an effect has is not said again. */
export function pageOf(review: Review): Page {
  const effects = shownEffects(review, "caused");
  const isSaid = (text: unknown) => typeof text === "string" && effects.some((one) => one.text.includes(text));
  const sections = sectionsOf(review)
    .map((section) => ({
      ...section,
      rows: section.rows.filter(([first, ...rest]) => rest.length > 0 || !isSaid(first)),
    }))
    .filter(({ rows }) => rows.length > 0);
  return {
    name: review.name,
    title: review.title ?? `Review of ${review.name}${forTenant(review)}`,
    summary: review.verdict.summary,
    open: sections.filter(({ isOpen }) => isOpen),
    effects,
    effectsTitle: listTitle(review),
    closed: sections.filter(({ isOpen }) => !isOpen),
    old: shownEffects(review, "already"),
    proof: proofWords(review),
    review,
  };
}
