/** `npm run bench`: measures plans and applies on the embedded tenant, and compares them with the physical limit and other programs. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Tier } from "../../emulator/http/limit";
import { version } from "../../version";
import { measureAclChanges } from "./acl-changes";
import { measureEmbedded } from "./embedded";
import { measureExpectations } from "./expectations";
import { baselineOf, regressions, type Baseline } from "./baseline";
import { contendersOf, type PeerOptions } from "./contender";
import { measureUnderLimit } from "./under-limit";
import { measureDeployCli } from "./deploy-cli";
import { measureLife } from "./life";
import { measuresOf, type Comparison } from "./measures";
import { measureParallel } from "./parallel";
import { succeed } from "./program";
import { textOf, type Report } from "./report";
import { memberSetOf, stackOf } from "./stack";
import { measureStartUp } from "./start-up";
import { measureStack, terraform, type Bench } from "./terraform";
import { measureTimelines } from "./timeline";

const parts = [
  "acls",
  "compare",
  "embedded",
  "expectations",
  "parallel",
  "terraform",
  "timeline",
  "under-limit",
] as const;
const tiers = ["none", "essentials", "enterprise"] as const satisfies readonly Tier[];

interface Options extends PeerOptions {
  json?: string | true;
  full: boolean;
  deployCli: boolean;
  sizes: number[];
  acls: number[];
  timeline: boolean;
  updateBaseline: boolean;
  rounds?: string;
  stacks: number[];
  members: number[];
  tiers: Tier[];
  parallel: number[];
  only: (typeof parts)[number][];
}

const latency = 0.1;
const baselineFile = path.join(__dirname, "baseline.json");
/** Longest measurement in seconds, and longest benchmark in minutes. */
const profiles = { usual: { longest: 45, minutes: 30 }, full: { longest: Infinity, minutes: 180 } };

const numbers = (text: string) =>
  text.split(",").map((part) => {
    if (/^[1-9]\d*$/.test(part)) return Number(part);
    throw new InvalidArgumentError("give whole numbers, separated by commas.");
  });

const some =
  <T extends string>(known: readonly T[]) =>
  (text: string) =>
    text.split(",").map((part) => {
      if (known.includes(part as T)) return part as T;
      throw new InvalidArgumentError(`choose from ${known.join(", ")}, separated by commas.`);
    });

function optionsOf(argv: readonly string[]): Options {
  return new Command("bench")
    .option("--json [file]", "write the figures as JSON to this file, or to stdout instead of the table")
    .option("--full", "measure everything, also what takes long", false)
    .option("--deploy-cli", "also measure auth0-deploy-cli, installed into a temporary folder", false)
    .option("--peer <executable>", "also measure this provider, such as the Go provider")
    .option("--peer-source <address>", "namespace and type of the other provider", "auth0/auth0")
    .option("--peer-policy <type>", "type of a rate limit policy in the other provider", "auth0_rate_limit_policy")
    .addOption(
      new Option("--sizes <numbers>", "sizes of the stacks that the providers are compared with")
        .argParser(numbers)
        .default([1, 10, 100]),
    )
    .option("--peer-acl <type>", "type of a network ACL in the other provider", "auth0_network_acl")
    .addOption(new Option("--acls <numbers>", "the same for stacks of network ACLs").argParser(numbers).default([10]))
    .option("--timeline", "only show when each process of the provider gets calls and sends requests", false)
    .option("--update-baseline", "write the measured ratios to baseline.json instead of comparing them with it", false)
    .option(
      "--rounds <number>",
      "rounds of each measurement; default: 20 starts, 7 of the smallest stacks, 5 of expectations, 3 of others. Fewer than 3 are not compared with the baseline",
    )
    .addOption(
      new Option("--stacks <numbers>", "sizes of the stacks that are compared with the limit")
        .argParser(numbers)
        .default([10, 100, 1000]),
    )
    .addOption(
      new Option("--members <numbers>", "sizes of the member sets that are compared with the limit")
        .argParser(numbers)
        .default([100, 10_000]),
    )
    .addOption(new Option("--tiers <names>", "tiers of rate limits").argParser(some(tiers)).default([...tiers]))
    .addOption(
      new Option("--parallel <numbers>", "numbers of runs at the same time").argParser(numbers).default([2, 4, 8]),
    )
    .addOption(
      new Option("--only <parts>", "parts to measure")
        .argParser(some(parts))
        .default(parts.filter((part) => part !== "timeline")),
    )
    .parse(argv)
    .opts<Options>();
}

async function terraformVersion({ folder, signal }: Bench): Promise<string> {
  const { output } = await succeed(terraform, ["version", "-json"], { cwd: folder, signal, timeout: 60 });
  return (JSON.parse(output) as { terraform_version: string }).terraform_version;
}

/** Fills the report. If this fails, the report has everything that was measured so far. */
async function measure(bench: Bench, report: Report, options: Options) {
  const { stacks, members, tiers: chosen } = options;
  const only = options.timeline ? ["timeline"] : options.only;
  const rounds = options.rounds === undefined ? undefined : Number(options.rounds);
  report.versions.terraform = await terraformVersion(bench);
  if (only.includes("acls")) {
    report.aclChanges = [];
    for (const tier of chosen.filter((one) => one !== "none"))
      report.aclChanges.push(...(await measureAclChanges(bench, contendersOf(options).contenders, tier)));
  }
  if (only.includes("compare")) {
    const { contenders, absent } = contendersOf(options);
    for (const what of absent) bench.say(`missing: ${what}`);
    report.comparison = { startUp: await measureStartUp(bench, contenders, rounds), lives: [], absent };
    for (const size of options.sizes)
      report.comparison.lives.push(...(await measureLife(bench, contenders, size, "policy", rounds)));
    for (const size of options.acls)
      report.comparison.lives.push(...(await measureLife(bench, contenders, size, "acl", rounds)));
  }
  if (only.includes("timeline")) report.timelines = await measureTimelines(bench, contendersOf(options).contenders);
  if (only.includes("embedded")) report.embedded = await measureEmbedded(bench);
  if (only.includes("expectations")) report.expectations = measureExpectations(bench, rounds);
  if (only.includes("parallel")) report.parallel = await measureParallel(bench, options.parallel);
  if (only.includes("under-limit")) {
    const { contenders } = contendersOf(options);
    report.underLimit = [];
    for (const tier of chosen.filter((one) => one !== "none")) {
      for (const size of options.sizes.filter((one) => one >= 10))
        report.underLimit.push(...(await measureUnderLimit(bench, contenders, size, tier)));
    }
  }
  if (only.includes("terraform")) {
    for (const stack of [...stacks.map(stackOf), ...members.map(memberSetOf)]) {
      const { rows, leftOut } = await measureStack(bench, stack, chosen);
      report.terraform.push(...rows);
      report.leftOut.push(...leftOut);
    }
  }
  if (options.deployCli) {
    report.deployCli = await measureDeployCli(bench, stacks, chosen, report.terraform);
    report.leftOut.push(...report.deployCli.leftOut);
  }
}

async function main(): Promise<void> {
  const options = optionsOf(process.argv);
  const { longest, minutes } = options.full ? profiles.full : profiles.usual;
  const began = performance.now();
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stopping.abort(new Error("Interrupted")));
  }
  const late = setTimeout(
    () => stopping.abort(new Error(`The benchmark did not end within ${minutes} minutes`)),
    minutes * 60_000,
  );
  const folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-bench-"));
  const bench: Bench = {
    folder,
    latency,
    longest,
    repeats: Number(options.rounds ?? 3),
    signal: stopping.signal,
    say(line) {
      const seconds = ((performance.now() - began) / 1000).toFixed(0).padStart(4);
      process.stderr.write(`[${seconds} s] ${line}\n`);
    },
  };
  const report: Report = {
    versions: { product: version, node: process.versions.node },
    machine: {
      platform: `${os.platform()} ${os.arch()}`,
      processors: os.availableParallelism(),
      load: os.loadavg()[0]!,
    },
    latency: latency * 1000,
    terraform: [],
    leftOut: [],
  };
  try {
    await measure(bench, report, options);
  } finally {
    clearTimeout(late);
    await rm(folder, { recursive: true, force: true });
    const json = `${JSON.stringify(report, null, 2)}\n`;
    if (typeof options.json === "string") await writeFile(options.json, json);
    process.stdout.write(options.json === true ? json : textOf(report));
  }
  if (report.comparison) await compareWithBaseline(report.comparison, options);
}

/** With fewer rounds, one slow start of a process would count as a regression. */
const fewestRounds = 3;

/** Exits with 1 if a figure is worse than its baseline allows. */
async function compareWithBaseline(comparison: Comparison, { updateBaseline, rounds }: Options): Promise<void> {
  const measures = measuresOf(comparison);
  const baseline = JSON.parse(await readFile(baselineFile, "utf8")) as Baseline;
  if (updateBaseline) {
    const json = `${JSON.stringify(baselineOf(measures, baseline), null, 2)}\n`;
    return writeFile(baselineFile, json);
  }
  if (Number(rounds ?? fewestRounds) < fewestRounds) return;
  const worse = regressions(measures, baseline);
  if (worse.length === 0) return;
  process.stderr.write(`worse than the baseline:\n${worse.map((line) => `  ${line}\n`).join("")}`);
  process.exitCode = 1;
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
