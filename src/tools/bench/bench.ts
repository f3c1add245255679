/** `npm run bench`: our builds beside another provider, stacks under a rate limit, reviews and replays, all on the embedded tenant. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Tier } from "../../emulator/http/limit";
import { version } from "../../version";
import { baselineOf, comparisonTable, measuresOf, regressions, type Baseline, type Comparison } from "./comparison";
import { contendersOf } from "./contender";
import { measureLife } from "./life";
import { succeed, terraform, type Bench } from "./program";
import { measureReviews, reviewTable, type ReviewTime } from "./review";
import { measureStartUp } from "./start-up";
import { measureUnderLimit, underLimitTable, type UnderLimit } from "./under-limit";
import { latency } from "./workspace";

const parts = ["compare", "review", "under-limit"] as const;
const tiers = ["essentials", "enterprise"] as const satisfies readonly Tier[];

interface Options {
  only: (typeof parts)[number][];
  peer?: string;
  peerSource: string;
  rounds: number;
  policies: number[];
  acls: number[];
  requests: number;
  underLimit: number;
  tiers: Tier[];
  json?: string;
  updateBaseline: boolean;
}

export interface Report {
  readonly comparison?: Comparison;
  readonly underLimit?: readonly UnderLimit[];
  readonly reviews?: readonly ReviewTime[];
}

const baselineFile = path.join(__dirname, "baseline.json");
/** Longest benchmark. */
const minutes = 60;
/** With fewer rounds, one slow start of a process would count as a regression. */
const fewestRounds = 3;

const number = (text: string) => {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError("give whole numbers above 0.");
};
const numbers = (text: string) => (text === "" ? [] : text.split(",").map(number));
const some =
  <T extends string>(known: readonly T[]) =>
  (text: string) =>
    text.split(",").map((part) => {
      if (known.includes(part as T)) return part as T;
      throw new InvalidArgumentError(`choose from ${known.join(", ")}, separated by commas.`);
    });

const optionsOf = (argv: readonly string[]): Options =>
  new Command("bench")
    .addOption(new Option("--only <parts>", "parts to measure").argParser(some(parts)).default([...parts]))
    .option("--peer <executable>", "also measure this provider, such as the Go provider")
    .option("--peer-source <address>", "namespace and type of the other provider", "auth0/auth0")
    .option("--rounds <number>", "rounds of each measurement", number, fewestRounds)
    .option("--policies <numbers>", "stacks of the comparison: numbers of policies", numbers, [1, 10, 100])
    .option("--acls <numbers>", "stacks of the comparison: numbers of ACLs", numbers, [10])
    .option("--requests <number>", "requests of the replayed log", number, 100_000)
    .option("--under-limit <number>", "policies of the stack under the rate limit", number, 60)
    .addOption(new Option("--tiers <names>", "tiers of rate limits").argParser(some(tiers)).default([...tiers]))
    .option("--json <file>", "also write the figures to this file")
    .option("--update-baseline", "write the compared figures to baseline.json instead of judging them by it", false)
    .parse(argv)
    .opts<Options>();

async function measure(bench: Bench, options: Options): Promise<Report> {
  const contenders = contendersOf(options.peer, options.peerSource);
  const report: { -readonly [part in keyof Report]: Report[part] } = {};
  if (options.only.includes("compare")) {
    const lives = [];
    const startUp = await measureStartUp(bench, contenders);
    for (const size of options.policies) lives.push(...(await measureLife(bench, contenders, size, "policy")));
    for (const size of options.acls) lives.push(...(await measureLife(bench, contenders, size, "acl")));
    report.comparison = { startUp, lives };
  }
  if (options.only.includes("review")) report.reviews = await measureReviews(bench, [10, 100], options.requests);
  if (options.only.includes("under-limit")) {
    const rows = [];
    for (const tier of options.tiers)
      rows.push(...(await measureUnderLimit(bench, contenders, options.underLimit, tier)));
    report.underLimit = rows;
  }
  return report;
}

/** Exits with 1 if a figure is worse than its baseline allows. */
async function compareWithBaseline(comparison: Comparison, { updateBaseline, rounds }: Options): Promise<void> {
  const measures = measuresOf(comparison);
  const baseline = JSON.parse(await readFile(baselineFile, "utf8")) as Baseline;
  if (updateBaseline) return writeFile(baselineFile, `${JSON.stringify(baselineOf(measures, baseline), null, 2)}\n`);
  const worse = rounds < fewestRounds ? [] : regressions(measures, baseline);
  if (worse.length === 0) return;
  process.stderr.write(`worse than the baseline:\n${worse.map((line) => `  ${line}\n`).join("")}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const options = optionsOf(process.argv);
  const began = performance.now();
  const stopping = new AbortController();
  const stop = (reason: string) => stopping.abort(new Error(reason));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop("Interrupted"));
  const late = setTimeout(() => stop(`The benchmark did not end within ${minutes} minutes`), minutes * 60_000);
  const folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-bench-"));
  const bench: Bench = {
    folder,
    rounds: options.rounds,
    signal: stopping.signal,
    say(line) {
      const seconds = ((performance.now() - began) / 1000).toFixed(0).padStart(4);
      process.stderr.write(`[${seconds} s] ${line}\n`);
    },
  };
  try {
    const [engine = ""] = (await succeed(terraform, ["version"], { cwd: folder, signal: bench.signal })).output.split(
      "\n",
    );
    const load = os.loadavg()[0]!.toFixed(1);
    const machine = `${os.platform()} ${os.arch()}, ${os.availableParallelism()} processors at a load of ${load}`;
    const report = await measure(bench, options);
    const { comparison, reviews, underLimit } = report;
    if (options.json) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
    const sections = [
      `tenantform ${version}, Node ${process.versions.node}, ${engine}, ${machine}\neach response after ${latency} ms\n`,
      comparison && comparisonTable(comparison),
      reviews && reviewTable(reviews),
      underLimit && underLimitTable(underLimit),
    ];
    process.stdout.write(sections.filter(Boolean).join("\n"));
    if (comparison) await compareWithBaseline(comparison, options);
  } finally {
    clearTimeout(late);
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
