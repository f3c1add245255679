/** Renders pages for the terminal. */
import { linkTo } from "../../codes/codes";
import { printable } from "../../text/printable";
import { version } from "../../version";
import { lineText } from "../../impact/words/verdict";
import { oldTitle } from "../sections";
import type { Cell, Section, Page, Pages, ShownEffect } from "./section";

export function toText({ lead = [], pages, note }: Pages): string {
  const first = lead.length > 0 ? [`${lead.map(printable).join("\n")}\n`] : [];
  return [...first, ...pages.map(textOf), ...(note === undefined ? [] : [`${printable(note)}\n`])].join("\n");
}

function textOf({ title, summary, open, effects, effectsTitle, closed, old, proof }: Page): string {
  const lineOf = ({ effect: { code, level, ignored }, words }: ShownEffect) =>
    `${level.padEnd(8)} ${code}  ${words}${ignored === undefined ? "" : ` (ignored: ${ignored})`} ${linkTo(code, version)}`;
  const shown = (section: Section) => [section.title, ...linesOf(section)];
  const paragraphs = [
    [title, ...summary.map(lineText)],
    ...open.map(shown),
    ...(effects.length > 0 ? [[effectsTitle, ...effects.map(lineOf)]] : []),
    ...closed.map(shown),
    ...(old.length > 0 ? [[oldTitle, ...old.map(lineOf)]] : []),
    ...(proof === undefined ? [] : [[proof]]),
  ];
  return `${paragraphs.map((lines) => lines.map((line) => printable(line)).join("\n")).join("\n\n")}\n`;
}

const wordsOf = (cell: Cell) => (typeof cell === "string" ? cell : cell.text || cell.names.join(" "));

/** `office: allowed -> blocked` for tables of words; columns of equal width for tables of numbers. */
function linesOf({ columns, areNumbers, rows }: Section): string[] {
  const words = rows.map((row) => row.map(wordsOf));
  if (columns && areNumbers) return aligned([columns, ...words]);
  return words.map(([first, ...others]) => {
    const rest = others.join(columns ? " -> " : ", ");
    return columns ? `${first}: ${rest}` : `- ${[first, ...(others.length > 0 ? [rest] : [])].join(": ")}`;
  });
}

/** The first column is on the left, and numbers are on the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => printable(cell)));
  const widths = cells[0]!.map((_, index) => Math.max(...cells.map((row) => row[index]!.length)));
  const padded = (cell: string, index: number) =>
    index === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[index]!);
  return cells.map((row) => `  ${row.map(padded).join("  ")}`);
}
