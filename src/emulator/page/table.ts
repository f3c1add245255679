/** Tables of the page. On a narrow screen every cell is a line of its own, under the name of its column. */
import { html } from "hono/html";

export type Markup = ReturnType<typeof html>;

/** The head of a column after a mark: # for numbers, ! for the name of the row, . for text that does not wrap. */
export type Column = string;

const classes: Record<string, string> = { "#": "number", "!": "name", ".": "short" };

function parse(column: Column): { head: string; kind: string } {
  const kind = classes[column[0]!];
  return kind === undefined ? { head: column, kind: "" } : { head: column.slice(1), kind };
}

export function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
  empty: string,
): Markup {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const parsed = columns.map(parse);
  const cell = (content: unknown, at: number) => {
    const { head, kind } = parsed[at]!;
    if (kind === "name") return html`<th scope="row">${content}</th>`;
    return html`<td data-head="${head}" class="${kind}"><div>${content}</div></td>`;
  };
  const heads = parsed.map(({ head, kind }) => html`<th scope="col" class="${kind}">${head}</th>`);
  const lines = rows.map(
    (row) =>
      html`<tr>
        ${row.map(cell)}
      </tr>`,
  );
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${heads}
      </tr>
    </thead>
    <tbody>
      ${lines}
    </tbody>
  </table>`;
}

export const titled = (name: string, id: string) => html`${name}<small>${id}</small>`;
