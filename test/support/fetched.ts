/** Packages that a checkout does without because they are large. A check that needs them installs them into the user's cache. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { succeed } from "./program";

export const root = path.join(__dirname, "../..");

/** A new project that finds these packages and this checkout as `tenantform`. The packages stay when the project is removed. */
export async function projectWith(name: string, packages: readonly string[]): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache");
  const folder = path.join(cache, "tenantform", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{ "private": true }');
  const link = path.join(folder, "node_modules/tenantform");
  // npm would also change what it finds behind the link.
  rmSync(link, { recursive: true, force: true });
  const quiet = ["--no-save", "--no-fund", "--no-audit", "--silent"];
  await succeed("npm", ["install", ...quiet, ...packages], { cwd: folder, env: process.env });
  symlinkSync(root, link, "junction");
  return realpathSync(mkdtempSync(path.join(folder, "project-")));
}

/** Ends the process with 1 and the reason if the check fails. */
export function check(main: () => Promise<void>): void {
  main().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
