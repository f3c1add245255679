/** An empty project whose packages are those of this checkout, so that no test installs any. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { linkPackages, newFolder, root } from "../../../support/folder";
import { run, type Ended } from "../../../support/program";

export interface Project {
  readonly folder: string;
  init(args: readonly string[], env?: Record<string, string>): Promise<Ended>;
  run(program: string, args: readonly string[], env?: Record<string, string>): Promise<Ended>;
  read(file: string): string;
  write(file: string, text: string): void;
  /** All files except packages, with their contents. */
  contents(): Record<string, string>;
}

export function openProject(): Project {
  const folder = newFolder();
  const read = (file: string) => readFileSync(path.join(folder, file), "utf8");
  const runIn: Project["run"] = (program, args, env = {}) => run(program, args, { cwd: folder, env });
  return {
    folder,
    init: (args, env) =>
      runIn(process.execPath, [path.join(root, "dist/cli.js"), "init", "--no-install", ...args], env),
    run: runIn,
    read,
    write(file, text) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    },
    contents: () => Object.fromEntries(filesIn(folder).map((file) => [file, read(file)])),
  };
}

const packages = ["cdktf", "cdktf-cli", "cdktn", "constructs", "jest", "tsx", "typescript", "@types"];
const programs = {
  cdktf: "cdktf-cli/bundle/bin/cdktf",
  jest: "jest/bin/jest.js",
  tsx: "tsx/dist/cli.mjs",
  tsc: "typescript/bin/tsc",
};

/** Links the packages, as if npm had installed them. */
export function installInto(folder: string): void {
  const modules = path.join(folder, "node_modules");
  const bin = path.join(modules, ".bin");
  linkPackages(folder, packages);
  mkdirSync(bin);
  for (const [name, file] of Object.entries(programs))
    symlinkSync(path.join(root, "node_modules", file), path.join(bin, name));
  symlinkSync(path.join(root, "dist/cli.js"), path.join(bin, "tenantform"));
  // A stand-in: test/examples/pages.long.test.ts installs the package itself.
  mkdirSync(path.join(modules, "@swc/jest"), { recursive: true });
  writeFileSync(path.join(modules, "@swc/jest/package.json"), '{ "main": "transform.js" }');
  symlinkSync(path.join(root, "test/support/transform.js"), path.join(modules, "@swc/jest/transform.js"));
}

const left = new Set(["node_modules", "terraform.d", ".terraform", "cdktf.out", ".git"]);

/** Does not enter the linked packages, in which other tests write files at the same time. */
function filesIn(folder: string, below = ""): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(path.join(folder, below), { withFileTypes: true })
    .flatMap((entry) => {
      const file = path.posix.join(below, entry.name);
      if (entry.isDirectory()) return left.has(entry.name) ? [] : filesIn(folder, file);
      return entry.isFile() ? [file] : [];
    })
    .toSorted();
}
