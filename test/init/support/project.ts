/** An empty project whose packages are those of this checkout, so that no test installs any. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { run, type Ended } from "../../support/program";

export const root = path.join(__dirname, "../../..");

export interface Project {
  readonly folder: string;
  init(args: readonly string[], env?: Record<string, string>): Promise<Ended>;
  /** Runs a program of Node in the folder. */
  node(args: readonly string[], env?: Record<string, string>): Promise<Ended>;
  read(file: string): string;
  /** All files except packages, with their contents. */
  contents(): Record<string, string>;
  close(): void;
}

const packages = ["cdktf", "cdktn", "constructs", "jest", "tsx", "typescript", "@types"];

export function openProject(): Project {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "tenantform-test-")));
  return {
    folder,
    init: (args, env = {}) =>
      run(process.execPath, [path.join(root, "dist/cli.js"), "init", ...args], { cwd: folder, env }),
    node: (args, env = {}) => run(process.execPath, [...args], { cwd: folder, env }),
    read: (file) => readFileSync(path.join(folder, file), "utf8"),
    contents: () =>
      Object.fromEntries(filesIn(folder).map((file) => [file, readFileSync(path.join(folder, file), "utf8")])),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Links the packages, as if a package manager had installed them. */
export function installInto(folder: string): void {
  const modules = path.join(folder, "node_modules");
  mkdirSync(path.join(modules, ".bin"), { recursive: true });
  for (const name of packages) symlinkSync(path.join(root, "node_modules", name), path.join(modules, name), "junction");
  writeFileSync(path.join(folder, "package-lock.json"), "{}");
  symlinkSync(root, path.join(modules, "tenantform"), "junction");
  // Stand-ins, because runners.ts uses these packages themselves.
  for (const name of ["@swc/core", "@swc/jest"]) {
    mkdirSync(path.join(modules, name), { recursive: true });
    writeFileSync(path.join(modules, name, "package.json"), '{ "main": "transform.js" }');
    symlinkSync(path.join(root, "test/support/transform.js"), path.join(modules, name, "transform.js"));
  }
  symlinkSync(path.join(root, "dist/cli.js"), path.join(modules, ".bin/tenantform"));
}

export const jestProgram = path.join(root, "node_modules/jest/bin/jest.js");

const left = new Set(["node_modules", "terraform.d", ".terraform", "cdktf.out"]);

/** Does not enter the linked packages, in which other tests write files at the same time. */
function filesIn(folder: string, below = ""): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(path.join(folder, below), { withFileTypes: true });
  return entries
    .flatMap((entry) => {
      const file = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) return below === "" && left.has(entry.name) ? [] : filesIn(folder, file);
      return entry.isFile() ? [file] : [];
    })
    .toSorted();
}
