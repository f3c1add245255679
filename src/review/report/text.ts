/** Renders pages for the terminal. */
import { linkTo } from "../../judge/codes/codes";
import { printable } from "../../formats/text/printable";
import { version } from "../../version";
import { lineText } from "../../judge/impact/words/verdict";
import { oldTitle } from "./sections";
import type { Cell, Section, Page, Pages, ShownEffect } from "./section";

export function toText({ lead = [], pages, note }: Pages): string {
  const paragraphs = [lead, ...pages.flatMap(paragraphsOf), note === undefined ? [] : [note], linksOf(pages)];
  const shown = paragraphs.filter(({ length }) => length > 0).map((lines) => lines.map(printable).join("\n"));
  return `${shown.join("\n\n")}\n`;
}

function paragraphsOf({ title, summary, open, effects, effectsTitle, closed, old }: Page): string[][] {
  const lineOf = ({ effect: { code, level, ignored }, words }: ShownEffect) =>
    `${level.padEnd(8)} ${code}  ${words}${ignored === undefined ? "" : ` (ignored: ${ignored})`}`;
  const headOf = (section: Section) =>
    section.title + (section.columns?.includes("before") ? " (before -> after)" : "");
  const shown = (section: Section) => [headOf(section), ...linesOf(section)];
  return [
    [title, ...summary.map(lineText)],
    ...open.map(shown),
    ...(effects.length > 0 ? [[effectsTitle, ...effects.map(lineOf)]] : []),
    ...closed.map(shown),
    ...(old.length > 0 ? [[oldTitle, ...old.map(lineOf)]] : []),
  ];
}

/** The page of each code, once. */
function linksOf(pages: readonly Page[]): string[] {
  const listed = ({ effects, old }: Page) => [...effects, ...old].map(({ effect: { code } }) => code);
  const codes = pages.flatMap((page) => [...page.summary.flatMap(({ code }) => code ?? []), ...listed(page)]);
  return [...new Set(codes)].map((code) => linkTo(code, version));
}

/** The most names in one cell. */
const mostNames = 100;

function wordsOf(cell: Cell): string {
  if (typeof cell === "string") return cell;
  const { text, names } = cell;
  const rest = names.length - mostNames;
  const all = [...names.slice(0, mostNames), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
  return text === "" || all === "" ? text + all : `${text} (${all})`;
}

/** `office: allowed -> blocked` for tables. */
function linesOf({ columns, rows }: Section): string[] {
  return rows.map((row) => {
    const [first, ...others] = row.map(wordsOf);
    const rest = others.join(columns ? " -> " : ", ");
    return columns ? `${first}: ${rest}` : `- ${[first, ...(others.length > 0 ? [rest] : [])].join(": ")}`;
  });
}
