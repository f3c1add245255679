/** Sums up what a plan does to people, in at most three lines with the worst first. */
import { findingCodes } from "../codes/codes";
import { oneLine } from "../text/printable";
import { clipped } from "./phrases";
import { byGravity, counts, isGap, levels, type Cause, type Code, type Effect, type Level } from "./effect";

export interface Verdict {
  readonly level: Level | "none";
  /** At most three lines, each with its sign. */
  readonly summary: readonly string[];
  /** The effects that the summary has in full. */
  readonly told: readonly Effect[];
}

export interface Unread {
  /** Changes that the review cannot read, in a sentence. */
  readonly unread?: string | undefined;
  /** Unmanaged objects that the review did not read although they matter, in a sentence. */
  readonly unseen?: string | undefined;
}

const mostLines = 3;

export function verdictOf(effects: readonly Effect[], { unread, unseen }: Unread = {}): Verdict {
  const gaps = effects.filter((one) => isGap(one) && counts(one));
  // A person who ignores an effect on people accepts it, and it happens nevertheless.
  const people = effects.filter(({ who }) => who !== undefined).toSorted(byGravity);
  const others = effects.filter((one) => one.who === undefined && counts(one) && !isGap(one));
  const heads = [...people, ...graver(others, people[0]?.level ?? "info")].toSorted(byLevel);
  const open: Open[] = [...gaps, ...(unread === undefined ? [] : [{ text: unread }])];
  if (heads.length === 0) return quiet([...open, ...(unseen === undefined ? [] : [{ text: unseen }])], gaps);
  const level = [...heads, ...gaps].toSorted(byLevel)[0]!.level;
  return { level, ...told(heads, open) };
}

/** Something that the review does not know. */
type Open = Effect | { readonly text: string };

const byLevel = (one: Effect, other: Effect) => levels.indexOf(other.level) - levels.indexOf(one.level);

/** Some effects are not on people, such as an apply that fails. The worst counts if it is worse than every effect on people. */
function graver(effects: readonly Effect[], level: Level): Effect[] {
  const [worst] = effects.toSorted(byLevel);
  return worst && levels.indexOf(worst.level) > levels.indexOf(level) ? [worst] : [];
}

function told(heads: readonly Effect[], gaps: readonly Open[]): Pick<Verdict, "summary" | "told"> {
  const room = gaps.length > 0 ? mostLines - 1 : mostLines;
  const shown = heads.slice(0, room);
  const summary = shown.map((one) => `${sign(one.level)} ${effectLine(one)}`);
  const rest = heads.length - shown.length;
  if (rest > 0)
    summary.push(`${summary.pop()!} ${rest} more ${rest === 1 ? "effect is" : "effects are"} listed below.`);
  return {
    summary: [...summary, ...gaps.slice(0, 1).map((gap) => `○ ${openLine(gap)}`)],
    told: [...shown, ...gaps.slice(0, 1).filter((gap) => "code" in gap)].filter(isWhole),
  };
}

/** Begins the gap of a plan that ended with an error. */
export const failed = "The plan failed";

/** "No request, limit or member changes" only if everything was looked at. */
function quiet(open: readonly Open[], gaps: readonly Effect[]): Verdict {
  if (open.length === 0) return { level: "none", summary: ["✔ No request, limit or member changes."], told: [] };
  const failure = open.find(({ text }) => text.startsWith(failed));
  const first = failure ?? open[0]!;
  const line = failure ? `✖ ${openLine(failure)}` : `○ No effect was found. ${openLine(first)}`;
  const level = gaps.toSorted(byLevel)[0]?.level ?? "info";
  return { level, summary: [line], told: "code" in first && isWhole(first) ? [first] : [] };
}

export function sign(level: Level): string {
  if (level === "critical" || level === "high") return "✖";
  return level === "info" ? "○" : "●";
}

/** `Blocks sign-in for everyone. tenant_network_acl.draft is switched on, main.tf:41. [TNF-ACL-TIGHTENED]` */
export function effectLine(effect: Effect): string {
  const { text, cause, code } = effect;
  return [shortLine(text, mostOf(effect)), ...causeWords(cause, 1), `[${code}]`].join(" ");
}

/** The parts of a line of the verdict, of which a format links the code. Left out: the line has no code. */
export function lineParts(line: string): { readonly words: string; readonly code?: Code; readonly rest: string } {
  const [, words = line, code, rest = ""] = /^(.*) \[(TNF-[A-Z-]+)\]( .*)?$/.exec(line) ?? [];
  const known = findingCodes.find((one) => one === code);
  return known === undefined ? { words: line, rest: "" } : { words, code: known, rest };
}

/** The text as a whole, with the objects that cause the effect. */
export const effectWords = ({ text, cause }: Effect): string => [text, ...causeWords(cause, mostCauses)].join(" ");

/** The words of an effect beside the verdict. If the verdict has the whole text, only the causes are left. */
export function wordsBeside({ summary }: Verdict, one: Effect): string {
  const isTold = one.cause.length > 1 && summary.some((line) => line.slice(2).startsWith(`${one.text} `));
  return isTold ? `Causes: ${causeWords(one.cause, mostCauses).join("")}` : effectWords(one);
}

const mostCauses = 3;

const openLine = (open: Open) => `${shortLine(open.text)}${"code" in open ? ` [${open.code}]` : ""}`;

/** Whether a line of the verdict has the whole text and all causes. */
const isWhole = (one: Effect) => [...one.text].length <= mostOf(one) && one.cause.length < 2;

/** An effect on people has its causes in the same line. */
const mostOf = ({ cause }: Effect) => (cause.length > 0 ? 280 : mostOfLine);
const mostOfLine = 520;
const mostOfName = 100;

/** Other people write descriptions and addresses. They must not add a line, or hide the end of one. */
const shortLine = (text: string, most = mostOfLine) => clipped(oneLine(text), most);

/** Keeps the end of a long address, which names the resource. */
function shortAddress(address: string): string {
  const characters = [...oneLine(address)];
  return characters.length > mostOfName ? `…${characters.slice(1 - mostOfName).join("")}` : characters.join("");
}

function causeWords(all: readonly Cause[], most: number): string[] {
  const rest = all.length - most;
  const others = rest > 0 ? `, and ${rest} more ${rest === 1 ? "object changes" : "objects change"}` : "";
  const words = all.slice(0, most).map(({ address, words: how, file, line }) => {
    const place = file === undefined ? "" : `, ${shortAddress(file)}:${line}`;
    return `${shortAddress(address)} ${oneLine(how)}${place}`;
  });
  return words.length === 0 ? [] : [`${words.join("; ")}${others}.`];
}
