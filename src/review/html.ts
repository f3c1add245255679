/** Renders reviews as one HTML page: the verdict first, then what changes, and details. */
import { createHash } from "node:crypto";
import type { Finding } from "../impact/finding";
import { contentOf, folded, list, titled } from "./html-list";
import { markup, Markup } from "./html-markup";
import { orderOf } from "./html-order";
import { style } from "./html-style";
import { sharesOf } from "./html-shares";
import { headOf, levelOf, otherEffects, titleOfPage } from "./html-verdict";
import { placeOf } from "./places/lookup";
import { histogram } from "./replay/histogram";
import type { Review } from "./review";
import { blindSpot, oldTitle, orderTitle, proofWords, sectionsOf, shownFindings } from "./sections";
import { findingPage } from "../text/page";
import { version } from "../version";

/** Folded parts are printed too. */
const script = `addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));`;

/** `lead`: sentences before all reviews. */
export function toHtml(reviews: readonly Review[], lead: readonly string[] = []): string {
  // The page runs this script only, and loads nothing.
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const blind = blindSpot(reviews);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<title>${titleOfPage(reviews)}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${lead.map((words) => markup`<p class="about">${words}</p>\n`)}${reviews.map((review) => articleOf(review))}
${blind === undefined ? undefined : markup`<p class="note">${blind}</p>`}
</main>
<script>${new Markup(script)}</script>
</body>
</html>
`.text;
}

/** `form`: a part that the page adds. */
export function articleOf(review: Review, form?: Markup): Markup {
  const sections = sectionsOf(review).filter(({ title }) => title !== orderTitle);
  const shown = (some: readonly Finding[]) => some.map((one) => findingOf(one, review));
  const findings = shown(shownFindings(review, "caused"));
  const old = shown(shownFindings(review, "already"));
  const [first, ...open] = sections
    .filter(({ isOpen }) => isOpen)
    .map((section) => titled(section.title, contentOf(section)));
  const rest = sections.filter(({ isOpen }) => !isOpen).map((section) => folded(section.title, contentOf(section)));
  const proof = proofWords(review);
  return markup`<article>
${headOf(review)}
${otherEffects(review)}${first}${review.traffic && histogram(review.traffic)}${sharesOf(review)}${open}
${findings.length > 0 ? titled("Findings", list(findings)) : undefined}
${form}${orderOf(review)}${rest}
${old.length > 0 ? folded(`${oldTitle} (${old.length})`, list(old)) : undefined}
${proof === undefined ? undefined : markup`<p class="note">${proof}</p>`}
</article>
`;
}

export function findingOf({ code, level, text, address, plan, ignored }: Finding, review: Review): Markup {
  const place = placeOf(review, address, plan);
  const shownPlace = place && markup` <span class="note">${place.file}:${place.line}</span>`;
  const words = markup`${levelOf(level)} <a rel="noreferrer" href="${findingPage(version, code)}"><code>${code}</code></a> ${text}${shownPlace}`;
  return ignored === undefined ? words : markup`<s>${words}</s> ignored: ${ignored}`;
}
