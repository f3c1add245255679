/** A table for a terminal: the first columns to the left, numbers to the right. Pure. */

/** `texts`: how many columns from the left hold words. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], texts = 1): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  const pad = (cell: string, column: number) =>
    column < texts ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  const rule = widths.map((width) => "-".repeat(width));
  return [head, rule, ...rows].map((line) => `${line.map(pad).join("  ").trimEnd()}\n`).join("");
}

/** So many digits that three of them count, and no more than needed. */
export function figure(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
