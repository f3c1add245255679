/** `npm run bench`: what plans and applies cost beside what they must cost, on the embedded tenant, and how fast the parts are. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Tier } from "../../emulator/http/limit";
import { version } from "../../version";
import { measureEmbedded } from "./embedded";
import { contendersOf, type PeerOptions } from "./contender";
import { measureDeployCli } from "./deploy-cli";
import { measureLife } from "./life";
import { measureParallel } from "./parallel";
import { succeed } from "./program";
import { textOf, type Report } from "./report";
import { memberSetOf, stackOf } from "./stack";
import { measureReview } from "./review";
import { measureStartUp } from "./start-up";
import { measureSynthesis } from "./synth";
import { measureStack, terraform, type Bench } from "./terraform";

const parts = ["beside", "embedded", "parallel", "review", "synth", "terraform"] as const;
const tiers = ["none", "essentials", "enterprise"] as const satisfies readonly Tier[];

interface Options extends PeerOptions {
  json?: string | true;
  full: boolean;
  deployCli: boolean;
  sizes: number[];
  rounds?: string;
  stacks: number[];
  members: number[];
  tiers: Tier[];
  parallel: number[];
  only: (typeof parts)[number][];
}

const latency = 0.1;
/** Seconds that a single measurement may take at the least, and minutes after which all is given up. */
const profiles = { usual: { longest: 45, minutes: 30 }, full: { longest: Infinity, minutes: 180 } };

const numbers = (text: string) =>
  text.split(",").map((part) => {
    if (/^[1-9]\d*$/.test(part)) return Number(part);
    throw new InvalidArgumentError("give whole numbers with commas between them.");
  });

const some =
  <T extends string>(known: readonly T[]) =>
  (text: string) =>
    text.split(",").map((part) => {
      if (known.includes(part as T)) return part as T;
      throw new InvalidArgumentError(`choose of ${known.join(", ")}, with commas between them.`);
    });

function optionsOf(argv: readonly string[]): Options {
  return new Command("bench")
    .option("--json [file]", "write the figures as JSON to a file, or to stdout in place of the table")
    .option("--full", "leave nothing out, however long it takes", false)
    .option("--deploy-cli", "do the same with auth0-deploy-cli, which is installed into a temporary folder", false)
    .option("--peer <executable>", "measure another provider beside ours")
    .option("--peer-source <address>", "its namespace and type", "auth0/auth0")
    .option("--peer-policy <type>", "what it calls a rate limit policy", "auth0_rate_limit_policy")
    .addOption(new Option("--sizes <numbers>", "sizes of the stacks beside").argParser(numbers).default([1, 10, 100]))
    .option(
      "--rounds <number>",
      "turns of each beside the others; by default 20 starts, 7 of the smallest stacks, 3 else",
    )
    .addOption(new Option("--stacks <numbers>", "sizes of stacks").argParser(numbers).default([10, 100, 1000]))
    .addOption(new Option("--members <numbers>", "sizes of member sets").argParser(numbers).default([100, 10_000]))
    .addOption(new Option("--tiers <names>", "rate limits of").argParser(some(tiers)).default([...tiers]))
    .addOption(new Option("--parallel <numbers>", "runs at a time").argParser(numbers).default([2, 4, 8]))
    .addOption(new Option("--only <parts>", "parts to measure").argParser(some(parts)).default([...parts]))
    .parse(argv)
    .opts<Options>();
}

async function terraformVersion({ folder, signal }: Bench): Promise<string> {
  const { output } = await succeed(terraform, ["version", "-json"], { cwd: folder, signal, timeout: 60 });
  return (JSON.parse(output) as { terraform_version: string }).terraform_version;
}

/** Fills the report; what stands in it when this fails was measured. */
async function measure(bench: Bench, report: Report, options: Options) {
  const { stacks, members, tiers: chosen, only } = options;
  report.versions.terraform = await terraformVersion(bench);
  if (only.includes("beside")) {
    const { contenders, absent } = contendersOf(options);
    for (const what of absent) bench.say(`not there, ${what}`);
    const rounds = options.rounds === undefined ? undefined : Number(options.rounds);
    report.beside = { startUp: await measureStartUp(bench, contenders, rounds), lives: [], absent };
    for (const size of options.sizes) report.beside.lives.push(...(await measureLife(bench, contenders, size, rounds)));
  }
  if (only.includes("embedded")) report.embedded = await measureEmbedded(bench);
  if (only.includes("parallel")) report.parallel = await measureParallel(bench, options.parallel);
  if (only.includes("review")) report.reviewing = measureReview(bench);
  if (only.includes("synth")) report.synthesis = await measureSynthesis(bench);
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
  const late = setTimeout(() => stopping.abort(new Error(`Not done after ${minutes} minutes`)), minutes * 60_000);
  const folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-bench-"));
  const bench: Bench = {
    folder,
    latency,
    longest,
    repeats: 3,
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
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
