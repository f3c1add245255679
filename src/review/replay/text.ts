/** Renders a replay for the terminal. */
import { printable } from "../../text/printable";
import type { Section } from "../render/section";
import type { NamedReport } from "./report";
import { trafficSections } from "./sections";

/** `users`: the users whose requests get another outcome are named. */
export function replayText(reports: readonly NamedReport[], users = false): string {
  return reports.map((one) => textOf(one, users)).join("\n");
}

function textOf({ name, report }: NamedReport, users: boolean): string {
  const [main, ...others] = trafficSections(report);
  const head = [`Replay against ${name}`, ...main!.rows.map(([line]) => String(line))];
  const people = users ? [userLines(report)] : [];
  const paragraphs = [head, ...others.map(tableLines), ...people];
  return `${paragraphs.map((lines) => lines.map((line) => printable(line)).join("\n")).join("\n\n")}\n`;
}

/** Columns of equal width. The first is on the left, numbers are on the right. */
function tableLines({ title, columns = [], rows }: Section): string[] {
  const cells = [columns, ...rows.map((row) => row.map(String))].map((row) => row.map((cell) => printable(cell)));
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]!.length)));
  const line = (row: readonly string[]) =>
    row.map((cell, index) => (index === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[index]!))).join("  ");
  return [title, ...cells.map((row) => `  ${line(row)}`)];
}

const mostUsers = 100;

function userLines({ replayed: { tally } }: NamedReport["report"]): string[] {
  const ids = [...new Set([...tally.groups.values()].flatMap(({ users }) => users.ids))];
  const rest = ids.length - mostUsers;
  return [
    "Users whose requests get, or may get, another outcome",
    ...ids.slice(0, mostUsers).map((id) => `  ${id}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}
