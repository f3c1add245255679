/** Says in sentences what adopt found. */
import { shellWord } from "../../formats/text/printable";
import path from "node:path";
import { andWords, counted } from "../../formats/text/lists";
import type { Kind } from "../../judge/kinds/kind";
import { entriesOf, type FoundObject } from "./to-declaration";
import type { Declaration } from "./stack";

const joined = (words: readonly string[]) => andWords(words) || "nothing";

export const foundLine = (counts: readonly (readonly [kind: Kind, count: number])[]): string =>
  `Found ${joined(counts.flatMap(([kind, count]) => (count > 0 ? counted(count, kind.identity.noun) : [])))}.`;

/** Counts what the lists hold, too. */
export function readLine(objects: readonly FoundObject[]): string {
  const parts = [...new Set(objects.map(({ kind }) => kind))].map((kind) => {
    const own = objects.filter((one) => one.kind === kind);
    const words = counted(own.length, kind.identity.noun);
    const { list } = kind;
    if (!list) return words;
    return `${words} with ${counted(
      own.reduce((sum, { content }) => sum + entriesOf(content, list).length, 0),
      list.noun,
    )}`;
  });
  return `Read ${joined(parts)}.`;
}

export function refusedLines(declarations: readonly Declaration[]): string[] {
  return declarations
    .filter(({ refused }) => refused.length > 0)
    .map(({ id, refused, variable }) => {
      const why = variable ? "" : ", because the provider refuses it";
      return `${id} is written as a comment only${why}: ${refused.join(" ")}`;
    });
}

/** Commands for a shell, each with its purpose. */
export type Command = readonly [command: string, purpose: string];

export function typeNext(commands: readonly Command[]): string[] {
  const width = Math.max(...commands.map(([command]) => command.length));
  return ["", "Type next:", ...commands.map(([command, purpose]) => `  ${command.padEnd(width)}   # ${purpose}`)];
}

/** The start of a command that runs in the folder. */
export const entering = (folder: string) =>
  path.resolve(folder) === process.cwd() ? "" : `cd ${shellWord(folder)} && `;

/** `enter`: the way to the folder in which Terraform runs. */
export function importCommands(enter: string, tool = "terraform"): Command[] {
  return [
    [`${enter}${tool} plan -out=plan`, "plans to import the objects, and changes nothing"],
    ["npx tenantform review plan", "shows what the plan does"],
    [`${tool} apply plan`, "imports the objects"],
  ];
}
