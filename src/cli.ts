#!/usr/bin/env node
/** The `tenantform` command. The options of a command stand beside its room, which loads only when the command is called. */
import { Command } from "commander";
import { adoptCommand } from "./adopt/cli";
import { compareCommand } from "./compare/cli";
import { emulateCommand } from "./emulator/cli";
import { initCommand } from "./init/cli";
import { installCommand } from "./install/cli";
import { commentCommand, explainCommand, reviewCommand, testCommand } from "./review/cli";
import { firstLines } from "./text/excerpt";
import { exitCodes, helpOnExitCodes } from "./text/exit-codes";
import { withoutPasswords } from "./text/masked";
import { withCommandPage, withHelp } from "./text/page";
import { print } from "./text/printable";
import { version } from "./version";

export const program = new Command("tenantform")
  .description("Review a Terraform plan for Auth0 before you apply it: who is blocked, who gets in, who loses access.")
  .version(version)
  .addHelpText("afterAll", helpOnExitCodes)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? exitCodes.fine : exitCodes.error))
  .configureOutput({ outputError: (text) => print(process.stderr, withHelp(text, commandName(), version)) });

const commandName = () => program.commands.map((command) => command.name()).find((name) => name === program.args[0]);

emulateCommand(program);
reviewCommand(program);
testCommand(program);
compareCommand(program);
commentCommand(program);
explainCommand(program);
installCommand(program);
adoptCommand(program);
initCommand(program);

/** Longest error in characters. It may quote a server. */
const mostOfError = 4_000;

/** `npm run generate` only reads the commands. */
const parsed = require.main === module ? program.parseAsync() : Promise.resolve(program);
parsed.catch((error: Error) => {
  const message = firstLines(withoutPasswords(error.message), mostOfError);
  print(process.stderr, withCommandPage(message, program.args[0] ?? "", version));
  process.exitCode = exitCodes.error;
});
