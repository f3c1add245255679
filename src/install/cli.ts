/** The options of `tenantform install` and `tenantform mirror`. */
import type { Command } from "commander";
import { placed } from "./placing";
import { gather } from "../text/command-line";
import { print } from "../text/printable";

export const installCommand = (program: Command) =>
  program
    .command("install")
    .description("Install the provider into a folder where Terraform and OpenTofu find it. Only plain HCL needs this.")
    .option("--dir <folder>", "install for the configuration in this folder instead of for this user")
    .option(
      "--native [from]",
      "install the executable, which needs no Node, from an https URL, a folder of zips, or a zip; default: the release",
    )
    .option("--clean", "remove other versions from the folder")
    .action(async (options) => {
      const { install } = await import("./install.js");
      print(process.stdout, await placed(() => install(options)));
    });

export const mirrorCommand = (program: Command) =>
  program
    .command("mirror")
    .description(
      "Write a provider mirror: a folder from which Terraform installs the provider without internet access.",
    )
    .argument("<folder>", "folder of the mirror; other providers and versions in it stay")
    .option(
      "--native [from]",
      "mirror the executables, which need no Node, from an https URL, a folder of zips, or a zip; default: the release",
    )
    .option("--platform <name>", "with --native: only this platform, such as linux_amd64; repeatable", gather)
    .option("--clean", "remove other versions from the folder")
    .action(async (folder, options) => {
      const { mirror } = await import("./mirror.js");
      print(process.stdout, await placed(() => mirror(folder, options)));
    });
