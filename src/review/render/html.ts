/** Renders pages as one HTML page: the verdict first, then what changes, and details. */
import { contentOf, folded, list, documentOf, markup, titled, type Markup } from "./markup";
import { placeOf } from "../places/lookup";
import type { Review } from "../review";
import { effectCounts, oldTitle } from "../sections";
import { linkTo, type Code } from "../../codes/codes";
import { version } from "../../version";
import { countryNames } from "../../access/access";
import { clipped } from "../../impact/phrases";
import {
  affectedCountries,
  type AffectedCountries,
  type AffectedCountry,
} from "../../impact/network-acl/affected-countries";
import { apiWords, shareWords } from "../../impact/words/outcome";
import { apisOf, type Effect, type Level } from "../../impact/effect";
import type { Verdict } from "../../impact/verdict";
import { headText, lineText, type LineParts } from "../../impact/words/verdict";
import { sentence, title as titleOfEffect, type Sign } from "../../impact/words/words";
import type { Page, Pages, ShownEffect } from "./section";

export function toHtml({ lead = [], pages, note }: Pages): string {
  return documentOf(
    documentTitle(pages),
    markup`${lead.map((words) => markup`<p class="about">${words}</p>\n`)}${pages.map((page) => articleOf(page))}
${note === undefined ? undefined : markup`<p class="note">${note}</p>`}`,
  );
}

function articleOf(page: Page): Markup {
  const { effects, effectsTitle, closed, old, review } = page;
  const shown = (some: readonly ShownEffect[]) => list(some.map((one) => effectItem(one, review)));
  const [first, ...open] = page.open.map((section) => titled(section.title, contentOf(section)));
  return markup`<article>
${headOf(page)}
${first}${review && sharesOf(review)}${open}
${effects.length > 0 ? titled(effectsTitle, shown(effects)) : undefined}
${closed.map((section) => folded(section.title, contentOf(section)))}
${old.length > 0 ? folded(`${oldTitle} (${old.length})`, shown(old)) : undefined}
</article>
`;
}

function effectItem(
  { effect: { code, level, subject, ignored }, words: text }: ShownEffect,
  review: Pick<Review, "places"> = { places: new Map() },
): Markup {
  const place = placeOf(review, subject.address, subject.plan);
  const shownPlace = place && markup` <span class="note">${place.file}:${place.line}</span>`;
  const words = markup`${levelOf(level)} ${linked(code)} ${text}${shownPlace}`;
  return ignored === undefined ? words : markup`<s>${words}</s> ignored: ${ignored}`;
}

/** undefined: no share is known. */
function sharesOf({ effects, acls }: Review): Markup | undefined {
  const counted = effects.filter(({ share }) => share !== null);
  if (counted.length === 0) return undefined;
  const bases = new Set(counted.map(({ share }) => share!.basis));
  return titled(
    "How many are affected",
    markup`${bars(counted.map(barOf))}
<p class="note">Basis: ${[...bases].join("; ")}.</p>
${affectedCountries(acls).map(countriesOf)}`,
  );
}

interface Bar {
  readonly label: string;
  /** The length, from 0 to 1. */
  readonly value: number;
  readonly figure: string;
}

const mostBars = 12;

function bars(all: readonly Bar[], more = (count: number) => `and ${count} more effects`): Markup {
  const shown = all.length > mostBars + 1 ? all.slice(0, mostBars) : all;
  const rows = shown.map(
    ({ label, value, figure }) => markup`<li><span>${label}</span>
<span class="bar" aria-hidden="true"><i style="width:${(100 * value).toFixed(2)}%"></i></span><span>${figure}</span></li>\n`,
  );
  const rest = all.length - shown.length;
  return markup`<ul class="bars">${rows}</ul>${rest > 0 ? markup`<p class="note">${more(rest)}</p>` : undefined}`;
}

function barOf(one: Effect): Bar {
  const { facts, share, certainty } = one;
  const { value, of } = share!;
  const apis = apisOf(one);
  const may = certainty === "certain" ? "" : "possibly ";
  const what = facts.kind === "outcome" ? may + facts.after : titleOfEffect(one);
  const label = `${what}: ${apis.length > 1 ? apiWords(apis) : of}`;
  return { label: label[0]!.toUpperCase() + label.slice(1), value, figure: shareWords(value) };
}

const titles: Readonly<Record<AffectedCountries["outcome"], string>> = {
  blocked: "Countries with blocked requests",
  redirected: "Countries with redirected requests",
  allowed: "Countries with newly allowed requests",
};

function countriesOf({ outcome, countries, areAlike }: AffectedCountries): Markup {
  const title = markup`<h3>${titles[outcome]}</h3>\n`;
  if (areAlike) return markup`${title}<p>All countries alike: ${partOf(countries[0]!)} of their requests.</p>\n`;
  const rows = countries.map((country) => ({
    label: `${countryNames().get(country.code) ?? country.code} (${country.code})`,
    value: country.share,
    figure: figureOf(country),
  }));
  return markup`${title}${bars(rows, (count) => `and ${count} more countries`)}\n`;
}

const number = new Intl.NumberFormat("en-US", {
  notation: "compact",
  compactDisplay: "long",
  maximumSignificantDigits: 3,
});

/** Almost all requests are not all of them. */
const partOf = ({ share, isWhole }: AffectedCountry) => (share === 1 && !isWhole ? "almost all" : shareWords(share));

/** `all of 644 million Internet users` */
const figureOf = (country: AffectedCountry) =>
  `${partOf(country)} of ${country.users === 0 ? "its requests" : `${number.format(country.users)} Internet users`}`;

/** The classes of the lines. */
const kinds: Readonly<Record<Sign, string>> = { "✖": "severe", "●": "moderate", "○": "slight", "✔": "fine" };

function headOf({ title, summary, review }: Page): Markup {
  return markup`<h1>${summary.map(verdictLine)}</h1>
<p class="about">${title}. ${review && effectCounts(review)}</p>`;
}

const verdictLine = (line: LineParts) =>
  markup`<span class="line ${line.sign ? kinds[line.sign] : "slight"}">${headText(line)}${line.code && markup` ${linked(line.code)}`}</span> `;

const linked = (code: Code) => markup`<a rel="noreferrer" href="${linkTo(code, version)}"><code>${code}</code></a>`;

const levelOf = (level: Level) => markup`<span class="level ${level}">${level}</span>`;

/** The worst first. */
const ranks: readonly Verdict["level"][] = ["critical", "high", "medium", "low", "info", "none"];
const longestTitle = 120;

/** The worst of several pages names the document. The cause does not fit into a title. */
function documentTitle(pages: readonly Page[]): string {
  const rankOf = ({ review }: Page) => ranks.indexOf(review?.verdict.level ?? "none");
  const [{ review: worst, summary } = { summary: [] }] = pages.toSorted((one, other) => rankOf(one) - rankOf(other));
  const [line] = summary;
  const [first] = worst ? worst.verdict.lines : [];
  const words =
    line && lineText(first?.kind === "effect" ? { ...line, words: sentence(first.effect), code: undefined } : line);
  const title = clipped(words ?? "", longestTitle);
  return worst?.tenant?.name == null || worst.title !== undefined ? title : `${title} (${clipped(worst.tenant.words)})`;
}
