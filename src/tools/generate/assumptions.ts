/** Makes the list of what the embedded tenant assumes on the page Status, from the comments of its code that begin with "Assumption:". */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { filled } from "./reference";

interface Assumption {
  /** Below the folder of the embedded tenant. */
  readonly file: string;
  readonly text: string;
}

/** The first part of a path -> the heading of its assumptions. */
const headings: Readonly<Record<string, string>> = {
  enforcement: "Enforcing network ACLs and rate limit policies",
  api: "Operations of the Management API",
  auth: "Tokens",
  http: "Requests and responses",
};

/** `folder`: that of the embedded tenant. `prose`: the folder with the rest of the page. */
export function assumptionsPage(folder: string, prose: string) {
  const found = assumptionsIn(folder);
  const groups = Object.entries(headings).map(([part, heading]) => {
    const lines = found.filter(({ file }) => file.startsWith(`${part}/`)).map(lineOf);
    return [`### ${heading}`, lines.join("\n")].join("\n\n");
  });
  return filled("status.md", prose, { number: `${found.length}`, assumptions: groups.join("\n\n") });
}

const source = "https://github.com/tenantform/tenantform/blob/main/src/emulator/";

const lineOf = ({ file, text }: Assumption) => `- ${text} ([${file}](${source}${file}))`;

function assumptionsIn(folder: string): Assumption[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) =>
    file.replaceAll(path.sep, "/"),
  );
  return files
    .filter((file) => file.endsWith(".ts"))
    .toSorted()
    .flatMap((file) => textsIn(readFileSync(path.join(folder, file), "utf8")).map((text) => ({ file, text })));
}

/** A comment ends at its mark, or at the first line that is not a comment. */
function textsIn(code: string): string[] {
  const comments = [...code.matchAll(/\/\*\*?[^]*?\*\/|(?:^[ \t]*\/\/.*\n?)+/gm)].map(([comment]) =>
    comment
      .replace(/^\s*(?:\/\*\*?|\/\/|\*(?!\/))\s?|\s*\*\/$/gm, "")
      .replace(/\s+/g, " ")
      .trim(),
  );
  return comments.flatMap((comment) => {
    const [, ...texts] = comment.split("Assumption: ");
    return texts.map((text) => sentence(text.trim()));
  });
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
