#!/usr/bin/env node
/** The `tenantform` command; each subcommand loads its room only when it is called. */
import { Command, InvalidArgumentError, Option } from "commander";
import { placed } from "./install/placing";
import { kinds } from "./kinds/kinds";
import { firstLines } from "./text/excerpt";
import { withoutPasswords } from "./text/masked";
import { withCommandPage, withHelp } from "./text/page";
import { print } from "./text/printable";
import { version } from "./version";

export const program = new Command("tenantform")
  .description("Identity tenants as code: review plans, adopt existing tenants, and try stacks on an embedded tenant.")
  .version(version)
  .configureOutput({ outputError: (text) => print(process.stderr, withHelp(text, commandName(), version)) });

const commandName = () => program.commands.map((command) => command.name()).find((name) => name === program.args[0]);

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError("give a whole number, 0 or greater.");
}

const helpOnOrigins = `
With --enforce, a request can name its origin in this header. Every field is optional. The default for the address, the user agent
and the host name is that of the request itself.
  X-Tenantform-Origin: ip=203.0.113.7; country=DE; subdivision=DE-BE; asn=64500; user_agent="a; b"; hostname=acme.example;
    connecting_ip=198.51.100.1; ja3=...; ja4=...; managed=auth0.tor,auth0.vpn
The page at / is never blocked.`;

const helpOnTests = `
Exit code 0: all expectations hold. 1: an expectation is broken or undecided, or the time in expires_at has passed. An
undecided expectation with severity "warning" does not count. 2: error. The command changes nothing.`;

const helpOnReviews = `
Exit code 0: reviewed. 1: wrong usage. 2: an input cannot be read, or --domain refuses it. 3: a finding reaches --fail-on. 4: the
plan does not mean what was --approved. The command changes nothing.`;

const gather = (value: string, previous: string[] = []) => [...previous, value];

program
  .command("emulate")
  .description("Start an embedded tenant, and print the environment variables that connect the provider to it.")
  .option("--port <number>", "listen on this port of 127.0.0.1; 0 chooses a free port", wholeNumber, 0)
  .option(
    "--tier <name>",
    "apply the rate limits of this tier: free, essentials, enterprise, enterprise-dev or none",
    "none",
  )
  .option("--host-name <name>", "accept this host name in addition to the loopback names; repeatable", gather)
  .option("--tls", "serve https, with a new certificate authority")
  .option("--data <file>", "store the tenant in this file, and load it from there at the next start")
  .option("--seed <file>", "start with the objects in this JSON file")
  .option("--latency <ms>", "delay each response by at least this many milliseconds", wholeNumber, 0)
  .option("--track-users", "refuse to add members that are not users of the tenant")
  .option("--shell <name>", "print the variables for this shell: posix (sh, bash, zsh), fish or powershell", "posix")
  .option(
    "--write-env <file>",
    "also write the variables to this file, for node --env-file or direnv; the file is removed when the tenant ends",
  )
  // Node reads --env-file after the script name too, and ends if the file does not exist.
  .addOption(new Option("--env-file <file>", "the same, for a file that exists").hideHelp())
  .option(
    "--flag <name>",
    "turn on a feature of the tenant: tenant_acl_match_all or tenant_acl_hmac_signature; repeatable",
    gather,
  )
  .option("--enforce", "apply the network ACLs and rate limit policies to requests, and keep a log of events")
  .option(
    "--traffic <file>",
    "write the log of a made-up week of requests to this file (JSON lines, gzip for .gz), and exit",
  )
  .option("--requests <number>", "with --traffic: number of requests", wholeNumber, 1_000_000)
  .option("--traffic-seed <number>", "with --traffic: the same number writes the same week", wholeNumber, 1)
  .option("--quiet", "do not print a line for each request")
  .option("--detach", "keep running when the process that started it ends")
  .addHelpText("after", () => helpOnOrigins)
  .action(async (options) => (await import("./emulator/command.js")).emulate(options));

/** The end of the help of an option that reads the tenant. */
const needsTenant =
  "needs TENANT_DOMAIN, and TENANT_CLIENT_ID with TENANT_CLIENT_SECRET or TENANT_ACCESS_TOKEN, in the environment";

const edge = () => ({ stdin: process.stdin, environment: process.env });

program
  .command("review")
  .description("Show what a plan does to requests, rate limits and members.")
  .argument(
    "[plan...]",
    "a saved plan, the output of `terraform show -json`, or a folder such as cdktf.out; default: standard input, or at a terminal the plan of this folder",
  )
  .option(
    "--format <name>",
    "text, markdown, json, html, sarif or annotations; default: by the extension of --output, else text on a terminal, markdown elsewhere",
  )
  .option(
    "--output <file>",
    "write to this file instead of standard output; .txt, .md, .json, .html or .sarif selects the format; repeatable",
    gather,
  )
  .option("--domain <name>", "refuse plans that are for another tenant, or that do not name their tenant")
  .option(
    "--tag <name>",
    "tag of the comment, which only a comment with the same tag replaces; default: the names of the stacks and the workspace",
  )
  .option("--probe <file>", "evaluate the requests in this JSON file before and after the plan; repeatable", gather)
  .option(
    "--protect <file>",
    "also apply the lock-out guard and the expectations of the base branch: the folder of its configuration, a JSON file, or a plan; repeatable",
    gather,
  )
  .option(
    "--expect <file>",
    "also judge the expectations in this file: JSON or HCL with expectations, or a plan of the base branch; repeatable",
    gather,
  )
  .option(
    "--fail-on <level>",
    "end with exit code 3 if a finding has this level or a higher one: info, low, medium, high or critical",
  )
  .option(
    "--ignore <code=reason>",
    "do not count findings with this code for --fail-on; the review shows the reason; repeatable",
    gather,
  )
  .option(
    "--approved <file>",
    "prove that the plan has the effects of this earlier review (JSON); otherwise show the difference and end with exit code 4",
  )
  .option("--approved-for-any-tenant", "accept with --approved also the review of another tenant, as for a promotion")
  .option("--tenant", `also read unmanaged objects from the tenant; ${needsTenant}`)
  .option(
    "--logs <path>",
    "replay the logged requests in this file or folder; - for standard input; repeatable",
    gather,
  )
  .option("--since <time>", "with --logs: replay only events since then, such as 7d, 12h or 2026-11-15")
  .option(
    "--enforcement-level <level>",
    "level of TNF-ENFORCEMENT-UNPROVEN: a rule goes from log to block, and no log shows which requests it affects",
    "medium",
  )
  .option("--enforcement-window <time>", "time that --logs must cover to prevent TNF-ENFORCEMENT-UNPROVEN", "3d")
  .addHelpText("after", () => helpOnReviews)
  .action(async (plans, options) => {
    const { review } = await import("./review/command.js");
    process.exitCode = await review(plans, options, version, edge());
  });

program
  .command("replay")
  .description("Show which logged requests would have another outcome after a plan.")
  .argument(
    "[plan...]",
    "a plan, in the formats of review; default: standard input, or at a terminal the plan of this folder",
  )
  .option(
    "--logs <path>",
    "read log events from this file or folder, also gzip; - for standard input; repeatable",
    gather,
  )
  .option("--tenant", `read the log and unmanaged objects from the tenant; ${needsTenant}`)
  .option("--since <time>", "only events since then, such as 7d, 12h or 2026-11-15; with --tenant, default: 7d")
  .option("--format <name>", "text, markdown, json or html; default: text on a terminal, markdown elsewhere")
  .option(
    "--output <file>",
    "write to this file instead of standard output; its extension selects the format; repeatable",
    gather,
  )
  .option("--show <what>", "users: show the names of the affected users; works only on a terminal")
  .action(async (plans, options) => {
    const { replay } = await import("./review/replay/command.js");
    process.exitCode = await replay(plans, options, edge());
  });

program
  .command("test")
  .description("Judge the expectations of a plan, a state, a synthesized stack or the tenant itself.")
  .argument(
    "[input]",
    "a plan, a state, or a folder such as cdktf.out; default: standard input, or with --tenant the tenant alone",
  )
  .option(
    "--expect <file>",
    "also judge the expectations in this file: JSON or HCL with expectations, or a plan; repeatable",
    gather,
  )
  .option("--tenant", `also read unmanaged objects from the tenant; ${needsTenant}`)
  .option("--format <name>", "text, json or junit", "text")
  .option("--output <file>", "write to this file instead of standard output")
  .addHelpText("after", () => helpOnTests)
  // 1 says that an expectation does not hold.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(async (input, options) => {
    const { test } = await import("./review/test-command/command.js");
    process.exitCode = await test(input, options, edge());
  });

program
  .command("compare")
  .description("Show how the second configuration or tenant differs in meaning from the first.")
  .argument("<first>", "a plan, a state, a folder with stacks or HCL files, or a tenant: env or env:PREFIX")
  .argument(
    "<second>",
    "the same; env reads TENANT_DOMAIN, TENANT_CLIENT_ID and TENANT_CLIENT_SECRET (or TENANT_ACCESS_TOKEN), env:PREFIX reads PREFIX_TENANT_DOMAIN and so on",
  )
  .option(
    "--format <name>",
    "text, markdown, json or html; default: by the extension of --output, else text on a terminal, markdown elsewhere",
  )
  .option("--output <file>", "write to this file instead of standard output; repeatable", gather)
  .addHelpText(
    "after",
    "\nExit code 0: proven equal. 1: different, or not known. 2: error. The command changes nothing.",
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(async (first, second, options) => {
    const { compare } = await import("./compare/command.js");
    process.exitCode = await compare(first, second, options, edge());
  });

program
  .command("comment")
  .description(
    "Write a markdown review as a comment on the pull request of this job. If that fails, the job does not fail.",
  )
  .argument("[file]", "markdown file; default: standard input")
  .addOption(
    new Option("--provider <name>", "code host of the pull request")
      .choices(["github", "gitlab"])
      .makeOptionMandatory(),
  )
  .option(
    "--tag <name>",
    "tag of the review; if the file has no review with this tag, the comment says that there is none",
  )
  .action(async (file, options) => {
    const { comment } = await import("./review/ci/comment.js");
    process.exitCode = await comment(file, options, edge());
  });

program
  .command("explain")
  .description("Show which network ACL decides a request, and why the ACLs evaluated before it do not match.")
  .argument(
    "[file]",
    "a plan or a state, in the formats of review; default: standard input, or at a terminal the plan of this folder",
  )
  .option("--path <path>", "path of the request", "/authorize")
  .option("--ip <address>", "address of the end user")
  .option("--connecting-ip <address>", "address of the host that connects; default: --ip")
  .option("--country <code>", "country of the address (ISO 3166-1 alpha-2, such as DE)")
  .option("--subdivision <code>", "subdivision of the country (ISO 3166-2, such as DE-BE)")
  .option("--asn <number>", "number of the autonomous system", wholeNumber)
  .option("--user-agent <text>", "user agent of the request")
  .option("--hostname <name>", "host name of the request")
  .option("--ja3 <fingerprint>", "JA3 fingerprint of the TLS client")
  .option("--ja4 <fingerprint>", "JA4 fingerprint of the TLS client")
  .option("--managed <list>", "curated list that contains the address, such as auth0.tor; repeatable", gather)
  .option("--signature-key <id>", "id of the key that signs the request (HTTP message signature)")
  .option("--before", "evaluate the ACLs before the plan instead of after it")
  .option(
    "--tenant",
    `read the ACLs of the tenant that the plan does not manage, or all without a plan; ${needsTenant}`,
  )
  .action(async (file, { connectingIp, userAgent, signatureKey, ...options }) => {
    const { explain } = await import("./review/explain.js");
    const facts = { connecting_ip: connectingIp, user_agent: userAgent, signature_key: signatureKey, ...options };
    const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
    process.exitCode = await explain(file, known, edge());
  });

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
    const { install } = await import("./install/install.js");
    print(process.stdout, await placed(() => install(options)));
  });

program
  .command("mirror")
  .description("Write a provider mirror: a folder from which Terraform installs the provider without internet access.")
  .argument("<folder>", "folder of the mirror; other providers and versions in it stay")
  .option(
    "--native [from]",
    "mirror the executables, which need no Node, from an https URL, a folder of zips, or a zip; default: the release",
  )
  .option("--platform <name>", "with --native: only this platform, such as linux_amd64; repeatable", gather)
  .option("--clean", "remove other versions from the folder")
  .action(async (folder, options) => {
    const { mirror } = await import("./install/mirror.js");
    print(process.stdout, await placed(() => mirror(folder, options)));
  });

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
  .option("--from-state <file>", "adopt the objects in this state of the auth0 provider, instead of reading the tenant")
  .option("--organization <id>", "adopt only members of this organization; repeatable", gather)
  .action(async (directory, options) => {
    const { adopt } = await import("./adopt/command.js");
    process.exitCode = await adopt(directory, options, {
      environment: process.env,
      stderr: process.stderr,
      stdout: process.stdout,
    });
  });

program
  .command("init")
  .description("Start a project with a stack, an expectation, a test, and a pipeline that reviews pull requests.")
  .argument("[directory]", "folder of the project; existing files stay unchanged", ".")
  .option("--language <name>", "cdktf, cdktn or hcl; default: the language of the folder, else cdktf")
  .option("--adopt", `write the objects of an existing tenant as the stack; ${needsTenant}`)
  .option(
    "--ci <name>",
    "write a pipeline for github, gitlab or none; default: the code host of the git repository, else github",
  )
  .option("--no-install", "do not install packages")
  .action(async (directory, options) => {
    const { init } = await import("./init/command.js");
    process.exitCode = await init(directory, options, {
      environment: process.env,
      stderr: process.stderr,
      stdout: process.stdout,
    });
  });

/** Longest error in characters. It may quote a server. */
const mostOfError = 4_000;

/** `npm run generate` only reads the commands. */
const parsed = require.main === module ? program.parseAsync() : Promise.resolve(program);
parsed.catch((error: Error) => {
  const message = firstLines(withoutPasswords(error.message), mostOfError);
  print(process.stderr, withCommandPage(message, program.args[0] ?? "", version));
  process.exitCode = 1;
});
