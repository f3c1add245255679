/** The options of `tenantform compare`. */
import type { Command } from "commander";
import { edge, gather } from "../text/command-line";

export const compareCommand = (program: Command) =>
  program
    .command("compare")
    .description("Show what the second configuration or tenant does otherwise than the first.")
    .argument("<first>", "a plan, a state, a folder such as cdktf.out, or a tenant: env or env:PREFIX")
    .argument(
      "<second>",
      "the same; env reads TENANT_DOMAIN, TENANT_CLIENT_ID and TENANT_CLIENT_SECRET (or TENANT_ACCESS_TOKEN), env:PREFIX reads PREFIX_TENANT_DOMAIN and so on",
    )
    .option("--format <name>", "text, markdown, json or html; default: by the extension of --output, else text")
    .option("-o, --output <file>", "write to this file instead of standard output; repeatable", gather)
    .action(async (first, second, options) => {
      const { compare } = await import("./command.js");
      process.exitCode = await compare(first, second, options, edge());
    });
