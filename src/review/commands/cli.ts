/** The options of the commands that read plans: review, comment and explain. */
import { Option, type Command } from "commander";
import { factNames, rowOf, type FactName } from "../../judge/access/access";
import { edge, gather, needsTenant, wholeNumber } from "../../formats/text/command-line";
import { version } from "../../version";

export const reviewCommand = (program: Command) =>
  program
    .command("review")
    .description("Show what a plan does to people: who is blocked, who gets in, who loses access.")
    .argument(
      "[plan...]",
      "a saved plan, the output of `terraform show -json PLAN`, or a folder such as cdktf.out; default: standard input, or at a terminal the plan of this folder",
    )
    .optionsGroup("Print:")
    .option(
      "--format <name>",
      "text, markdown, json, html, sarif or annotations; default: by the extension of --output, else text",
    )
    .option(
      "-o, --output <file>",
      "write to this file instead of standard output; .txt, .md, .json, .html or .sarif selects the format; repeatable",
      gather,
    )
    .option(
      "--only <part>",
      "expectations: print only which expectations hold; the input can also be a state, a cdk.tf.json, a folder with synthesized stacks, or, with --tenant, none: the tenant as it is",
    )
    .option(
      "--tag <name>",
      "tag of the comment, which only a comment with the same tag replaces; default: the names of the stacks and the workspace",
    )
    .optionsGroup("Fail or approve:")
    .option(
      "--fail-on <level>",
      "end with exit code 3 if an effect has this level or a higher one: info, low, medium, high or critical; default with --only: medium",
    )
    .option(
      "--ignore <code=reason>",
      "do not count effects with this code for --fail-on; the review shows the reason; repeatable",
      gather,
    )
    .option(
      "--same-as <file>",
      "check that the plan makes exactly the changes of this earlier review (JSON); otherwise show the difference and end with exit code 4",
    )
    .option("--domain <name>", "refuse plans that are for another tenant, or that do not name their tenant")
    .optionsGroup("Judge by:")
    .option(
      "--base <path>",
      "also apply the lock-out guard, the expectations and the rows of the base branch: the folder of its configuration, or a plan as JSON; repeatable",
      gather,
    )
    .option("--expect <file>", "also judge the expectations in this file: JSON, HCL or a plan; repeatable", gather)
    .option(
      "--rules <file>",
      "also judge changes of Auth0 resources by the rows in this JSON file, beside those of .tenantform/rules.json in the folder of --base; list: print all rows; repeatable",
      gather,
    )
    .optionsGroup("Read more:")
    .option(
      "--plan-output <file>",
      "the output of `terraform plan`, as text or as the stream of -json: its errors stand first, also if there is no plan file",
    )
    .option(
      "--plan-exit-code <number>",
      "the exit code of `terraform plan`; the plan succeeded if it is 0, or 2 with -detailed-exitcode",
      wholeNumber,
    )
    .option("--tenant", `also read unmanaged objects from the tenant; ${needsTenant}`)
    .option(
      "--logs <path>",
      "also replay the logged requests in this file or folder, plain or gzip; - for standard input; repeatable",
      gather,
    )
    .option("--since <time>", "with --logs: replay only events since then, such as 7d, 12h or 2026-11-15")
    .action(async (plans, options) => {
      const { review } = await import("./command.js");
      process.exitCode = await review(plans, options, version, edge());
    });

export const commentCommand = (program: Command) =>
  program
    .command("comment")
    .description(
      "Write a markdown review as a comment on the pull request of this job. If that fails, the job does not fail.",
    )
    .argument("[file]", "markdown file; default: standard input")
    .addOption(
      new Option("--provider <name>", "code host of the pull request; required")
        .choices(["github", "gitlab"])
        .makeOptionMandatory(),
    )
    .option(
      "--tag <name>",
      "tag of the review; if the file has no review with this tag, the comment says that there is none",
    )
    .action(async (file, options) => {
      const { comment } = await import("./comment.js");
      process.exitCode = await comment(file, options, edge());
    });

export function explainCommand(program: Command): void {
  const explaining = program
    .command("explain")
    .description("Show which network ACL decides a request, and why the ACLs evaluated before it do not match.")
    .argument(
      "[file]",
      "a plan or a state, in the formats of review; default: standard input, or at a terminal the plan of this folder",
    );
  explaining.optionsGroup("The request:");
  for (const name of factNames) explaining.addOption(factOption(name));
  explaining
    .optionsGroup("The ACLs:")
    .option("--before", "evaluate the ACLs before the plan instead of after it")
    .option(
      "--tenant",
      `read the ACLs of the tenant that the plan does not manage, or all without a plan; ${needsTenant}`,
    )
    .action(async (file, { before, tenant, ...options }) => {
      const { explain } = await import("./explain.js");
      // Commander names options like variables.
      const named = Object.entries(options).map(([name, value]) => [
        name.replace(/[A-Z]/g, "_$&").toLowerCase(),
        value,
      ]);
      process.exitCode = await explain(file, { ...Object.fromEntries(named), before, tenant }, edge());
    });
}

function factOption(name: FactName): Option {
  const { kind, placeholder, help } = rowOf(name);
  const words = help
    .replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())
    .replace(/\. Default: `(\w+)`/, "; default: --$1")
    .replace(/\.$/, "")
    .replaceAll("`", "");
  const flag = `--${name.replaceAll("_", "-")} <${placeholder}>`;
  const option = new Option(flag, kind === "list" ? `${words}; repeatable` : words);
  if (kind === "list") option.argParser(gather);
  if (kind === "number") option.argParser(wholeNumber);
  return name === "path" ? option.default("/authorize") : option;
}
