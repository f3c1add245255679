/** Sums up what a plan does to people, in at most three lines with the worst first. */
import {
  counts,
  type Effect,
  isAboutReview,
  isDrift,
  isFailure,
  isGap,
  isOnPeople,
  isUnreviewed,
  type Level,
  levels,
  worstFirst,
} from "./effect";
import type { Touched } from "./objects/facts";
import { isWhole } from "./words/words";

/** One line of the verdict. `words/verdict` words it. */
export type VerdictLine =
  | { readonly kind: "effect"; readonly effect: Effect }
  /** `isAlone`: nothing else was found. */
  | { readonly kind: "gap"; readonly gap: Gap; readonly isAlone?: true }
  /** Changes that nobody judges, the worst first. */
  | { readonly kind: "unjudged"; readonly effects: readonly Effect[]; readonly isAlone?: true }
  /** Nothing changes for people: each of these changes was judged. */
  | { readonly kind: "nothing"; readonly touched: readonly Touched[] };

/** Something that the review does not know: an effect, or objects in a sentence. */
export type Gap = Effect | { readonly text: string };

export interface Verdict {
  readonly level: Level | "none";
  /** At most three. */
  readonly lines: readonly VerdictLine[];
}

export interface Read {
  /** What "nothing changes for people" stands on. */
  readonly touched?: (() => readonly Touched[]) | undefined;
  /** Unmanaged objects that the review did not read although they matter, in a sentence. */
  readonly unseen?: string | undefined;
}

const mostLines = 3;

export function verdictOf(effects: readonly Effect[], { unseen, touched = () => [] }: Read = {}): Verdict {
  const gaps = effects.filter((one) => isGap(one) && counts(one));
  // A person who ignores an effect on people accepts it, and it happens nevertheless.
  const people = effects.filter(isOnPeople).toSorted(worstFirst);
  // Nobody knows more about a change because a person ignores it.
  const unjudged = effects.filter((one) => isUnreviewed(one) && !one.already).toSorted(worstFirst);
  const unreviewed = unjudged.filter(counts);
  const lowering = effects.filter((one) => isAboutReview(one) && counts(one));
  const others = effects.filter(
    (one) => !isOnPeople(one) && counts(one) && !isGap(one) && !isUnreviewed(one) && !isAboutReview(one),
  );
  const drifted = others.filter(isDrift);
  const worse = worseThan(
    others.filter((one) => !isDrift(one)),
    people[0]?.level ?? "info",
  );
  // Any number of them must not push the worst effect out of the lines.
  const heads = [...lowering.slice(0, 1), ...[...people, ...worse, ...drifted].toSorted(byLevel), ...lowering.slice(1)];
  const open = [
    ...gaps.map(gapLine),
    ...(unjudged.length > 0 ? [{ kind: "unjudged" as const, effects: unjudged }] : []),
  ];
  if (heads.length === 0) {
    const gap = [...open, ...(unseen === undefined ? [] : [gapLine({ text: unseen })])];
    return quiet(gap, [...gaps, ...unreviewed, ...others], touched);
  }
  const level = [...heads, ...gaps, ...unreviewed].toSorted(byLevel)[0]!.level;
  const [failure] = gaps.filter(isFailure);
  if (failure) {
    // Whoever reads one line must know that nothing can be applied.
    const lines = linesOf(heads, [gapLine(failure)]);
    return { level, lines: [lines.at(-1)!, ...lines.slice(0, -1)] };
  }
  return { level, lines: linesOf(heads, open) };
}

const byLevel = (one: Effect, other: Effect) => levels.indexOf(other.level) - levels.indexOf(one.level);

/** Some effects are not on people, such as an apply that fails. The worst counts if it is worse than every effect on people. */
function worseThan(effects: readonly Effect[], level: Level): Effect[] {
  const [worst] = effects.toSorted(byLevel);
  return worst && levels.indexOf(worst.level) > levels.indexOf(level) ? [worst] : [];
}

/** A line for what the review does not know. */
type OpenLine = Extract<VerdictLine, { readonly kind: "gap" | "unjudged" }>;

const gapLine = (gap: Gap): OpenLine => ({ kind: "gap", gap });

function linesOf(heads: readonly Effect[], gaps: readonly OpenLine[]): VerdictLine[] {
  const room = gaps.length > 0 ? mostLines - 1 : mostLines;
  const worst = heads.slice(0, room);
  // News that nobody planned has a line, beside any number of worse effects.
  const news = worst.some(isDrift) ? undefined : heads.find(isDrift);
  const shown = news ? worst.with(room - 1, news) : worst;
  return [...shown.map((effect) => ({ kind: "effect" as const, effect })), ...gaps.slice(0, 1)];
}

/** "Nothing changes" only if everything was looked at. `others`: the effects that count and have no line. */
function quiet(open: readonly OpenLine[], others: readonly Effect[], touched: () => readonly Touched[]): Verdict {
  const level = others.toSorted(byLevel)[0]?.level;
  if (open.length === 0) return { level: level ?? "none", lines: [{ kind: "nothing", touched: touched() }] };
  const line = open.find((one) => one.kind === "gap" && "code" in one.gap && isFailure(one.gap)) ?? open[0]!;
  return { level: level ?? "info", lines: [{ ...line, isAlone: true }] };
}

/** The effects of the lines. */
export const effectsOfLines = ({ lines }: Verdict): Effect[] => lines.flatMap(headsIn);

function headsIn(line: VerdictLine): readonly Effect[] {
  if (line.kind === "effect") return [line.effect];
  if (line.kind === "gap") return "code" in line.gap ? [line.gap] : [];
  // A line for several changes has not all of each.
  return line.kind === "unjudged" && line.effects.length === 1 ? line.effects : [];
}

/** The effects of which a line has the whole sentence and all causes. */
export const wholeEffects = (verdict: Verdict): Effect[] =>
  effectsOfLines(verdict).filter((one) => isWhole(one) && one.cause.length < 2);
