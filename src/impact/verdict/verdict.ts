/** Sums up what a plan does to people, in at most three lines with the worst first. */
import { oneLine } from "../../text/printable";
import { clipped } from "../clipped";
import { isAtLeast, levels, type Finding, type Level } from "../finding";
import { byGravity, type Cause, type Effect } from "./effect";

export interface Verdict {
  readonly level: Level | "none";
  /** At most three lines, each with its sign. */
  readonly summary: readonly string[];
  /** The worst first. If nothing changes, there is one of the kind "none". */
  readonly effects: readonly Effect[];
  /** Those that no line names. */
  readonly more: readonly Effect[];
}

export interface VerdictInput {
  readonly effects: readonly Effect[];
  readonly findings: readonly Finding[];
  /** Findings about plans that the review could not read as a whole. */
  readonly gaps: readonly Finding[];
  /** Changes that the review cannot read, in a sentence. */
  readonly unread?: string | undefined;
  /** Unmanaged objects that the review did not read although they matter, in a sentence. */
  readonly unseen?: string | undefined;
}

const mostLines = 3;

export function verdictOf({ effects: found, findings, gaps, unread, unseen }: VerdictInput): Verdict {
  const effects = found.toSorted(byGravity);
  const others = findings.filter((one) => one.ignored === undefined && !one.already && !gaps.includes(one));
  const lasting = others.filter((one) => !isTransient(one));
  const known = [
    ...effects.map((effect): Head => ({ level: effect.level, text: effectLine(effect), effect })),
    // A lesser effect for a moment must not distract from a lasting one.
    ...others.filter((one) => isTransient(one) && (effects.length === 0 || isAtLeast(one.level, "high"))),
  ].toSorted(byLevel);
  const heads = [...known, ...graver(lasting, known[0]?.level ?? "info")].toSorted(byLevel);
  const open = [...gaps.map(({ text }) => text), ...(unread === undefined ? [] : [unread])];
  if (heads.length === 0) return quiet([...open, ...(unseen === undefined ? [] : [unseen])], gaps);
  const level = [...heads, ...gaps].toSorted(byLevel)[0]!.level;
  const shown = heads.slice(0, open.length > 0 ? mostLines - 1 : mostLines);
  const more = heads.slice(shown.length);
  return { level, summary: lines(shown, more, open), effects, more: unnamed(effects, shown) };
}

interface Head {
  readonly level: Level;
  readonly text: string;
  /** Left out: a finding. */
  readonly effect?: Effect;
}

const unnamed = (effects: readonly Effect[], shown: readonly Head[]) =>
  effects.filter((effect) => !shown.some((head) => head.effect === effect));

const isTransient = ({ code }: Finding) => code === "TNF-TRANSIENT-OPEN" || code === "TNF-TRANSIENT-LOCKOUT";

const byLevel = (one: Pick<Finding, "level">, other: Pick<Finding, "level">) =>
  levels.indexOf(other.level) - levels.indexOf(one.level);

/** Some findings are not about people, such as an apply that fails. They count if they are worse than every effect. */
function graver(findings: readonly Finding[], level: Level): Head[] {
  const [worst] = findings.toSorted(byLevel);
  return worst && levels.indexOf(worst.level) > levels.indexOf(level) ? [worst] : [];
}

/** The last line that names an effect also counts the others. */
function lines(shown: readonly Head[], more: readonly Head[], gaps: readonly string[]): string[] {
  const named = shown.map(({ level, text }) => `${sign(level)} ${shortLine(text)}`);
  const rest = more.length === 0 ? "" : ` ${more.length} more ${more.length === 1 ? "is" : "are"} listed below.`;
  return [
    ...named.map((line, index) => (index === named.length - 1 ? line + rest : line)),
    ...(gaps.length > 0 ? [`○ ${shortLine(gaps[0]!)}`] : []),
  ];
}

/** Begins the gap of a plan that ended with an error. */
export const failed = "The plan failed";

/** "No request, limit or member changes" only if everything was looked at. */
function quiet(open: readonly string[], gaps: readonly Finding[]): Verdict {
  const isSure = open.length === 0;
  const failure = open.find((one) => one.startsWith(failed));
  const text = isSure ? "No request, limit or member changes." : failure ? `${failed}.` : "No effect was found.";
  const effect: Effect = {
    kind: "none",
    level: "info",
    apis: [],
    share: null,
    who: "nobody",
    text,
    cause: [],
    certainty: isSure ? "certain" : "possible",
    assumptions: open,
    examples: [],
  };
  const level = gaps.toSorted(byLevel)[0]?.level ?? "info";
  return {
    level: isSure ? "none" : level,
    summary: [isSure ? `✔ ${text}` : failure ? `✖ ${shortLine(failure)}` : `○ ${text} ${shortLine(open[0]!)}`],
    effects: [effect],
    more: [],
  };
}

export function sign(level: Level): string {
  if (level === "critical" || level === "high") return "✖";
  return level === "info" ? "○" : "●";
}

/** `Blocks sign-in for everyone. tenant_network_acl.draft is switched on, main.tf:41.` */
export function effectLine({ text, cause }: Effect): string {
  const [first] = cause;
  return first ? `${shortLine(text, mostOfEffect)} ${causeWords(first, cause.length - 1)}` : text;
}

const mostOfEffect = 280;
const mostOfLine = 520;
const mostOfName = 100;

/** Other people write descriptions and addresses. They must not add a line, or hide the end of one. */
const shortLine = (text: string, most = mostOfLine) => clipped(oneLine(text), most);

/** Keeps the end of a long address, which names the resource. */
function shortAddress(address: string): string {
  const characters = [...oneLine(address)];
  return characters.length > mostOfName ? `…${characters.slice(1 - mostOfName).join("")}` : characters.join("");
}

function causeWords({ address, words, file, line }: Cause, others: number): string {
  const place = file === undefined ? "" : `, ${shortAddress(file)}:${line}`;
  const rest = others > 0 ? `, and ${others} more ${others === 1 ? "object changes" : "objects change"}` : "";
  return `${shortAddress(address)} ${oneLine(words)}${place}${rest}.`;
}
