/** What each form for people shows of a review or a replay, and in which order. */
import { verdictParts } from "../../judge/impact/words/verdict";
import type { Review } from "../judge/review";
import { blindSpot, listTitle, sectionsOf, shownEffects } from "./sections";
import { forTenant } from "../input/tenant-address";
import type { Page, Pages } from "./section";

export const pagesOf = (reviews: readonly Review[], lead: readonly string[] = []): Pages => ({
  lead,
  pages: reviews.map(pageOf),
  note: blindSpot(reviews),
});

function pageOf(review: Review): Page {
  const effects = shownEffects(review, "caused");
  const sections = sectionsOf(review);
  return {
    name: review.name,
    title: review.title ?? `Review of ${review.name}${forTenant(review)}`,
    summary: verdictParts(review.verdict),
    open: sections.filter(({ isOpen }) => isOpen),
    effects,
    effectsTitle: listTitle(review),
    closed: sections.filter(({ isOpen }) => !isOpen),
    old: shownEffects(review, "already"),
    review,
  };
}
