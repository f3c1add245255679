/**
 * The table of codes. A finding or message is reported with its code, which gives its title, its level, its remedy and the link to
 * its section. `npm run generate` makes docs/guides/effects.md and docs/guides/messages.md from the table. A code never changes
 * its meaning, because links and `--ignore` name it.
 */
import { accessFindings } from "./access-findings";
import { auth0Findings } from "./auth0-findings";
import { connection } from "./connection";
import { apply, configuration, imports, warnings } from "./messages";
import { objectFindings } from "./object-findings";
import { refusals } from "./refusals";
import { guideAt } from "../../formats/text/doc-links";
import type { Level, Row } from "./row";

/** The codes of messages that are no findings, by the section of their page. */
export const messages = {
  "The configuration": configuration,
  "Refused plans": refusals,
  "Warnings of plans": warnings,
  "Importing and moving": imports,
  "Connection to the tenant": connection,
  "Errors during an apply": apply,
} as const;

/** The codes of effects, by the section of their page. */
export const findings = {
  "Requests, the lock-out guard and expectations": accessFindings,
  "Keys, limits, members and plans": objectFindings,
  "Objects of the auth0 provider": auth0Findings,
} as const;

const table = {
  ...accessFindings,
  ...objectFindings,
  ...auth0Findings,
  ...configuration,
  ...refusals,
  ...warnings,
  ...imports,
  ...connection,
  ...apply,
};

export type Code = keyof typeof table;

/** A code that the review reports. */
export type FindingCode = keyof typeof accessFindings | keyof typeof objectFindings | keyof typeof auth0Findings;

export const rows: Readonly<Record<Code, Row>> = table;

export const findingCodes = Object.keys({ ...accessFindings, ...objectFindings, ...auth0Findings }) as FindingCode[];

export const levelOf = (code: FindingCode): Level => table[code].level;

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

/** Whether the provider refuses a plan with this code: it makes no mistake in reading or reaching anything. */
export const isRefusal = (code: Code): boolean => Object.hasOwn(refusals, code) || isFinding(code);

export const isFinding = (code: string): code is FindingCode =>
  Object.hasOwn(table, code) && "level" in table[code as Code];

/** The section that explains the code, in the documentation of one version. */
export function linkTo(code: Code, version: string): string {
  const page = isFinding(code) ? "effects" : "messages";
  return `${guideAt(page, version)}#${code.toLowerCase()}`;
}
