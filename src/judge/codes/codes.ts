/**
 * The table of codes. A finding or message is reported with its code, which gives its title, its level, its remedy and the link to
 * its section in docs/guides/effects.md or messages.md. A code never changes its meaning, because links and `--ignore` name it.
 */
import { guideAt } from "../../formats/text/url";
import { findings } from "./findings";
import { messages, refusals } from "./messages";
import type { Level, Row } from "./row";

const table = { ...findings, ...refusals, ...messages };

export type Code = keyof typeof table;

/** A code that the review reports. */
export type FindingCode = keyof typeof findings;

export const rows: Readonly<Record<Code, Row>> = table;

export const findingCodes = Object.keys(findings) as FindingCode[];

export const levelOf = (code: FindingCode): Level => findings[code].level;

/** A code, with the words for each `…` of its title. */
export type Titled = Code | readonly [code: Code, ...words: string[]];

export const codeOf = (titled: Titled): Code => (typeof titled === "string" ? titled : titled[0]);

export const messageOf = (code: Code): string => rows[code].message ?? rows[code].title;

/** The title as Terraform prints it. */
export function titleOf(titled: Titled): string {
  if (typeof titled === "string") return messageOf(titled);
  const [code, ...words] = titled;
  return messageOf(code).replaceAll("…", () => words.shift() ?? "…");
}

export const isCode = (text: string): text is Code => Object.hasOwn(table, text);

export const isFinding = (code: string): code is FindingCode => Object.hasOwn(findings, code);

/** Whether the provider refuses a plan with this code: it makes no mistake in reading or reaching anything. */
export const isRefusal = (code: Code): boolean => Object.hasOwn(refusals, code) || isFinding(code);

/** The section that explains the code, in the documentation of one version. */
export function linkTo(code: Code, version: string): string {
  const page = isFinding(code) ? "effects" : "messages";
  return `${guideAt(page, version)}#${code.toLowerCase()}`;
}
