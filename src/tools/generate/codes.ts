/** Makes the pages of effects and messages from the table of codes. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { blockLevels, moveLevels, openingLevels } from "../../judge/impact/network-acl/levels";
import { findings, messageOf, messages, rows, type Code } from "../../judge/codes/codes";
import type { Page } from "./reference";

/** `prose`: the folder with the rest of both pages. */
export function codePages(prose: string): Page[] {
  const page = (file: string, sections: readonly string[]) => ({
    file: `guides/${file}`,
    text: readFileSync(path.join(prose, file), "utf8").replace("<!-- codes -->", () => sections.join("\n\n")),
  });
  return [
    levelsPage(prose),
    page(
      "effects.md",
      Object.entries(findings).flatMap(([section, part]) => [`## ${section}`, ...keysOf(part).map(effectSection)]),
    ),
    page(
      "messages.md",
      Object.entries(messages).flatMap(([section, part]) => [`## ${section}`, ...keysOf(part).map(messageSection)]),
    ),
  ];
}

const keysOf = (part: object) => Object.keys(part) as Code[];

/** The tables of levels are those that decide. */
function levelsPage(prose: string): Page {
  const tables = { blocks: blockLevels, openings: openingLevels, moves: moveLevels };
  const text = Object.entries(tables).reduce(
    (page, [name, table]) =>
      page.replace(`<!-- ${name} -->`, () =>
        [
          "| the change affects | level |",
          "| --- | --- |",
          ...table.map(({ when, level }) => `| ${when} | ${level} |`),
        ].join("\n"),
      ),
    readFileSync(path.join(prose, "levels.md"), "utf8"),
  );
  return { file: "guides/levels.md", text };
}

/** What happens stands first, and then the remedy. */
function effectSection(code: Code): string {
  const { level, title, message, remedy, text } = rows[code];
  const shown = message === undefined ? "" : ` Terraform prints it as "${message}".`;
  return sectionOf(code, [`**${title}.** Level: ${level}.${shown}`, text[0], remedy]);
}

/** The remedy stands first. */
function messageSection(code: Code): string {
  const { remedy, title, text } = rows[code];
  const shown = messageOf(code) === "…" ? title : messageOf(code);
  return sectionOf(code, [`**${shown}${/[.…]$/.test(shown) ? "" : "."}**`, remedy, text[0]]);
}

/** A short example stands in the paragraph before it. */
function sectionOf(code: Code, first: readonly (string | undefined)[]): string {
  const rest = rows[code].text.slice(1);
  const example = /^(?!.*\n)Example: /.test(rest.at(-1) ?? "") ? rest.pop() : undefined;
  const paragraphs = [first.filter(Boolean).join(" "), ...rest];
  if (example !== undefined) paragraphs.push(`${paragraphs.pop()} ${example}`);
  return [`### ${code}`, ...paragraphs].join("\n\n");
}
