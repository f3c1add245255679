/** The options of `tenantform init`. */
import type { Command } from "commander";

export const initCommand = (program: Command) =>
  program
    .command("init")
    .description("Start a project with a stack, a test, and a pipeline that reviews pull requests.")
    .argument("[directory]", "folder of the project; of its files, only package.json is changed", ".")
    .option(
      "--language <name>",
      "typescript or hcl, or the library for TypeScript: cdktf or cdktn; default: hcl if the folder has .tf files, else typescript",
    )
    .option(
      "--ci <name>",
      "write a pipeline for github or gitlab; default: the code host of the git repository, else github",
    )
    .option("--no-install", "do not install packages")
    .action(async (directory, options) => {
      const { init } = await import("./command.js");
      await init(directory, options, process);
    });
