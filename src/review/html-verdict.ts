/** The head of the review page: the verdict, and the effects that have no line in it. */
import { clipped } from "../impact/clipped";
import type { Effect } from "../impact/verdict/effect";
import { oneLine } from "../text/printable";
import { effectLine, type Verdict } from "../impact/verdict/verdict";
import { list, titled } from "./html-list";
import { markup, type Markup } from "./html-markup";
import type { Review } from "./review";
import { findingCounts } from "./sections";
import { forTenant } from "./tenant-name";

/** The classes of the lines. */
const kinds: Readonly<Record<string, string>> = { "✖": "severe", "●": "moderate", "○": "slight" };
const kindOf = (line: string) => kinds[line[0] ?? ""] ?? "fine";

export function headOf(review: Review): Markup {
  const { level, summary } = review.verdict;
  return markup`<h1>${summary.map((line) => markup`<span class="line ${kindOf(line)}">${line}</span> `)}</h1>
<p class="about">${levelOf(level, `Level: ${level}`)} ${review.title ?? `Review of ${review.name}${forTenant(review)}`}. ${findingCounts(review)}</p>`;
}

export const levelOf = (level: Verdict["level"], words: string = level) =>
  markup`<span class="level ${level}">${words}</span>`;

/** A long line ends with an ellipsis. */
const isLineOf = (line: string, effect: Effect) =>
  oneLine(effectLine(effect)).startsWith(line.slice(2).replace(/…$/, ""));

export function otherEffects({ verdict: { summary, effects } }: Review): Markup | undefined {
  const others = effects.filter((effect) => !summary.some((line) => isLineOf(line, effect)));
  if (others.length === 0) return undefined;
  return titled("More effects", list(others.map((effect) => markup`${levelOf(effect.level)} ${effectLine(effect)}`)));
}

/** The worst first. */
const ranks: readonly Verdict["level"][] = ["critical", "high", "medium", "low", "info", "none"];
const longestTitle = 120;

/** The worst of several reviews names the page. The cause does not fit into a title. */
export function titleOfPage(reviews: readonly Review[]): string {
  const rankOf = ({ verdict: { level } }: Review) => ranks.indexOf(level);
  const [worst] = reviews.toSorted((one, other) => rankOf(one) - rankOf(other));
  const line = worst?.verdict.summary[0] ?? "";
  const effect = worst?.verdict.effects.find((one) => isLineOf(line, one));
  const title = clipped(effect ? `${line[0]} ${effect.text}` : line, longestTitle);
  return worst?.tenant?.name == null || worst.title !== undefined ? title : `${title} (${clipped(worst.tenant.words)})`;
}
