/** Makes the reference of the command line from the commands of src/cli.ts. */
import type { EventEmitter } from "node:events";
import type { Argument, Command, Option } from "commander";
import { program } from "../../cli";
import { filled } from "./reference";

/** `prose`: the folder with the rest of the page. */
export const commandsPage = (prose: string) =>
  filled("guides/cli.md", prose, { commands: program.commands.map(sectionOf).join("\n\n") });

function sectionOf(command: Command): string {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => long !== "--help");
  const lines = [
    ...command.registeredArguments.map((one) => lineOf(help.argumentTerm(one), descriptionOf(one))),
    ...[...new Set(options.map(({ helpGroupHeading }) => helpGroupHeading))].flatMap((group) => {
      const own = options.filter((one) => one.helpGroupHeading === group);
      const texts = own.map((one) => lineOf(one.flags, descriptionOf(one)));
      return group === undefined ? texts : [`- ${group}`, ...texts.map((text) => `  ${text}`)];
    }),
  ];
  return [
    `### tenantform ${command.name()}`,
    `${command.description()} Usage: \`${help.commandUsage(command)}\``,
    lines.join("\n"),
    ...(notesOf(command) === "" ? [] : [`\`\`\`text\n${notesOf(command)}\n\`\`\``]),
  ].join("\n\n");
}

const lineOf = (term: string, meaning: string) => `- \`${term}\`: ${meaning}`;

function descriptionOf({ description, defaultValue, argChoices }: Argument | Option): string {
  const isUseful = defaultValue !== undefined && defaultValue !== false && !/default: /.test(description);
  const text = argChoices ? `${description} (${argChoices.join(" or ")})` : description;
  return isUseful ? `${text} (default: \`${String(defaultValue)}\`)` : text;
}

/** What the command adds to the end of its own help. */
function notesOf(command: Command): string {
  let text = "";
  (command as unknown as EventEmitter).emit("afterHelp", {
    error: false,
    command,
    write: (part: string) => (text += part),
  });
  return text.trim();
}
