/** Writes HTML in which every text is escaped: a page, and its lists, tables and folds. */
import { createHash } from "node:crypto";
import { blanked } from "../../text/printable";
import type { Cell, Section } from "./section";
import { style } from "./style";

/** HTML that is complete and safe. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | undefined | readonly Part[];

/** Escapes every part that is not markup. A missing part leaves no trace. */
export function markup(texts: readonly string[], ...parts: readonly Part[]): Markup {
  return new Markup(texts.map((text, index) => text + written(parts[index])).join(""));
}

function written(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return part.map(written).join("");
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return blanked(text).replace(/[&<>"']/g, (char) => entities[char]!);
}

/** Folded parts are printed too. */
const script = `addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));`;

export function documentOf(title: string, content: Markup): string {
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

export function list(items: readonly Markup[]): Markup {
  const itemsOf = (some: readonly Markup[]) => markup`<ul>${some.map((one) => markup`<li>${one}</li>\n`)}</ul>`;
  // A fold of one item would not save space.
  const shown = items.length > mostShown + 1 ? items.slice(0, mostShown) : items;
  const rest = items.slice(shown.length);
  if (rest.length === 0) return itemsOf(shown);
  return markup`${itemsOf(shown)}<details><summary>and ${rest.length} more</summary>${itemsOf(rest)}</details>`;
}

export const titled = (title: string, content: Markup) => markup`<section><h2>${title}</h2>\n${content}</section>\n`;

export const folded = (title: string, content: Markup) =>
  markup`<details class="part"><summary><h2>${title}</h2></summary>\n${content}</details>\n`;

export function contentOf({ columns, rows }: Section): Markup {
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
