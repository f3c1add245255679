/** The options of `tenantform emulate`. */
import { Option, type Command } from "commander";
import { gather, wholeNumber } from "../formats/text/command-line";

const helpOnOrigins = `
With --enforce, a request can name its origin in this header. Every field is
optional. The default for the address, the user agent and the host name is that
of the request itself.
  X-Tenantform-Origin: ip=203.0.113.7; country=DE; subdivision=DE-BE; asn=64500;
    user_agent="a; b"; hostname=acme.example; connecting_ip=198.51.100.1;
    ja3=...; ja4=...; managed=auth0.tor,auth0.vpn`;

export const emulateCommand = (program: Command) =>
  program
    .command("emulate")
    .description("Start an embedded tenant, and print the environment variables that connect the provider to it.")
    .optionsGroup("The tenant:")
    .option("--data <file>", "store the tenant in this file, and load it from there at the next start")
    .option("--seed <file>", "start with the objects in this JSON file")
    .option(
      "--flag <name>",
      "turn on a feature of the tenant: tenant_acl_match_all or tenant_acl_hmac_signature; repeatable",
      gather,
    )
    .option(
      "--tier <name>",
      "apply the rate limits of this tier: free, essentials, enterprise, enterprise-dev or none",
      "none",
    )
    .option("--enforce", "apply the network ACLs and rate limit policies to requests")
    .option("--track-users", "refuse to add members that are not users of the tenant")
    .option("--latency <ms>", "delay each response by at least this many milliseconds", wholeNumber, 0)
    .optionsGroup("Its address:")
    .option("--port <number>", "listen on this port of 127.0.0.1; 0 chooses a free port", wholeNumber, 0)
    .option("--host-name <name>", "accept this host name in addition to the loopback names; repeatable", gather)
    .option("--tls", "serve https, with a new certificate authority")
    .optionsGroup("The process:")
    .option("--shell <name>", "print the variables for this shell: posix (sh, bash, zsh), fish or powershell", "posix")
    .option(
      "--write-env <file>",
      "also write the variables to this file, for node --env-file or direnv; the file is removed when the tenant ends, and the tenant ends when the file is removed",
    )
    .option("--quiet", "do not print a line for each request")
    .option("--detach", "keep running when the process that started it ends")
    .option("--idle <minutes>", "end after so many minutes without a request", wholeNumber)
    .addOption(new Option("--background <file>").hideHelp())
    .addHelpText("after", () => helpOnOrigins)
    .action(async ({ background: file, ...options }) => {
      if (file === undefined) return (await import("./command.js")).emulate(options);
      return (await import("./background.js")).background(file, process.argv[1]!);
    });
