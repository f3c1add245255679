#!/usr/bin/env node
/** The `tenantform` command; each subcommand loads its room only when it is called. */
import { Command, InvalidArgumentError, Option } from "commander";
import { firstLines } from "./text/excerpt";
import { withoutPasswords } from "./text/masked";
import { print } from "./text/printable";
import { version } from "./version";

const program = new Command("tenantform")
  .description("Identity tenants as code: review plans, try stacks on an embedded tenant.")
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
  .option("--tier <name>", "rate limits of this tier: free, essentials, enterprise, enterprise-dev, none", "none")
  .option(
    "--host-name <name>",
    "also accept this host name, in addition to the loopback names; may be repeated",
    gather,
  )
  .option("--tls", "serve https, with a certificate authority made on the spot")
  .option("--data <file>", "keep the tenant in this file")
  .option("--seed <file>", "start from the tenant described in this JSON file")
  .option("--latency <ms>", "milliseconds that every response takes at least", wholeNumber, 0)
  .option("--track-users", "refuse members that are not users of the tenant")
  .option("--shell <name>", "print the settings for: posix (sh, bash, zsh, fish), fish, powershell", "posix")
  .option("--write-env <file>", "write the settings to this file too (node --env-file, direnv), while the tenant runs")
  // Node itself looks for this name behind the script as well, and ends where there is no such file yet.
  .addOption(new Option("--env-file <file>", "the same, for a file that is there").hideHelp())
  .option("--flag <name>", "turn on tenant_acl_match_all or tenant_acl_hmac_signature; may be repeated", gather)
  .option("--enforce", "block, redirect and record requests as the network ACLs say")
  .option("--quiet", "print no line for each request")
  .addHelpText("after", () => helpOnOrigins)
  .action(async (options) => (await import("./emulator/command.js")).emulate(options));

const edge = () => ({ stdin: process.stdin, environment: process.env });

program
  .command("review")
  .description("Show what plans change for requests, limits and members.")
  .argument(
    "[plan...]",
    "output of `terraform show -json`, a saved plan, or a folder such as cdktf.out; else standard input",
  )
  .option("--format <name>", "text, markdown, json, html, sarif or annotations; text on a terminal, else markdown")
  .option("--output <file>", "write to this file instead of standard output")
  .option("--tag <name>", "distinguishes the comments of several workspaces; default: the name of the stack")
  .option("--probe <file>", "requests, as JSON, to evaluate before and after the plan; may be repeated", gather)
  .option(
    "--protect <file>",
    "the lock-out guard of the base branch: requests as JSON, or a plan; may be repeated",
    gather,
  )
  .option("--fail-on <level>", "end with 3 if a finding has at least this level: info, low, medium, high or critical")
  .option(
    "--ignore <code=reason>",
    "do not count findings with this code, for the given reason; may be repeated",
    gather,
  )
  .option("--tenant", "read unmanaged objects from the tenant (TENANT_DOMAIN …)")
  .action(async (plans, options) => {
    const { review } = await import("./review/command.js");
    process.exitCode = await review(plans, options, version, edge());
  });

program
  .command("comment")
  .description("Write a review in markdown as a comment on the pull request of the job. Never fails the job.")
  .argument("[file]", "the markdown; else standard input")
  .addOption(
    new Option("--provider <name>", "code host of the pull request")
      .choices(["github", "gitlab"])
      .makeOptionMandatory(),
  )
  .option("--plan <file>", "write the SHA-256 of this saved plan into the comment, for reviewed-plan")
  .action(async (file, options) => {
    const { comment } = await import("./review/comment.js");
    process.exitCode = await comment(file, options, edge());
  });

program
  .command("reviewed-plan")
  .description("Fetch the reviewed plan of the pull request that this commit merges, and write it to the file plan.")
  .addOption(
    new Option("--provider <name>", "code host of the pull request")
      .choices(["github", "gitlab"])
      .makeOptionMandatory(),
  )
  .option("--tag <name>", "tag of the review", "tenant")
  .option("--from <name>", "artifact (GitHub; default: plan) or job (GitLab; default: review) that keeps the plan")
  .action(async (options) => {
    const { reviewedPlan } = await import("./review/reviewed-plan.js");
    process.exitCode = await reviewedPlan(options, { environment: process.env, directory: process.cwd() });
  });

program
  .command("explain")
  .description("Show which network ACL decides a request, and why the ACLs evaluated before it do not match.")
  .argument("[file]", "a plan or a state, as for review; else standard input")
  .option("--path <path>", "path of the request", "/authorize")
  .option("--ip <address>", "address of the end user")
  .option("--connecting-ip <address>", "address of the host that connects; default: --ip")
  .option("--country <code>", "ISO 3166-1 alpha-2")
  .option("--subdivision <code>", "ISO 3166-2")
  .option("--asn <number>", "AS number", wholeNumber)
  .option("--user-agent <text>", "user agent")
  .option("--hostname <name>", "host name of the request")
  .option("--ja3 <fingerprint>", "of the TLS client")
  .option("--ja4 <fingerprint>", "of the TLS client")
  .option("--managed <list>", "a curated list that the request is on; may be repeated", gather)
  .option("--signature-key <id>", "key of its HTTP message signature")
  .option("--before", "evaluate the ACLs as they are before the plan, not after it")
  .option("--tenant", "read the ACLs from the tenant (TENANT_DOMAIN …) instead of a file")
  .action(async (file, { connectingIp, userAgent, signatureKey, ...options }) => {
    const { explain } = await import("./review/explain.js");
    const facts = { connecting_ip: connectingIp, user_agent: userAgent, signature_key: signatureKey, ...options };
    const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
    process.exitCode = await explain(file, known, edge());
  });

program
  .command("install")
  .description("Install the provider where Terraform and OpenTofu look for it, for plain HCL.")
  .option("--dir <folder>", "beside the configuration in this folder, instead of for this user")
  .option(
    "--native [from]",
    "as an executable without Node: from the release, an https URL, a folder of zips, or a zip",
  )
  .option("--clean", "remove other versions from there")
  .action(async (options) => {
    const [{ install }, { placed }] = await Promise.all([
      import("./install/install.js"),
      import("./install/obstacle.js"),
    ]);
    print(process.stdout, await placed(() => install(options)));
  });

program
  .command("mirror")
  .description("Write a mirror of the provider: for -plugin-dir, agents, images, and networks without a way out.")
  .argument("<folder>", "folder of the mirror; its other providers and versions stay")
  .option("--native [from]", "executables without Node: from the release, an https URL, a folder of zips, or a zip")
  .option("--platform <name>", "with --native, only this platform, such as linux_amd64; may be repeated", gather)
  .option("--clean", "remove other versions from there")
  .action(async (folder, options) => {
    const [{ mirror }, { placed }] = await Promise.all([
      import("./install/mirror.js"),
      import("./install/obstacle.js"),
    ]);
    print(process.stdout, await placed(() => mirror(folder, options)));
  });

program
  .command("adopt")
  .description(
    "Write an existing tenant as a stack with an import for every object, and prove with a plan that the two are the same.",
  )
  .argument("<directory>", "folder for the files; existing files stay unchanged")
  .option("--to <language>", "typescript or hcl; default: hcl if the folder has .tf files, else typescript")
  .option("--only <kinds>", "only these kinds, separated by commas: acls, policies, members, keys")
  .option("--from-state <file>", "adopt the objects that the Go provider manages, instead of reading the tenant")
  .option("--organization <id>", "only members of this organization; may be repeated", gather)
  .action(async (directory, options) => {
    const { adopt } = await import("./adopt/command.js");
    process.exitCode = await adopt(directory, options, {
      environment: process.env,
      stderr: process.stderr,
      stdout: process.stdout,
    });
  });

/** Characters of an error, which may quote what a server says. */
const mostOfError = 4_000;

program.parseAsync().catch((error: Error) => {
  print(process.stderr, `${firstLines(withoutPasswords(error.message), mostOfError)}\n`);
  process.exitCode = 1;
});
