/** The options of `tenantform adopt`. */
import type { Command } from "commander";
import { kinds } from "../../judge/kinds/kinds";
import { gather } from "../../formats/text/command-line";

export const adoptCommand = (program: Command) =>
  program
    .command("adopt")
    .description(
      "Write the objects of a tenant as a stack with import blocks, and verify with a plan that nothing would change.",
    )
    .argument("<directory>", "folder for the new files; existing files stay unchanged")
    .option("--to <language>", "typescript or hcl; default: hcl if the folder has .tf files, else typescript")
    .option(
      "--only <kinds>",
      `adopt only these kinds, separated by commas: ${kinds.map(({ adoption }) => adoption.option).join(", ")}`,
    )
    .option(
      "--from-state <file>",
      "adopt the objects in this state of the auth0 provider, instead of reading the tenant",
    )
    .option("--organization <id>", "adopt only members of this organization; repeatable", gather)
    .action(async (directory, options) => {
      const { adopt } = await import("./command.js");
      process.exitCode = await adopt(directory, options, {
        environment: process.env,
        stderr: process.stderr,
        stdout: process.stdout,
      });
    });
