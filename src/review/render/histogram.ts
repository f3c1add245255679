/** Draws the requests of a replay by hour. */
import type { TrafficReport } from "../replay/report";
import { timeWords } from "../replay/sections";
import { markup, titled, type Markup } from "./markup";

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
