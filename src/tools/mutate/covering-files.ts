/** Leaves out test files without a test for the mutant: loading a file takes longer than its tests. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

interface Options {
  readonly globalConfig: { readonly testNamePattern?: string };
}

interface FileResults {
  readonly testFilePath: string;
  readonly testResults: readonly { readonly fullName: string }[];
}

/** File -> the full names of its tests, from the first run. StrykerJS may restart the process, so a file of the sandbox keeps them. */
const namesFile = "test-names.json";

/** The sequencer that Jest calls: StrykerJS names the tests for a mutant, and never their files. */
class CoveringFiles {
  readonly #pattern: string;

  constructor({ globalConfig }: Options) {
    this.#pattern = globalConfig.testNamePattern ?? "";
  }

  sort<T extends { readonly path: string }>(files: readonly T[]): T[] {
    if (this.#pattern === "" || !existsSync(namesFile)) return [...files];
    const names = JSON.parse(readFileSync(namesFile, "utf8")) as Readonly<Record<string, readonly string[]>>;
    const pattern = new RegExp(this.#pattern, "i");
    return files.filter(({ path }) => names[path]?.some((name) => pattern.test(name)) !== false);
  }

  cacheResults(_files: unknown, { testResults }: { readonly testResults: readonly FileResults[] }): void {
    if (this.#pattern !== "") return;
    const names = testResults.map((file) => [file.testFilePath, file.testResults.map(({ fullName }) => fullName)]);
    writeFileSync(namesFile, JSON.stringify(Object.fromEntries(names)));
  }
}

export = CoveringFiles;
