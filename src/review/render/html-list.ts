/** Lists, tables and folds of the review page. */
import { markup, type Markup } from "./html-markup";
import type { Cell, Section } from "./section";

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
      const written = rest.filter(({ text }) => text !== "");
      const others = written.map((cell, index) => (index === 0 ? cell : markup`, ${cell}`));
      if (first === undefined || first.text === "") return markup`${others}`;
      return written.length === 0 ? first : markup`${first}: ${others}`;
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
