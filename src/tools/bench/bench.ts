/** `npm run bench`: our builds beside another provider, stacks under a rate limit, and reviews, all on the embedded tenant. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { version } from "../../version";
import { lifeTable, measureLife, type Life } from "./life";
import { measureReviews, reviewTable, type ReviewTime } from "./review";
import { latency } from "./tenant";
import { measureUnderLimit, underLimitTable, type UnderLimit } from "./under-limit";
import { contendersOf, run, terraform, type Bench } from "./workspace";

const parts = ["compare", "review", "under-limit"] as const;

interface Options {
  only: (typeof parts)[number][];
  peer?: string;
  peerSource: string;
  rounds: number;
  policies: number[];
  acls: number[];
  json?: string;
}

export interface Report {
  /** What the figures hold for. */
  readonly head: readonly string[];
  lives?: readonly Life[];
  reviews?: readonly ReviewTime[];
  underLimit?: readonly UnderLimit[];
}

/** Longest benchmark. */
const minutes = 60;

const number = (text: string) => {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError("give whole numbers above 0.");
};
const numbers = (text: string) => (text === "" ? [] : text.split(",").map(number));
const some = (text: string) =>
  text.split(",").map((part) => {
    const known = parts.find((one) => one === part);
    if (known === undefined) throw new InvalidArgumentError(`choose from ${parts.join(", ")}, separated by commas.`);
    return known;
  });

const optionsOf = (argv: readonly string[]): Options =>
  new Command("bench")
    .addOption(new Option("--only <parts>", "parts to measure").argParser(some).default([...parts]))
    .option("--peer <executable>", "also measure this provider, such as the Go provider")
    .option("--peer-source <address>", "namespace and type of the other provider", "auth0/auth0")
    .option("--rounds <number>", "rounds of each measurement", number, 3)
    .option("--policies <numbers>", "stacks of the comparison: numbers of policies", numbers, [1, 10, 100])
    .option("--acls <numbers>", "stacks of the comparison: numbers of ACLs", numbers, [10])
    .option("--json <file>", "also write the figures to this file")
    .parse(argv)
    .opts<Options>();

/** What a provider in Go says of itself: the module and its version, and the compiler. Its digest tells two builds apart. */
function buildOf(executable: string): string {
  if (statSync(executable).isDirectory()) return path.basename(executable);
  const bytes = readFileSync(executable);
  const text = bytes.toString("latin1");
  const [, module, its] = /\nmod\t(\S+)\t(\S+)\t/.exec(text) ?? [];
  const [, compiler] = /\xff Go buildinf:[^]{0,32}(go[\d.]+)/.exec(text) ?? [];
  const sum = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return [module ?? path.basename(executable), its, compiler, `sha256 ${sum}…`].filter(Boolean).join(", ");
}

async function headOf({ folder, signal }: Bench, peer: string | undefined): Promise<string[]> {
  const { output } = await run(terraform, ["version"], { cwd: folder, signal });
  const processor = os.cpus()[0]?.model ?? os.arch();
  const gigabytes = Math.round(os.totalmem() / 2 ** 30);
  return [
    `${new Date().toISOString().slice(0, 10)}, ${os.type()} ${os.release()} ${os.arch()}`,
    `${os.availableParallelism()} processors (${processor}) at a load of ${os.loadavg()[0]!.toFixed(1)}, ${gigabytes} GB`,
    `tenantform ${version}, Node ${process.versions.node}, ${output.split("\n")[0]!}`,
    ...(peer === undefined ? [] : [`peer: ${buildOf(peer)}`]),
    `on the embedded tenant, each response after ${latency} ms`,
  ];
}

async function measure(bench: Bench, { only, peer, peerSource, policies, acls }: Options): Promise<Report> {
  const contenders = contendersOf(peer, peerSource);
  const report: Report = { head: await headOf(bench, peer) };
  if (only.includes("compare")) {
    const lives = [];
    for (const size of policies) lives.push(...(await measureLife(bench, contenders, size, "policy")));
    for (const size of acls) lives.push(...(await measureLife(bench, contenders, size, "acl")));
    report.lives = lives;
  }
  if (only.includes("review")) report.reviews = await measureReviews(bench);
  if (only.includes("under-limit")) {
    const [least, most] = ["essentials", "enterprise"] as const;
    report.underLimit = [
      ...(await measureUnderLimit(bench, contenders, least)),
      ...(await measureUnderLimit(bench, contenders, most)),
    ];
  }
  return report;
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
    const report = await measure(bench, options);
    const { head, lives, reviews, underLimit } = report;
    if (options.json) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
    const sections = [
      `${head.join("\n")}\n`,
      lives && lifeTable(lives),
      reviews && reviewTable(reviews),
      underLimit && underLimitTable(underLimit),
    ];
    process.stdout.write(sections.filter(Boolean).join("\n"));
  } finally {
    clearTimeout(late);
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
