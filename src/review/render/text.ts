/** Renders a review for the terminal. */
import { linkTo } from "../../codes/codes";
import { printable } from "../../text/printable";
import { version } from "../../version";
import type { Effect } from "../../impact/effect";
import type { Review } from "../review";
import type { Cell, Section } from "./section";
import { blindSpot, oldTitle } from "../sections";
import { layoutOf } from "./layout";
import { forTenant } from "../site";

/** `lead`: sentences before all reviews. */
export function toText(reviews: readonly Review[], lead: readonly string[] = []): string {
  const blind = blindSpot(reviews);
  const first = lead.length > 0 ? [`${lead.map(printable).join("\n")}\n`] : [];
  return [...first, ...reviews.map(textOf), ...(blind ? [`${printable(blind)}\n`] : [])].join("\n");
}

function textOf(review: Review): string {
  const lineOf = ({ code, level, text, ignored }: Effect) =>
    `${level.padEnd(8)} ${code}  ${text}${ignored === undefined ? "" : ` (ignored: ${ignored})`} ${linkTo(code, version)}`;
  const shown = (section: Section) => [section.title, ...linesOf(section)];
  const { open, effects, effectsTitle, closed, old, proof } = layoutOf(review);
  const paragraphs = [
    [review.title ?? `Review of ${review.name}${forTenant(review)}`, ...review.verdict.summary],
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
export function linesOf({ columns, areNumbers, rows }: Section): string[] {
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
