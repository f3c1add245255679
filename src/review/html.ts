/** Renders reviews as one HTML page: the verdict first, then what changes, details, and a form to try requests. */
import { createHash } from "node:crypto";
import type { Finding } from "../impact/finding";
import { contentOf, folded, list, titled } from "./html-list";
import { markup, Markup } from "./html-markup";
import { orderOf } from "./html-order";
import { script } from "./html-script";
import { style } from "./html-style";
import { evaluator, triedBy, tryForm } from "./html-try";
import { sharesOf } from "./html-shares";
import { headOf, levelOf, otherEffects, titleOfPage } from "./html-verdict";
import { placeOf } from "./places/lookup";
import { histogram } from "./replay/histogram";
import type { Review } from "./review";
import { blindSpot, oldTitle, orderTitle, proofWords, sectionsOf, shownFindings } from "./sections";
import { findingPage } from "../text/page";
import { version } from "../version";

/** `lead`: sentences before all reviews. */
export function toHtml(reviews: readonly Review[], lead: readonly string[] = []): string {
  const code = `${evaluator().replaceAll("</script", "<\\/script")}\n${script}`;
  // The page runs this script only, and loads nothing.
  const hash = createHash("sha256").update(code).digest("base64");
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
${lead.map((words) => markup`<p class="about">${words}</p>\n`)}${reviews.map(articleOf)}
${blind === undefined ? undefined : markup`<p class="note">${blind}</p>`}
</main>
<script type="application/json" id="acls">${new Markup(JSON.stringify(triedBy(reviews)).replaceAll("<", "\\u003c"))}</script>
<script>${new Markup(code)}</script>
</body>
</html>
`.text;
}

export function articleOf(review: Review, index: number): Markup {
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
${tryForm(review, index)}${orderOf(review)}${rest}
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
