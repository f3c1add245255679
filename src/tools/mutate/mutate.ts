/** `npm run mutate [-- folders or files of src]`: StrykerJS changes the sources in one place at a time and shows the changes that no test notices. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";

const manifest = path.join(__dirname, "../../../package.json");
const { jest } = JSON.parse(readFileSync(manifest, "utf8")) as { jest: object };
const rooms = ["src/access", "src/impact", "src/sdk", "src/tenant"];

interface Options {
  readonly tests?: string[];
  readonly workers: string;
  readonly html?: string;
}

/** The tests of the rooms that the sources belong to. */
const testsOf = (sources: readonly string[]) => [
  ...new Set(sources.map((source) => path.posix.join("test", path.relative("src", source).split(path.sep)[0]!))),
];

async function main(): Promise<void> {
  const command = new Command("mutate")
    .argument("[sources...]", "files or folders of src", rooms)
    .option("--tests <names...>", "test files or folders; default: the tests of the rooms that the sources belong to")
    .option("--workers <number>", "processes that run tests at the same time", "2")
    .option("--html <file>", "also write the report as a page")
    .parse();
  const sources = command.processedArgs[0] as string[];
  const { tests = testsOf(sources), workers, html } = command.opts<Options>();
  const below = (name: string, ending: string) => (name.endsWith(".ts") ? name : `${name}/**/*${ending}`);
  const { Stryker } = await import("@stryker-mutator/core");
  await new Stryker({
    mutate: sources.map((source) => below(source, ".ts")),
    testRunner: "jest",
    jest: {
      config: {
        ...jest,
        testMatch: tests.map((test) => `<rootDir>/${below(test, ".test.ts")}`),
        setupFiles: [path.join(__dirname, "end-on-failure.ts")],
        testSequencer: path.join(__dirname, "covering-files.ts"),
      },
      enableFindRelatedTests: false,
    },
    // Jest loads the sequencer itself, and it is TypeScript.
    testRunnerNodeArgs: ["--import", require.resolve("tsx")],
    coverageAnalysis: "perTest",
    concurrency: Number(workers),
    reporters: ["clear-text", "progress", ...(html ? ["html"] : [])],
    ...(html && { htmlReporter: { fileName: html } }),
    clearTextReporter: { logTests: false, reportTests: false },
    tempDirName: "dist/mutate",
    ignorePatterns: ["/dist/native", "/dist/release"],
  }).runMutationTest();
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
