/** Renders a replay as markdown. */
import { inert } from "../render/markdown";
import type { Section } from "../render/section";
import type { NamedReport } from "./report";
import { trafficSections } from "./sections";

export function replayMarkdown(reports: readonly NamedReport[]): string {
  return `${reports.map(markdownOf).join("\n\n")}\n`;
}

function markdownOf({ name, report }: NamedReport): string {
  const [main, ...others] = trafficSections(report);
  const [headline, ...rest] = main!.rows.map(([line]) => inert(String(line)));
  return [
    `### Replay of logged requests against ${inert(name)}`,
    `**${headline}**`,
    ...(rest.length > 0 ? [rest.map((line) => `- ${line}`).join("\n")] : []),
    ...others.map(foldOf),
  ].join("\n\n");
}

function foldOf({ title, columns = [], rows }: Section): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const table = [
    line(columns),
    line(columns.map((_, index) => (index === 0 ? "---" : "---:"))),
    ...rows.map((row) => line(row.map((cell) => inert(String(cell))))),
  ];
  return `<details><summary>${title}</summary>\n\n${table.join("\n")}\n\n</details>`;
}
