/** Reads the shell blocks of README, docs and examples. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";

export const root = path.join(__dirname, "../../..");

export interface ShellLine {
  readonly command: string;
  /** The output that a comment such as `# 403` promises. */
  readonly output?: string;
}

export interface ShellBlock {
  readonly page: string;
  readonly lines: readonly ShellLine[];
}

const below = (folder: string) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file}`)
    .filter((file) => file.endsWith(".md"));

export const readPage = (page: string) => readFileSync(path.join(root, page), "utf8");

/** The code of all blocks of these languages on the page. */
export function codeOn(page: string, ...languages: string[]): string[] {
  const fence = new RegExp(`^( *)\`\`\`(?:${languages.join("|")})\\n(.*?)^\\1\`\`\`$`, "gms");
  return [...readPage(page).matchAll(fence)].map(([, indent = "", code = ""]) =>
    code.replace(new RegExp(`^${indent}`, "gm"), ""),
  );
}

export function shellBlocks(): ShellBlock[] {
  return ["README.md", ...below("docs").toSorted(), ...below("examples").toSorted()].flatMap((page) =>
    codeOn(page, "sh", "bash", "shell", "console", "zsh").map((code) => ({ page, lines: linesOf(code) })),
  );
}

function linesOf(code: string): ShellLine[] {
  return code
    .replace(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => {
      const [, command = "", comment = ""] = /^(.*?)(?:(?:^|\s+)#\s*(.*))?$/.exec(line) ?? [];
      return { command: command.trim(), ...(/^\d+$/.test(comment) && { output: comment }) };
    })
    .filter(({ command }) => command !== "");
}
