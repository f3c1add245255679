/** Renders pages for the terminal. */
import { linkTo } from "../../judge/codes/codes";
import { printable } from "../../formats/text/printable";
import { listed } from "../../formats/text/lists";
import { lineText } from "../../judge/impact/words/verdict";
import { version } from "../../version";
import type { Cell, Item, Page, Pages, Section } from "./document";

export function toText({ lead = [], pages, note }: Pages): string {
  const paragraphs = [lead, ...pages.flatMap(paragraphsOf), note === undefined ? [] : [note], linksOf(pages)];
  const shown = paragraphs.filter(({ length }) => length > 0).map((lines) => lines.map(printable).join("\n"));
  return `${shown.join("\n\n")}\n`;
}

const paragraphsOf = ({ title, summary, sections }: Page): string[][] => [
  [title, ...summary.map(lineText)],
  ...sections.map((section) => [headOf(section), ...(section.items?.map(itemText) ?? linesOf(section))]),
];

const headOf = ({ title, columns }: Section) => title + (columns?.includes("before") ? " (before -> after)" : "");

const itemText = ({ code, level, words, ignored }: Item) =>
  `${level.padEnd(8)} ${code}  ${words}${ignored === undefined ? "" : ` (ignored: ${ignored})`}`;

/** The page of each code, once. */
function linksOf(pages: readonly Page[]): string[] {
  const listedIn = ({ sections }: Page) => sections.flatMap(({ items = [] }) => items.map(({ code }) => code));
  const codes = pages.flatMap((page) => [...page.summary.flatMap(({ code }) => code ?? []), ...listedIn(page)]);
  return [...new Set(codes)].map((code) => linkTo(code, version));
}

/** The most names in one cell. */
const mostNames = 100;

function wordsOf(cell: Cell): string {
  if (typeof cell === "string") return cell;
  const all = listed(cell.names, mostNames).join(", ");
  return cell.text === "" || all === "" ? cell.text + all : `${cell.text} (${all})`;
}

/** `office: allowed -> blocked` for tables. */
function linesOf({ columns, rows }: Section): string[] {
  return rows.map((row) => {
    const [first, ...others] = row.map(wordsOf);
    // A name must not look like a line of the verdict.
    const name = /^[\s\u200c\u200d]*\p{S}/u.test(first!) ? `"${first}"` : first;
    if (columns) return `${name}: ${others.join(" -> ")}`;
    return `- ${[first, ...(others.length > 0 ? [others.join(", ")] : [])].join(": ")}`;
  });
}
