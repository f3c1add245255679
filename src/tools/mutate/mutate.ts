/** `npm run mutate [-- files or folders]`: alters the sources one place at a time and says which alteration no test notices. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { table } from "../bench/table";
import { mutantsOf, mutated, type Mutant } from "./mutants";
import { openRunner, type Runner } from "./runner";
import { compiles } from "./types";

const project = process.cwd();
const rooms = ["src/access", "src/sdk", "src/tenant"];

interface Options {
  readonly tests?: string[];
  readonly minutes: string;
  readonly workers: string;
  readonly sample?: string;
  readonly survivors?: string;
  readonly json?: string;
}

/** What became of a mutant; "unreached": no test runs its line. */
type Fate = "killed" | "timed out" | "held by types" | "survived" | "unreached";

interface Tried extends Mutant {
  readonly file: string;
  readonly fate: Fate;
}

interface TestFile {
  readonly test: string;
  readonly ms: number;
  readonly lines: Readonly<Record<string, readonly number[]>>;
}

const say = (line: string) => process.stderr.write(`${line}\n`);

function filesBelow(name: string, ending: string): string[] {
  if (statSync(path.join(project, name)).isFile()) return [name];
  return readdirSync(path.join(project, name), { recursive: true, encoding: "utf8" })
    .map((file) => path.join(name, file))
    .filter((file) => file.endsWith(ending));
}

/** So many of them, as far from each other as can be. */
function spread<T>(some: readonly T[], most: number): T[] {
  const step = Math.max(1, some.length / most);
  return Array.from({ length: Math.min(some.length, most) }, (_, place) => some[Math.floor(place * step)]!);
}

function survivorsIn<T extends { file: string; mutant: Mutant }>(earlier: string, possible: readonly T[]): T[] {
  const tried = JSON.parse(readFileSync(earlier, "utf8")) as Tried[];
  // Where it stands may have changed since.
  const keyOf = (file: string, { original, text }: Mutant) => JSON.stringify([file, original, text]);
  const survived = new Set(tried.filter(({ fate }) => unnoticed.has(fate)).map((one) => keyOf(one.file, one)));
  return possible.filter(({ file, mutant }) => survived.has(keyOf(file, mutant)));
}

/** The tests of the rooms that the sources are in. */
const testsOf = (sources: readonly string[]) => [
  ...new Set(sources.map((source) => path.join("test", source.split(path.sep)[1]!))),
];

/** Every test as it is without a mutant: it must pass, and tells what it reaches. */
async function baseline(runner: Runner, tests: readonly string[], sources: readonly string[]): Promise<TestFile[]> {
  const found: TestFile[] = [];
  for (const test of tests) {
    const told = await runner.run(test, 120_000, sources);
    if (!told?.passed) throw new Error(`${test} does not pass as it is\n${told?.error ?? ""}`);
    found.push({ test, ms: told.ms, lines: told.lines! });
  }
  return found.toSorted((a, b) => a.ms - b.ms);
}

async function fateOf(runner: Runner, file: string, source: string, mutant: Mutant, tests: readonly TestFile[]) {
  const reaching = tests.filter(({ lines }) => lines[file]?.includes(mutant.line));
  if (reaching.length === 0) return "unreached";
  const text = mutated(source, mutant);
  runner.write(file, text);
  try {
    for (const { test, ms } of reaching) {
      const told = await runner.run(test, 5_000 + 3 * ms);
      if (!told) return "timed out";
      if (!told.passed) return "killed";
    }
  } finally {
    runner.write(file, source);
  }
  return compiles(project, file, text) ? "survived" : "held by types";
}

const fates: readonly Fate[] = ["killed", "timed out", "held by types", "survived", "unreached"];
const unnoticed = new Set<Fate>(["survived", "unreached"]);

function report(tried: readonly Tried[], leftOut: number): string {
  const lineOf = (name: string, some: readonly Tried[]) => {
    const caught = some.filter(({ fate }) => !unnoticed.has(fate)).length;
    const counts = fates.map((fate) => String(some.filter((one) => one.fate === fate).length));
    return [name, String(some.length), ...counts, `${((100 * caught) / Math.max(1, some.length)).toFixed(0)} %`];
  };
  const files = [...new Set(tried.map(({ file }) => file))];
  const rows = files.map((name) =>
    lineOf(
      name,
      tried.filter(({ file }) => file === name),
    ),
  );
  const survivors = tried
    .filter(({ fate }) => unnoticed.has(fate))
    .map(({ file, line, original, text, fate }) => {
      const short = (code: string) => (code.length > 90 ? `${code.slice(0, 87)}...` : code).replace(/\s+/g, " ");
      return `${file}:${line} ${fate}\n  - ${short(original)}\n  + ${short(text)}\n`;
    });
  const rest = leftOut > 0 ? `${leftOut} were left out for want of time\n` : "";
  return `${survivors.join("")}\n${table(["file", "mutants", ...fates, "score"], [...rows, lineOf("all", tried)])}${rest}`;
}

async function main(): Promise<void> {
  const command = new Command("mutate")
    .argument("[files...]", "sources, or folders of them", rooms)
    .option("--tests <files...>", "tests to run, or folders of them; by default those of the sources' rooms")
    .option("--minutes <number>", "time after which no further mutant is tried", "60")
    .option("--workers <number>", "mutants to try side by side", "2")
    .option("--sample <number>", "try only so many, spread evenly over all")
    .option("--survivors <file>", "try only those that no test noticed in an earlier run, which wrote this file")
    .option("--json <file>", "write what became of each mutant to a file")
    .parse();
  const options = command.opts<Options>();
  const sources = (command.processedArgs[0] as string[])
    .map((name) => path.relative(project, path.resolve(name)))
    .flatMap((name) => filesBelow(name, ".ts"));
  const tests = (options.tests ?? testsOf(sources)).flatMap((name) => filesBelow(name, ".test.ts"));
  const until = performance.now() + Number(options.minutes) * 60_000;

  const texts = new Map(sources.map((file) => [file, readFileSync(path.join(project, file), "utf8")]));
  const possible = sources.flatMap((file) => mutantsOf(file, texts.get(file)!).map((mutant) => ({ file, mutant })));
  const wanted = options.survivors === undefined ? possible : survivorsIn(options.survivors, possible);
  const waiting = spread(wanted, Number(options.sample ?? wanted.length));
  const all = waiting.length;
  const tried: Tried[] = [];
  const runners = Array.from({ length: Number(options.workers) }, () => openRunner(project));
  const stop = () => void Promise.all(runners.map((runner) => runner.close())).then(() => process.exit(130));
  process.once("SIGINT", stop);
  try {
    const known = await baseline(runners[0]!, tests, sources);
    say(`${all} of ${possible.length} mutants of ${sources.length} files, ${tests.length} test files`);
    const work = async (runner: Runner) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (performance.now() > until) return void waiting.unshift(next);
        const { file, mutant } = next;
        const fate = await fateOf(runner, file, texts.get(file)!, mutant, known);
        tried.push({ ...mutant, file, fate });
        if (tried.length % 50 === 0) say(`${tried.length} of ${all}`);
      }
    };
    await Promise.all(runners.map(work));
  } finally {
    process.off("SIGINT", stop);
    await Promise.all(runners.map((runner) => runner.close()));
  }
  const inOrder = tried.toSorted((a, b) => sources.indexOf(a.file) - sources.indexOf(b.file) || a.start - b.start);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(inOrder, null, 2)}\n`);
  process.stdout.write(report(inOrder, all - tried.length));
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
