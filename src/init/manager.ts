/** Runs the package manager that started this command. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { searchPath } from "../program-environment";
import { shellWord } from "../text/shell-word";
import { UserError } from "../text/user-error";
import { textOf } from "./choices";
import { readManifest } from "./manifest";

export type ManagerName = "npm" | "pnpm";

export interface Manager {
  readonly name: ManagerName;
  /** As a person types it. */
  readonly command: string;
  /** The program and its first arguments. */
  readonly program: readonly [string, ...string[]];
}

const locks: Readonly<Record<ManagerName, string>> = { npm: "package-lock.json", pnpm: "pnpm-lock.yaml" };

/** The lock file of the directory decides first, then the manager that started this command. */
export function managerFor(directory: string, environment: NodeJS.ProcessEnv): Manager {
  const locked = (["pnpm", "npm"] as const).find((name) => existsSync(path.join(directory, locks[name])));
  const started = environment.npm_config_user_agent?.startsWith("pnpm/") ? "pnpm" : "npm";
  const name = locked ?? started;
  const folders = searchPath(environment).filter((folder) => existsSync(path.join(folder, name)));
  // `npx` adds such a folder to the PATH only for this command.
  const isForPeople = folders.some((folder) => !folder.endsWith(path.join("node_modules", ".bin")));
  return {
    name,
    command: name === "pnpm" && !isForPeople ? "npx pnpm" : name,
    program: programOf(name, name === started ? environment.npm_execpath : undefined, folders.length > 0),
  };
}

/** `npx pnpm` has no program of this name on the PATH, but says where it is. */
function programOf(name: ManagerName, started: string | undefined, isOnPath: boolean): Manager["program"] {
  if (started !== undefined && path.isAbsolute(started) && path.basename(started).startsWith(name)) {
    return /\.[cm]?js$/.test(started) ? [process.execPath, started] : [started];
  }
  return name === "pnpm" && !isOnPath ? ["npx", "--yes", "pnpm"] : [name];
}

/** The project has each package of package.json, and the lock file that the pipeline installs from. */
export function isInstalled(directory: string, { name: manager }: Manager): boolean {
  const { dependencies, devDependencies } = readManifest(directory) ?? {};
  const folders = createRequire(path.resolve(directory, "_")).resolve.paths("tenantform") ?? [];
  const isThere = (name: string) => folders.some((folder) => existsSync(path.join(folder, name, "package.json")));
  return (
    isLocked(path.resolve(directory), manager) && Object.keys({ ...dependencies, ...devDependencies }).every(isThere)
  );
}

/** A folder above has packages for this one, but its lock file counts only if it is the root of a workspace. */
function isLocked(directory: string, manager: ManagerName): boolean {
  for (let folder = directory; ; folder = path.dirname(folder)) {
    const isRoot = () =>
      existsSync(path.join(folder, "pnpm-workspace.yaml")) ||
      /"workspaces"\s*:/.test(textOf(path.join(folder, "package.json")));
    if (existsSync(path.join(folder, locks[manager])) && (folder === directory || isRoot())) return true;
    if (folder === path.dirname(folder)) return false;
  }
}

/**
 * The test needs the development dependencies, also if NODE_ENV is `production`. It needs no install script of a package, and newer
 * versions of pnpm would refuse those as an error.
 */
const complete: Readonly<Record<ManagerName, readonly string[]>> = {
  npm: ["install", "--include=dev", "--no-audit", "--no-fund"],
  pnpm: ["install", "--prod=false", "--no-frozen-lockfile", "--config.strictDepBuilds=false"],
};

/** Installs the packages of package.json. The manager writes to standard error, so that standard output has only results. */
export async function installPackages(
  directory: string,
  { name, command, program: [program, ...first] }: Manager,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const child = spawn(program, [...first, ...complete[name]], {
    cwd: directory,
    env: environment,
    stdio: ["ignore", process.stderr, "inherit"],
    // Windows starts its command files only in a shell. The arguments are constants.
    shell: process.platform === "win32" && first.length === 0,
  });
  const outcome = await once(child, "close").then(
    ([code, signal]) => (code === 0 ? undefined : `ended with ${code ?? signal}`),
    (error: NodeJS.ErrnoException) => `cannot be started (${error.code})`,
  );
  if (outcome === undefined) return;
  throw new UserError(
    `${command} install ${outcome} in ${directory}. All files are written. ` +
      `Correct the cause above, then run: cd ${shellWord(directory)} && ${command} install`,
  );
}
