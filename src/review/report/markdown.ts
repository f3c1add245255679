/** Renders pages as the comment of a pull request, within the size limit of a comment. */
import { headText, type LineParts } from "../../judge/impact/words/verdict";
import type { Cell, Item, Page, Pages, Section } from "./document";
import { hidden } from "../../formats/text/lists";
import { linkTo, type Code } from "../../judge/codes/codes";
import { blanked } from "../../formats/text/printable";
import { version } from "../../version";

export interface MarkdownOptions {
  /** Distinguishes comments of several workspaces or stacks. Left out: the text is no comment. */
  readonly tag?: string | undefined;
  readonly at: Date;
  /** The limit of characters. GitHub takes 65,536, GitLab 1,000,000. */
  readonly most?: number;
}

const defaultMost = 60_000;
/** The most characters of one line. A description of 255 characters fits. */
const mostOfLine = 2_000;
/** The fewest characters to which a lack of room cuts the first line of a section. */
const fewestOfLine = 300;
/** The most characters of a name on the service. */
const mostOfName = 255;

interface Fold {
  readonly title: string;
  readonly lines: readonly string[];
  readonly isOpen: boolean;
  /** The first lines of a table. */
  readonly head: readonly string[];
}

export function toMarkdown(
  { lead = [], pages, note }: Pages,
  { tag, at, most = defaultMost }: MarkdownOptions,
): string {
  const head = [
    ...(tag === undefined ? [] : [markerOf(tag, at)]),
    ...lead.flatMap((words) => [`**${inert(words)}**`, ""]),
    ...pages.flatMap(headOf),
  ].join("\n");
  const last = note === undefined ? "" : `_${inert(note)}_`;
  const several = pages.length > 1;
  const folds = pages.flatMap(({ name, sections }) =>
    sections.map((section) => foldOf(section, several ? `${inertHtml(name)}: ` : "")),
  );
  let left = most - Math.min(head.length, most / 2) - last.length - 200;
  const shown: string[] = [];
  let omitted = 0;
  folds.forEach((fold, index) => {
    // Later sections can use the space that earlier ones leave.
    const share = Math.floor(left / (folds.length - index));
    const text = folded(fold, fold.isOpen ? Math.max(share, Math.floor(left / 2)) : share);
    if (text === undefined) omitted++;
    else shown.push(text);
    left -= text?.length ?? 0;
  });
  const rest = omitted > 0 ? [`_Left out, as a comment has no room for them: ${omitted} sections._`] : [];
  return `${[clipped(head, most / 2), ...shown, ...rest, ...(last === "" ? [] : [last])].join("\n\n")}\n`;
}

/** The comment in place of a review that could not be made. It replaces the earlier review, which is about another plan. */
export function failedMarkdown(reason: string, { tag, at }: { readonly tag: string; readonly at: Date }): string {
  const text = clipped(inert(reason), mostOfLine);
  return [markerOf(tag, at), "### This plan has no review", "", `**${text}**`, ""].join("\n");
}

/** Matches only at the start of a comment, because a quoted review does not count. */
const marker = /^<!-- tenantform:review tag=(\S*) at=(\S+) -->/;

function markerOf(tag: string, at: Date): string {
  return `<!-- tenantform:review tag=${encodeURIComponent(tag).replaceAll("--", "%2D%2D")} at=${at.toISOString()} -->`;
}

/** The tag and the time of a comment. */
export function readMarker(body: string): { readonly tag: string; readonly at: Date } | undefined {
  const [, tag, time] = marker.exec(body) ?? [];
  const at = new Date(time ?? NaN);
  if (tag === undefined || Number.isNaN(at.getTime())) return undefined;
  try {
    return { tag: decodeURIComponent(tag), at };
  } catch {
    return undefined;
  }
}

/** Two spaces at the end of a line break it. */
const headOf = ({ title, summary }: Page) => [`### ${inert(title)}`, "", summary.map(verdictLine).join("  \n"), ""];

const verdictLine = (line: LineParts) =>
  `**${inert(headText(line))}**${line.code === undefined ? "" : ` ${linked(line.code)}`}`;

const linked = (name: Code) => `[\`${name}\`](${linkTo(name, version)})`;

function itemLine({ code: name, level, words, ignored }: Item): string {
  const shown = `${linked(name)} (${level}) ${inert(words)}`;
  return ignored === undefined ? `- ${shown}` : `- ~~${shown}~~ ignored: ${inert(ignored)}`;
}

function foldOf({ title, columns, rows, items, isOpen = false }: Section, lead: string): Fold {
  const head = columns ? [tableRow(columns), tableRow(columns.map(() => "---"))] : [];
  const lines = rows
    .map((row) => row.map(cellOf))
    .map((row) => {
      const [first, ...rest] = row;
      return columns ? tableRow(row) : `- ${[first, rest.join(", ")].filter(Boolean).join(": ")}`;
    });
  return { title: lead + title, lines: items?.map(itemLine) ?? lines, head, isOpen };
}

const tableRow = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

function cellOf(cell: Cell): string {
  if (typeof cell === "string") return inert(cell);
  const names = listed(cell.names);
  return cell.text === "" ? names : `${cell.text}${names === "" ? "" : ` (${names})`}`;
}

/** A section with as many of its lines as fit. undefined: none fits. */
function folded({ title, lines, isOpen, head }: Fold, room: number): string | undefined {
  const start = `<details${isOpen ? " open" : ""}><summary>${title}</summary>\n\n`;
  const end = "\n\n</details>";
  const note = (left: number) => `\n\n_${left} more ${left === 1 ? "line is" : "lines are"} left out here._`;
  let used = start.length + end.length + note(lines.length).length + head.join("\n").length + 1;
  const shown: string[] = [];
  for (const line of lines) {
    const space = shown.length === 0 ? Math.max(room - used - 1, fewestOfLine) : mostOfLine;
    const text = clipped(line, Math.min(space, mostOfLine));
    if (used + text.length + 1 > room) break;
    shown.push(text);
    used += text.length + 1;
  }
  if (shown.length === 0) return undefined;
  const left = lines.length - shown.length;
  return start + [...head, ...shown].join("\n") + (left > 0 ? note(left) : "") + end;
}

/** One character with its escape, or one whole span of code. */
const piece = /\\[\s\S]|&[a-z]+;|(`+)(?!`)[\s\S]*?[^`]\1(?!`)|[\s\S]/gu;

/** Cuts between characters, never inside an escape or a span of code: the rest of a span would be rendered. */
function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (const { 0: written, index } of text.matchAll(piece)) {
    if (index + written.length > most - 10) break;
    end = index + written.length;
  }
  return `${text.slice(0, end)} …`;
}

/** As many names as fit, as spans of code. A line may have two such lists. A count of one would take the place of the name. */
function listed(names: readonly string[]): string {
  const spans: string[] = [];
  let room = mostOfLine / 4;
  for (const name of names) {
    const shown = code(name);
    room -= shown.length + 2;
    if (room < 0 && spans.length < names.length - 1) break;
    spans.push(shown);
  }
  const left = names.length - spans.length;
  return [...spans, ...(left > 0 ? [`${left} more`] : [])].join(", ");
}

/** Text that GitHub and GitLab turn into something even if it is escaped: mentions, references, links, emoji. */
const live = /[@#!$~%&](?=[\w"'{[(])|:(?=\S)|\bwww\.|\bGH-/i;

/**
 * Makes untrusted text inert: no markup, no mention, no reference, no link. Active words become spans of code, so people copy
 * exactly the text that was written.
 */
export function inert(text: string): string {
  const words = blanked(text).split(/(\s+)/);
  return words.map((word) => (live.test(word) ? asCode(word) : escaped(word))).join("");
}

function escaped(text: string): string {
  return text
    .replace(/[\\`*_{}[\]()!|~$^+-]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/** Quotes and parentheses around the word stay outside, and bars too: in a table they would end the cell. */
function asCode(word: string): string {
  const [, before = "", inner = "", after = ""] = /^([("']*)(.*?)([)"',;.]*)$/su.exec(word) ?? [];
  const spans = inner.split("|").map((part) => (part === "" ? "" : span(part)));
  return escaped(before) + spans.join("\\|") + escaped(after);
}

/** The same inside HTML, where markdown has no effect. */
function inertHtml(text: string): string {
  const shown = blanked(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<code>${shown}</code>`;
}

/** A name as a span of code, shortened if necessary. */
function code(text: string): string {
  if (text === hidden) return hidden;
  const bare = blanked(text);
  return span(bare.length <= mostOfName ? bare : `${bare.slice(0, mostOfName - 10).replace(/[\ud800-\udbff]$/, "")} …`);
}

/** Everything but a backtick is inert in a span of code. */
function span(bare: string): string {
  const fence = "`".repeat(Math.max(0, ...[...bare.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  const pad = bare.startsWith("`") || bare.endsWith("`") || bare.trim() === "" ? " " : "";
  return `${fence}${pad}${bare}${pad}${fence}`;
}
