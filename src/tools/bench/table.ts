/** Tables for a terminal, with words on the left and numbers on the right. Pure. */

/** `texts` is the number of columns with words. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], texts = 1): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  const pad = (cell: string, column: number) =>
    column < texts ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  const rule = widths.map((width) => "-".repeat(width));
  return [head, rule, ...rows].map((line) => `${line.map(pad).join("  ").trimEnd()}\n`).join("");
}

/** Three significant digits. */
export function figure(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

/** Returns undefined if there are no values. */
export const median = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
