/** Renders pages as one HTML page: the verdict first, then what changes, and details. */
import { contentOf, folded, list, documentOf, markup, titled, type Markup } from "./markup";
import { placeOf } from "../places/lookup";
import type { Review } from "../review";
import { effectCounts, oldTitle, orderTitle } from "../sections";
import { linkTo, type Code } from "../../codes/codes";
import { version } from "../../version";
import { countryNames, effectOf } from "../../access/access";
import { hidden, clipped } from "../../impact/phrases";
import type { PlannedAcl } from "../../impact/network-acl/acl";
import { titleOf } from "../../impact/network-acl/words";
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
  const rest = closed.filter(({ title }) => title !== orderTitle);
  return markup`<article>
${headOf(page)}
${first}${review && sharesOf(review)}${open}
${effects.length > 0 ? titled(effectsTitle, shown(effects)) : undefined}
${review && orderOf(review)}${rest.map((section) => folded(section.title, contentOf(section)))}
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

/** The height of one ACL in pixels. The lines between the two columns end in the middle of an ACL. */
const step = 88;

/** undefined: the order does not change. */
function orderOf({ acls: { before, after, secrets }, versions }: Review): Markup | undefined {
  if (before.length === after.length && before.every(({ key }, index) => after[index]!.key === key)) return undefined;
  const height = Math.max(before.length, after.length) * step;
  const lines = before.flatMap((acl, from) => {
    const to = after.findIndex(({ key }) => key === acl.key);
    if (to < 0) return [];
    const [top, bottom] = [from, to].map((at) => at * step + step / 2) as [number, number];
    return markup`<path class="${from === to ? "same" : "moved"}" d="M0 ${top} C50 ${top} 50 ${bottom} 100 ${bottom}"/>`;
  });
  const column = (title: string, acls: readonly PlannedAcl[], noteOf: (acl: PlannedAcl) => string) =>
    markup`<div><h3>${title}</h3>${columnOf(acls, secrets, noteOf)}</div>`;
  const isIn = (acls: readonly PlannedAcl[], { key }: PlannedAcl) => acls.some((other) => other.key === key);
  const noteBefore = (acl: PlannedAcl) =>
    isIn(after, acl) ? "" : isIn(versions.after, acl) ? "switched off" : "removed";
  const noteAfter = (acl: PlannedAcl) => {
    if (!isIn(before, acl)) return isIn(versions.before, acl) ? "switched on" : "added";
    const was = before.find(({ key }) => key === acl.key)!;
    return was.priority === acl.priority || Number.isNaN(was.priority) ? "" : `was ${priorityWords(was)}`;
  };
  return folded(
    orderTitle,
    markup`<div class="columns">
${column("before", before, noteBefore)}
<svg viewBox="0 0 100 ${height}" preserveAspectRatio="none" style="height:${height}px" aria-hidden="true">${lines}</svg>
${column("after", after, noteAfter)}
</div>`,
  );
}

/** `noteOf`: what changes about the ACL, or nothing. */
const columnOf = (
  acls: readonly PlannedAcl[],
  secrets: ReadonlySet<string>,
  noteOf: (acl: PlannedAcl) => string = () => "",
) => markup`<ol class="column">${acls.map((acl) => item(acl, noteOf(acl), secrets))}</ol>`;

const priorityWords = ({ secret, priority }: PlannedAcl) =>
  secret.has("priority") ? hidden : Number.isNaN(priority) ? "?" : String(priority);

const signs = {
  allowed: "✓ allow",
  blocked: "✕ block",
  redirected: "→ redirect",
  logged: "● log",
  open: "? not known yet",
};

function item(acl: PlannedAcl, note: string, secrets: ReadonlySet<string>): Markup {
  const effect = effectOf(acl.rule.action);
  const kind = effect === undefined ? "open" : effect === "logged" ? "logged" : effect.outcome;
  const target = typeof effect === "object" && !secrets.has("redirect_uri") ? effect.redirect_uri : undefined;
  const uri = target ? ` ${target}` : "";
  const called = acl.description || acl.address || acl.id || "an ACL";
  const shownNote = note === "" ? undefined : markup` <em>${note}</em>`;
  return markup`<li class="${kind}" title="${titleOf(acl) + uri}"><b>${priorityWords(acl)} ${signs[kind]}</b>${shownNote}<span><bdi>${called}</bdi>${uri}</span></li>`;
}
