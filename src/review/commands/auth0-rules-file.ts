/**
 * Reads rows that people add to the table of what changes of Auth0 resources do: `--rules FILE`, and `.tenantform/rules.json` of the base branch.
 * A row has the form of the built-in ones: `[{"type": "auth0_client", "path": "client_metadata.tier", "change": "removed", "level": "high",
 * "text": "{name} loses its tier {removed}."}]`.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { quoted } from "../../judge/access/access";
import { levels } from "../../judge/codes/row";
import { proposedBy } from "../../judge/impact/auth0/proposed";
import { changeProblem, keyOf, placeholders, type Row } from "../../judge/impact/auth0/row";
import { table } from "../../judge/impact/auth0/table";
import { kindOf } from "../../judge/kinds/kinds";
import { orWords } from "../../formats/text/lists";
import type { OwnRules } from "../judge/judgement";
import { UserError, unreadFile } from "../../formats/text/user-error";

export const rulesHere = ".tenantform/rules.json";
const mostBytes = 1_000_000;

/** A pattern is compared with each value of a plan, so its length is a part of the time that a review takes. */
const pattern = z.string().max(1_000);

const form = z.array(
  z.strictObject({
    type: z.string(),
    path: pattern.min(1).optional(),
    change: pattern,
    when: z.record(z.string(), pattern).optional(),
    level: z.enum([...levels, "none"]),
    text: z.string().min(1).optional(),
    if: z.string().min(1).optional(),
    reason: z.string().optional(),
  }),
);

/**
 * The rows of the files, of the base branch and of this folder. The person who starts the review answers for `--rules FILE`. Whoever changes
 * this folder does not answer for the review of the change, so a row that the base branch lacks lowers nothing: see `impact/auth0/proposed`.
 * `bases`: the folders of the base branch. Throws a UserError that names the file, the row, the value and the remedy.
 */
export function readRules(files: readonly string[], bases: readonly string[] = []): OwnRules {
  const given = files.flatMap(rulesIn);
  const isGiven = files.some((file) => path.resolve(file) === path.resolve(rulesHere));
  const here = existsSync(rulesHere) && !isGiven ? rulesIn(rulesHere) : [];
  const base = bases
    .map((folder) => path.join(folder, rulesHere))
    .filter((file) => existsSync(file))
    .flatMap(rulesIn);
  const { rows, changes } = proposedBy(here, base, { file: rulesHere, isCompared: bases.length > 0 && !isGiven });
  return { rows: [...given, ...rows], changes };
}

function rulesIn(file: string): Row[] {
  let read: unknown;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && (!found.isFile() || found.size > mostBytes))
    throw new UserError(`--rules ${file} is no file of at most 1 MB: give a JSON list of rows.`);
  try {
    read = JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    const reason = error instanceof SyntaxError ? { message: "it is not JSON" } : error;
    throw unreadFile(`--rules ${file}`, reason, "give a JSON list of rows");
  }
  const parsed = form.safeParse(read);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const [row, ...rest] = issue!.path;
    const where = row === undefined ? "" : ` row ${Number(row) + 1}${rest.length > 0 ? `, ${rest.join(".")}` : ""}:`;
    throw new UserError(`--rules ${file}:${where} ${issue!.message}. docs/guides/auth0.md shows the form of a row.`);
  }
  return parsed.data.map((row, index) => {
    const problem = problemOf(row as Row);
    if (problem !== undefined) throw new UserError(`--rules ${file}: row ${index + 1}: ${problem}`);
    return { ...row, from: file } as Row;
  });
}

const known = new Set(table.map(keyOf));

function problemOf(row: Row): string | undefined {
  const { type, path: attribute, change, level, text = "", reason } = row;
  if (!/^auth0_[a-z0-9_]+$/.test(type))
    return `type ${quoted(type)} is no resource type of the provider auth0/auth0: write one such as "auth0_client".`;
  if (kindOf(type))
    return `type ${quoted(type)} has effects of its own, which no row changes: leave the row out, or use --ignore CODE="why".`;
  const strange = changeProblem(change, attribute !== undefined);
  if (strange !== undefined) return strange;
  if (level === "none" && (reason ?? "").trim() === "")
    return 'level "none" takes an effect out, so it needs a reason: add "reason": "why".';
  if (level !== "none" && reason !== undefined)
    return `reason is read only with level "none": leave it out, or write it into the text.`;
  if (level !== "none" && text === "" && !known.has(keyOf(row)))
    return "text is missing: the table has no row with this type, path and change, so write what happens to people.";
  const [unknown] = [...text.matchAll(/\{([^}]*)\}/g)]
    .map(([, name]) => name!)
    .filter((name) => !Object.hasOwn(placeholders, name));
  if (unknown !== undefined)
    return `text has the placeholder ${quoted(`{${unknown}}`)}, which does not exist: use ${orWords(Object.keys(placeholders).map((name) => `{${name}}`))}.`;
  return undefined;
}

/** All rows, those of the person first. One line each, as tab-separated columns. */
export function rulesList(own: readonly Row[]): string {
  const lines = [...own, ...table].map(({ type, path: attribute = "", change, when, level, text, reason, from }) => {
    const condition =
      when === undefined
        ? ""
        : ` if ${Object.entries(when)
            .map(([name, value]) => `${name}=${value}`)
            .join(", ")}`;
    const words = level === "none" ? (reason ?? "does nothing to people") : (text ?? "(the text of the built-in row)");
    return [type, attribute, `${change}${condition}`, level, from === undefined ? words : `${words} [${from}]`].join(
      "\t",
    );
  });
  return `${["type\tpath\tchange\tlevel\ttext", ...lines].join("\n")}\n`;
}
