/** Lays out a replay as text, Markdown and an HTML page with a histogram by hour, with the sections that a review shows too. */
import { printable } from "../../text/printable";
import { foldedSection, inert } from "../render/markdown";
import { contentOf, list, markup, documentOf, titled, type Markup } from "../render/markup";
import { linesOf } from "../render/text";
import type { NamedReport, TrafficReport } from "./report";
import { timeWords, trafficSections } from "./sections";

/** `users`: the users whose requests get another outcome are named. */
export function replayText(reports: readonly NamedReport[], users = false): string {
  const paragraphs = ({ name, report }: NamedReport) => {
    const { lines, others } = partsOf(report);
    const tables = others.map((section) => [section.title, ...linesOf(section)]);
    return [[`Replay against ${name}`, ...lines], ...tables, ...(users ? [userLines(report)] : [])];
  };
  const written = (lines: readonly string[]) => lines.map((line) => printable(line)).join("\n");
  return reports.map((one) => `${paragraphs(one).map(written).join("\n\n")}\n`).join("\n");
}

export function replayMarkdown(reports: readonly NamedReport[]): string {
  const parts = ({ name, report }: NamedReport) => {
    const { lines, others } = partsOf(report);
    const [headline, ...rest] = lines.map(inert);
    return [
      `### Replay of logged requests against ${inert(name)}`,
      `**${headline}**`,
      ...(rest.length > 0 ? [rest.map((line) => `- ${line}`).join("\n")] : []),
      ...others.map(foldedSection),
    ];
  };
  return `${reports.flatMap(parts).join("\n\n")}\n`;
}

export function replayHtml(reports: readonly NamedReport[]): string {
  const articleOf = ({ name, report }: NamedReport) => {
    const { lines, others } = partsOf(report);
    const [headline, ...rest] = lines;
    return markup`<article>
<h1><span class="line ${report.replayed.tally.groups.size > 0 ? "moderate" : "fine"}">${headline}</span></h1>
<p class="about">Replay of logged requests against ${name}.</p>
${list(rest.map((line) => markup`${line}`))}
${histogram(report)}${others.map((section) => titled(section.title, contentOf(section)))}
</article>
`;
  };
  return documentOf("Replay of logged requests", markup`${reports.map(articleOf)}`);
}

/** The headline and the sentences below it, and the tables. */
function partsOf(report: TrafficReport) {
  const [main, ...others] = trafficSections(report);
  return { lines: main!.rows.map(([line]) => String(line)), others };
}

const mostUsers = 100;

function userLines({ replayed: { tally } }: TrafficReport): string[] {
  const ids = [...new Set([...tally.groups.values()].flatMap(({ users }) => users.ids))];
  const rest = ids.length - mostUsers;
  return [
    "Users whose requests get, or may get, another outcome",
    ...ids.slice(0, mostUsers).map((id) => `  ${id}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

const width = 960;
const height = 120;
/** More hours share a bar. */
const mostBars = 240;

interface Bar {
  start: number;
  all: number;
  changed: number;
  possible: number;
}

/** undefined: fewer than two hours have requests. */
export function histogram({ replayed: { tally } }: TrafficReport): Markup | undefined {
  const numbers = [...tally.hours.keys()];
  if (numbers.length < 2) return undefined;
  const first = numbers.reduce((least, hour) => Math.min(least, hour));
  const last = numbers.reduce((most, hour) => Math.max(most, hour));
  const size = Math.ceil((last - first + 1) / mostBars);
  const bars = Array.from({ length: Math.ceil((last - first + 1) / size) }, (_, index): Bar => ({
    start: first + index * size,
    all: 0,
    changed: 0,
    possible: 0,
  }));
  for (const [hour, { all, changed, possible }] of tally.hours) {
    const bar = bars[Math.floor((hour - first) / size)]!;
    bar.all += all;
    bar.changed += changed;
    bar.possible += possible;
  }
  const most = Math.max(...bars.map(({ all }) => all));
  const step = width / bars.length;
  const each = size === 1 ? "hour" : `${size} hours`;
  const label = `Requests by ${each}, at most ${most}. Dark: another outcome.`;
  return titled(
    `Logged requests by ${each}`,
    markup`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}" width="100%">
${bars.map((bar, index) => barOf(bar, index * step, step, most))}</svg>
<p class="note">From ${timeWords(first * 3_600_000)} to ${timeWords((last + 1) * 3_600_000)}. The highest bar has ${most.toLocaleString("en-US")} requests. Red bars show requests that get another outcome, orange bars those that may. Small counts are drawn at least one pixel high.</p>`,
  );
}

function barOf({ start, all, changed, possible }: Bar, left: number, step: number, most: number): Markup {
  const high = (count: number) => (count === 0 ? 0 : Math.max(1, (count * height) / most));
  const rect = (count: number, bottom: number, color: string) =>
    count === 0
      ? undefined
      : markup`<rect x="${left.toFixed(2)}" y="${(height - bottom - high(count)).toFixed(2)}" width="${Math.max(0.5, step - 0.5).toFixed(2)}" height="${high(count).toFixed(2)}" fill="var(${color})"/>`;
  const title = `${timeWords(start * 3_600_000)}: ${all} requests, ${changed} with another outcome, ${possible} possible`;
  return markup`<g><title>${title}</title>${rect(all, 0, "--line")}${rect(changed, 0, "--severe")}${rect(possible, high(changed), "--moderate")}</g>\n`;
}
