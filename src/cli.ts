#!/usr/bin/env node
/** The `tenantform` command; each subcommand loads its room only when it is called. */
import { Command, InvalidArgumentError, Option } from "commander";
import { version } from "./version";

const program = new Command("tenantform")
  .description("Identity tenants as code: try stacks on an embedded tenant.")
  .version(version);

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError("give a whole number of 0 or more.");
}

const helpOnOrigins = `
With --enforce, a header of the request says where it comes from; what it leaves out, the request does not have, but for
its own address, user agent and host name:
  X-Tenantform-Origin: ip=203.0.113.7; country=DE; subdivision=DE-BE; asn=64500; user_agent="a; b"; hostname=acme.example;
    connecting_ip=198.51.100.1; ja3=...; ja4=...; managed=auth0.tor,auth0.vpn
The page at / tells what would happen to a request, and always answers.`;

const gather = (value: string, previous: string[] = []) => [...previous, value];

program
  .command("emulate")
  .description("Start an embedded tenant, and print the lines that point the provider at it.")
  .option("--port <number>", "port on 127.0.0.1; a free one for 0", wholeNumber, 0)
  .option("--tier <name>", "rate limits of: free, essentials, enterprise, enterprise-dev, none", "none")
  .option("--host-name <name>", "answer to this name too, beside the loopback's; may be repeated", gather)
  .option("--tls", "serve https, with a certificate authority made on the spot")
  .option("--data <file>", "keep the tenant in this file")
  .option("--seed <file>", "start from the tenant described in this JSON file")
  .option("--latency <ms>", "milliseconds that every answer takes at least", wholeNumber, 0)
  .option("--track-users", "refuse members that are not users of the tenant")
  .option("--shell <name>", "print the settings for: posix (sh, bash, zsh, fish), fish, powershell", "posix")
  .option("--write-env <file>", "write the settings to this file too (node --env-file, direnv), while the tenant runs")
  // Node itself looks for this name behind the script as well, and ends where there is no such file yet.
  .addOption(new Option("--env-file <file>", "the same, for a file that is there").hideHelp())
  .option("--flag <name>", "have tenant_acl_match_all or tenant_acl_hmac_signature; may be repeated", gather)
  .option("--enforce", "block, redirect and record requests as the network ACLs say")
  .option("--quiet", "no line for each request")
  .addHelpText("after", () => helpOnOrigins)
  .action(async (options) => (await import("./emulator/command.js")).emulate(options));

program.parseAsync().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
