/** Renders a review for the terminal. */
import { printable } from "../text/printable";
import type { Review } from "./review";
import { blindSpot, findingCounts, sectionsOf, verdictWords, type Cell, type Section } from "./sections";

export function toText(reviews: readonly Review[]): string {
  const blind = blindSpot(reviews);
  return [...reviews.map(textOf), ...(blind ? [`${printable(blind)}\n`] : [])].join("\n");
}

function textOf(review: Review): string {
  const findings = review.findings.map(({ code, level, text, ignored }) => {
    return `${level.padEnd(8)} ${code}  ${text}${ignored === undefined ? "" : ` (ignored: ${ignored})`}`;
  });
  const paragraphs = [
    [`Review of ${review.name}`, verdictWords(review), findingCounts(review)],
    ...(findings.length > 0 ? [["Findings", ...findings]] : []),
    ...sectionsOf(review).map((section) => [section.title, ...linesOf(section)]),
  ];
  return `${paragraphs.map((lines) => lines.map((line) => printable(line)).join("\n")).join("\n\n")}\n`;
}

const wordsOf = (cell: Cell) => (typeof cell === "string" ? cell : cell.text || cell.names.join(" "));

/** `office: allowed -> blocked` for tables. */
function linesOf({ columns, rows }: Section): string[] {
  return rows.map((row) => {
    const [first, ...others] = row.map(wordsOf);
    const rest = others.join(columns ? " -> " : ", ");
    return columns ? `${first}: ${rest}` : `- ${[first, ...(others.length > 0 ? [rest] : [])].join(": ")}`;
  });
}
