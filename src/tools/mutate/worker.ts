/** Runs test files one after another in a process that stays, which saves each the start of jest; see runner.ts. */
import { runCLI } from "jest";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Asked, Told } from "./runner";

async function runTest({ root, test, reach }: Asked): Promise<Told> {
  const directory = path.join(root, "coverage");
  const started = performance.now();
  const { results } = await runCLI(
    {
      $0: "jest",
      _: [path.join(root, test)],
      runTestsByPath: true,
      runInBand: true,
      silent: true,
      reporters: [],
      watchman: false,
      setupFiles: [path.join(__dirname, `end-on-failure${path.extname(__filename)}`)],
      coverage: reach !== undefined,
      coverageProvider: "v8",
      coverageReporters: ["json"],
      coverageDirectory: directory,
      collectCoverageFrom: JSON.stringify(reach ?? []),
    },
    [root],
  );
  return {
    passed: results.success && results.numTotalTests > 0,
    ms: performance.now() - started,
    lines: reach && linesReached(root, path.join(directory, "coverage-final.json")),
  };
}

interface Covered {
  readonly path: string;
  readonly statementMap: Readonly<Record<string, { readonly start: { readonly line: number } }>>;
  readonly s: Readonly<Record<string, number>>;
}

function linesReached(root: string, file: string): Record<string, number[]> {
  const covered = Object.values(JSON.parse(readFileSync(file, "utf8")) as Record<string, Covered>);
  return Object.fromEntries(
    covered.map(({ path: source, statementMap, s }) => [
      path.relative(root, source),
      Object.entries(statementMap).flatMap(([id, { start }]) => (s[id]! > 0 ? [start.line] : [])),
    ]),
  );
}

process.on("message", (asked: Asked) => {
  runTest(asked).then(
    (told) => process.send!(told),
    (error: Error) => process.send!({ passed: false, ms: 0, error: error.stack } satisfies Told),
  );
});
process.once("disconnect", () => process.exit());
