/** What each form for people shows of a review, and in which order. A sentence that a finding has is not said again. */
import type { Finding } from "../../impact/finding";
import { effectLine } from "../../impact/verdict/verdict";
import type { Review } from "../review";
import { findingCounts, proofWords, sectionsOf, shownFindings } from "../sections";
import type { Section } from "./section";

export interface Layout {
  /** Shown without a click, before the findings. */
  readonly open: readonly Section[];
  /** Those that the plan causes. */
  readonly findings: readonly Finding[];
  readonly counts: string;
  readonly closed: readonly Section[];
  /** Findings that were there before the plan. */
  readonly old: readonly Finding[];
  readonly proof?: string | undefined;
}

export function layoutOf(review: Review): Layout {
  const findings = shownFindings(review, "caused");
  const isSaid = (text: unknown) => typeof text === "string" && findings.some((one) => one.text.includes(text));
  const sections = [moreEffects(review), ...sectionsOf(review)]
    .map((section) => ({
      ...section,
      rows: section.rows.filter(([first, ...rest]) => rest.length > 0 || !isSaid(first)),
    }))
    .filter(({ rows }) => rows.length > 0);
  return {
    open: sections.filter(({ isOpen }) => isOpen),
    findings,
    counts: findingCounts(review),
    closed: sections.filter(({ isOpen }) => !isOpen),
    old: shownFindings(review, "already"),
    proof: proofWords(review),
  };
}

const moreEffects = ({ verdict: { more } }: Review): Section => ({
  title: "More effects",
  isOpen: true,
  rows: more.map((effect) => [effect.level, effectLine(effect)]),
});
