/** Renders pages as one HTML page: the verdict first, then what changes, and details. */
import type { Review } from "../judge/review";
import { effectCounts } from "./sections";
import { linkTo, type Code } from "../../judge/codes/codes";
import { version } from "../../version";
import { countryNames } from "../../judge/access/access";
import { clipped } from "../../formats/text/lists";
import {
  affectedCountries,
  type AffectedCountries,
  type AffectedCountry,
} from "../../judge/impact/network-acl/affected-countries";
import { apiWords, shareWords } from "../../judge/impact/words/outcome";
import { apisOf, type Effect, type Level } from "../../judge/impact/effect";
import type { Verdict } from "../../judge/impact/verdict";
import { headText, lineText, type LineParts } from "../../judge/impact/words/verdict";
import { sentence, title as titleOfEffect, type Sign } from "../../judge/impact/words/words";
import type { Cell, Item, Page, Pages, Section } from "./document";
import { createHash } from "node:crypto";
import { blanked } from "../../formats/text/printable";

export function toHtml({ lead = [], pages, note }: Pages): string {
  return documentOf(
    documentTitle(pages),
    markup`${lead.map((words) => markup`<p class="about">${words}</p>\n`)}${pages.map((page) => articleOf(page))}
${note === undefined ? undefined : markup`<p class="note">${note}</p>`}`,
  );
}

function articleOf(page: Page): Markup {
  const { sections, review } = page;
  // The shares stand behind the first section that is open, before the effects.
  const [first] = sections.map(({ isOpen, items }) => (isOpen && !items ? 1 : 0));
  return markup`<article>
${headOf(page)}
${sections.slice(0, first).map(sectionOf)}${review && sharesOf(review)}${sections.slice(first ?? 0).map(sectionOf)}
</article>
`;
}

function sectionOf(section: Section): Markup {
  const { title, isOpen, items } = section;
  const content = items ? list(items.map(itemOf)) : contentOf(section);
  return isOpen ? titled(title, content) : folded(items ? `${title} (${items.length})` : title, content);
}

function itemOf({ code, level, words, ignored, place }: Item): Markup {
  const shownPlace = place && markup` <span class="note">${place.file}:${place.line}</span>`;
  const shown = markup`${levelOf(level)} ${linked(code)} ${words}${shownPlace}`;
  return ignored === undefined ? shown : markup`<s>${shown}</s> ignored: ${ignored}`;
}

/** undefined: no share is known. */
function sharesOf({ effects, acls }: Review): Markup | undefined {
  const counted = effects.filter(({ share }) => share !== null);
  if (counted.length === 0) return undefined;
  const bases = new Set(counted.map(({ share }) => share!.basis));
  return titled(
    "How many are affected",
    markup`${bars(counted.map(barOf))}
<p class="note">A full bar is 100 %. Basis: ${[...bases].join("; ")}.</p>
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

// Writes HTML in which every text is escaped: a page, and its lists, tables and folds.

/** HTML that is complete and safe. */
class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | undefined | readonly Part[];

/** Escapes every part that is not markup. A missing part leaves no trace. */
function markup(texts: readonly string[], ...parts: readonly Part[]): Markup {
  return new Markup(texts.map((text, index) => text + htmlOf(parts[index])).join(""));
}

function htmlOf(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return part.map(htmlOf).join("");
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return blanked(text).replace(/[&<>"']/g, (char) => entities[char]!);
}

/** Folded parts are printed too. */
const script = `addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));`;

function documentOf(title: string, content: Markup): string {
  // The page runs this script only, and loads nothing.
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${content}
</main>
<script>${new Markup(script)}</script>
</body>
</html>
`.text;
}

/** The items of a list, or the names of a cell, that are not folded. */
const mostShown = 15;

function list(items: readonly Markup[]): Markup {
  const itemsOf = (some: readonly Markup[]) => markup`<ul>${some.map((one) => markup`<li>${one}</li>\n`)}</ul>`;
  // A fold of one item would not save space.
  const shown = items.length > mostShown + 1 ? items.slice(0, mostShown) : items;
  const rest = items.slice(shown.length);
  if (rest.length === 0) return itemsOf(shown);
  return markup`${itemsOf(shown)}<details><summary>and ${rest.length} more</summary>${itemsOf(rest)}</details>`;
}

const titled = (title: string, content: Markup) => markup`<section><h2>${title}</h2>\n${content}</section>\n`;

const folded = (title: string, content: Markup) =>
  markup`<details class="part"><summary><h2>${title}</h2></summary>\n${content}</details>\n`;

function contentOf({ columns, rows }: Section): Markup {
  const cells = rows.map((row) => row.map(cellOf));
  if (columns) return table(columns, cells);
  return list(
    cells.map(([first, ...rest]) => {
      const shown = rest.filter(({ text }) => text !== "");
      const others = shown.map((cell, index) => (index === 0 ? cell : markup`, ${cell}`));
      if (first === undefined || first.text === "") return markup`${others}`;
      return shown.length === 0 ? first : markup`${first}: ${others}`;
    }),
  );
}

function cellOf(cell: Cell): Markup {
  if (typeof cell === "string") return markup`${cell}`;
  const codes = cell.names.map((name, index) => markup`${index > 0 ? ", " : ""}<code>${name}</code>`);
  const shown = codes.length > mostShown + 1 ? codes.slice(0, mostShown) : codes;
  const names = cell.text === "" || codes.length === 0 ? shown : markup` (${shown})`;
  const rest = codes.slice(shown.length);
  const fold = markup`<details><summary>and ${rest.length} more</summary>${rest}</details>`;
  return markup`${cell.text}${names}${rest.length > 0 ? fold : undefined}`;
}

function table(head: readonly string[], rows: readonly (readonly Markup[])[]): Markup {
  const row = ([first, ...rest]: readonly Markup[]) =>
    markup`<tr><th scope="row">${first}</th>${rest.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`;
  return markup`<table><thead><tr>${head.map((cell) => markup`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(row)}</tbody></table>`;
}

/** The style of the review page, for wide and narrow, light and dark screens, and for paper. */
const style = `
:root { color-scheme: light dark; --page: #fff; --text: #1f2328; --muted: #4a525b; --line: #8c959f; --panel: #f6f8fa; --link: #0a4db3;
  --severe: #9a0b22; --moderate: #7a3e00; --slight: #3f4852; --fine: #0b5725;
  --severe-page: #fff1f0; --moderate-page: #fff6e5; --fine-page: #eefbf1; }
@media screen and (prefers-color-scheme: dark) {
  :root { --page: #0d1117; --text: #f0f6fc; --muted: #b7c0ca; --line: #6e7681; --panel: #161b22; --link: #8cc2ff;
    --severe: #ffb3ab; --moderate: #f5c06b; --slight: #c3ccd6; --fine: #86eba0;
    --severe-page: #2b1113; --moderate-page: #271d0c; --fine-page: #0f2416; }
}
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1rem; background: var(--page); color: var(--text); overflow-wrap: anywhere; }
article + article { border-top: 2px solid var(--line); margin-top: 3rem; padding-top: 1rem; }
h1 { font-size: 1.3rem; line-height: 1.35; margin: 0; }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; } h3 { font-size: 1rem; margin: 0 0 .3rem; }
.line { display: block; padding: .5rem .75rem; margin-bottom: .4rem; border-left: .4rem solid; border-radius: .25rem; background: var(--panel); color: var(--slight); }
.line.severe { color: var(--severe); background: var(--severe-page); } .line.moderate { color: var(--moderate); background: var(--moderate-page); }
.line.fine { color: var(--fine); background: var(--fine-page); }
.about, .note { color: var(--muted); margin: .75rem 0; }
ul, ol { padding-left: 1.25rem; margin: .5rem 0; } li { margin-bottom: .3rem; }
code { font: .9em ui-monospace, monospace; background: var(--panel); border-radius: .2rem; padding: 0 .2rem; }
.level { border: 1px solid; border-radius: .3rem; padding: 0 .35rem; font-size: .85em; color: var(--slight); white-space: nowrap; }
.level.high, .level.critical { font-weight: 700; color: var(--severe); } .level.medium, .level.low { color: var(--moderate); }
.bars { list-style: none; padding: 0; } .bars li { display: grid; grid-template-columns: minmax(0, 16rem) minmax(3rem, 1fr) minmax(0, 16rem); gap: 0 .75rem; align-items: center; }
.bar { height: .8rem; border: 1px solid var(--line); border-radius: .2rem; overflow: hidden; } .bar i { display: block; height: 100%; min-width: 1px; background: var(--link); print-color-adjust: exact; }
summary { cursor: pointer; padding: .25rem 0; } summary h2 { display: inline; margin: 0; } .part { margin-top: 1rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; font-size: .95rem; } td, th { border: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; } tbody th { font-weight: 400; }
@media (max-width: 32rem) { body { padding: .75rem; } h1 { font-size: 1.1rem; } .bars li { grid-template-columns: minmax(0, 1fr) auto; margin-bottom: .6rem; } .bars .bar { grid-row: 2; grid-column: 1 / -1; } td, th { padding: .25rem .3rem; font-size: .85rem; } }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; } li, tr, .line { break-inside: avoid; } }
`;
