/** Installs VitePress into the cache of the user, and runs it. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** Installs the packages of a folder with a lock file, once for each content of the lock file. Returns their node_modules. */
export async function installed(folder: string, name: string): Promise<string> {
  const lock = readFileSync(path.join(folder, "package-lock.json"));
  const key = createHash("sha256").update(lock).digest("hex").slice(0, 12);
  const cache = process.env["XDG_CACHE_HOME"] ?? path.join(os.homedir(), ".cache");
  const place = path.join(cache, "tenantform", `${name}-${key}`);
  const modules = path.join(place, "node_modules");
  // npm writes this file last.
  if (existsSync(path.join(modules, ".package-lock.json"))) return modules;
  process.stderr.write(`Installing the packages of ${name} in ${place}.\n`);
  mkdirSync(place, { recursive: true });
  for (const file of ["package.json", "package-lock.json"])
    copyFileSync(path.join(folder, file), path.join(place, file));
  await run("npm", ["ci", "--ignore-scripts", "--no-fund", "--no-audit", "--silent"], place);
  return modules;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ends the program if this process gets a signal, or if its parent ends. */
export async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  const shell = process.platform === "win32" && program === "npm";
  // Standard output belongs to the caller.
  const child = spawn(program, args, { cwd, shell, stdio: ["ignore", process.stderr, process.stderr] });
  let isEnded = false;
  const end = (signal: NodeJS.Signals) => {
    isEnded = true;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, end);
  // npm ends only the shell that started this process.
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && end("SIGTERM"), 500);
  const [code] = (await once(child, "close")) as [number | null];
  for (const signal of signals) process.off(signal, end);
  clearInterval(watch);
  if (isEnded) process.exit(1);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}.`);
}

/** Runs a command of VitePress on the staged pages. */
export async function vitepress(modules: string, command: string, staged: string, ...flags: string[]): Promise<void> {
  await run(process.execPath, [path.join(modules, "vitepress/bin/vitepress.js"), command, staged, ...flags], staged);
}
