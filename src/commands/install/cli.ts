/** The options of `tenantform install`. */
import type { Command } from "commander";
import { placed } from "./placing";
import { print } from "../../formats/text/printable";

export const installCommand = (program: Command) =>
  program
    .command("install")
    .description("Install the provider into a folder where Terraform and OpenTofu find it. Only plain HCL needs this.")
    .option("--dir <folder>", "install for the configuration in this folder instead of for this user")
    .option("--clean", "remove other versions from the folder")
    .action(async (options) => {
      const { install } = await import("./install.js");
      print(process.stdout, await placed(() => install(options)));
    });
