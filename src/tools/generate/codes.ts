/** Makes the pages of findings and messages from the table of codes. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { findingCodes, messageOf, messages, rows, type Code } from "../../codes/codes";
import type { Row } from "../../codes/row";
import type { Page } from "./reference";

/** `prose`: the folder with the rest of both pages. */
export function codePages(prose: string): Page[] {
  const page = (file: string, sections: readonly string[]) => ({
    file: `guides/${file}`,
    text: readFileSync(path.join(prose, file), "utf8").replace("<!-- codes -->", () => sections.join("\n\n")),
  });
  return [
    page("findings.md", findingCodes.map(findingSection)),
    page("messages.md", [
      ...Object.entries(messages).flatMap(([section, part]) => [`## ${section}`, ...keysOf(part).map(messageSection)]),
      "## Messages that report a finding",
      findingCodes
        .filter((code) => rows[code].message !== undefined)
        .map(findingLink)
        .join("\n"),
    ]),
  ];
}

const keysOf = (part: object) => Object.keys(part) as Code[];

function findingSection(code: Code): string {
  const { level, title, message } = rows[code];
  const shown = message === undefined ? "" : ` Terraform prints it as "${message}".`;
  return [`## ${code}`, `${title}. Level: ${level}.${shown}`, ...textOf(rows[code])].join("\n\n");
}

function messageSection(code: Code): string {
  const title = messageOf(code) === "…" ? rows[code].title : messageOf(code);
  return [`<a id="${code.toLowerCase()}"></a>`, `### ${title}`, ...textOf(rows[code]), `Code: ${code}`].join("\n\n");
}

const findingLink = (code: Code) => `- ${messageOf(code)}: [${code}](findings.md#${code.toLowerCase()})`;

function textOf({ text, remedy }: Row): string[] {
  const [first, ...rest] = text;
  return [remedy === undefined ? first! : `${first!} ${remedy}`, ...rest];
}
