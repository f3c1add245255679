#!/usr/bin/env node
/** The `tenantform` command. The options of a command stand beside its room, which loads only when the command is called. */
import { exitCodes, helpOnExitCodes, strict } from "./formats/text/command-line";
import { Command } from "commander";
import { adoptCommand } from "./commands/adopt/cli";
import { emulateCommand } from "./emulator/cli";
import { initCommand } from "./commands/init/cli";
import { installCommand } from "./commands/install/cli";
import { commentCommand, explainCommand, reviewCommand } from "./review/commands/cli";
import { withoutPasswords } from "./formats/text/masked";
import { documentation, withCommandPage, withHelp } from "./formats/text/url";
import { firstLines, print } from "./formats/text/printable";
import { version } from "./version";

const examples = `
Examples:
  npx tenantform init                        start a project with a pipeline
  npx tenantform review plan --fail-on high  see what a plan does to people
  npx tenantform emulate                     start a tenant without an account

Each command: tenantform COMMAND --help
Documentation: ${documentation(version)}`;

/** Columns. */
const widest = 80;

export const program = new Command("tenantform")
  .description(
    "Auth0 tenants as code, and a review of every Terraform plan for Auth0: who is blocked, who gets in, who loses access.",
  )
  .version(version)
  // Without `help`, which the last line says.
  .configureHelp({ subcommandTerm: (command) => command.name(), visibleCommands: ({ commands }) => [...commands] })
  .addHelpText("afterAll", ({ command }) => (command.parent === null ? examples : helpOnExitCodes(command.name())))
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? exitCodes.fine : exitCodes.error))
  .configureOutput({
    getOutHelpWidth: () => Math.min(process.stdout.columns ?? widest, widest),
    outputError: (text) => print(process.stderr, withHelp(text, commandName(), version)),
  });

const commandName = () => program.commands.map((command) => command.name()).find((name) => name === program.args[0]);

program.commandsGroup("Start:");
initCommand(program);
adoptCommand(program);
program.commandsGroup("Review:");
reviewCommand(program);
explainCommand(program);
commentCommand(program);
program.commandsGroup("Provider:");
installCommand(program);
program.commandsGroup("Try:");
emulateCommand(program);
strict(program);

// Whoever reads only the beginning, as with `| head`, wants no error about the rest.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    print(process.stderr, `The output cannot be written (${error.code}).\n`);
    process.exit(exitCodes.error);
  });
}

/** Longest error in characters. It may quote a server. */
const mostOfError = 4_000;

/** `npm run generate` only reads the commands. */
const parsed = require.main === module ? program.parseAsync() : Promise.resolve(program);
parsed.catch((error: Error) => {
  const message = firstLines(withoutPasswords(error.message), mostOfError);
  print(process.stderr, withCommandPage(message, program.args[0] ?? "", version));
  process.exitCode = exitCodes.error;
});
