/** The options of `tenantform init`. */
import type { Command } from "commander";
import { needsTenant } from "../text/command-line";

export const initCommand = (program: Command) =>
  program
    .command("init")
    .description("Start a project with a stack, an expectation, a test, and a pipeline that reviews pull requests.")
    .argument("[directory]", "folder of the project; existing files stay unchanged", ".")
    .option(
      "--language <name>",
      "hcl or typescript (cdktf and cdktn name its library); default: the language of the folder, else hcl",
    )
    .option("--adopt", `write the objects of an existing tenant as the stack; ${needsTenant}`)
    .option(
      "--ci <name>",
      "write a pipeline for github, gitlab or none; default: the code host of the git repository, else github",
    )
    .option("--no-install", "do not install packages")
    .action(async (directory, options) => {
      const { init } = await import("./command.js");
      process.exitCode = await init(directory, options, {
        environment: process.env,
        stderr: process.stderr,
        stdout: process.stdout,
      });
    });
