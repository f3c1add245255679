/** Finds the other processes that a run of Terraform started for the same tenant, one for each provider configuration. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parentProcess } from "./command";

/*
 * Processes find each other by the folders of their sockets, which are deleted when a process ends. A process marks its folder with
 * the run when it starts. It writes a note into the folders of the run's other processes when it is configured, and again when it
 * ends. Terraform may end one process before it configures another one that already runs. If files cannot be written, the
 * processes do not find each other.
 */

export interface Run {
  /** Where the folders are. */
  readonly places: readonly string[];
  /** Identifies Terraform. */
  readonly parent: string;
  readonly pid: number;
  readonly now: number;
  /** Whether there is a process with this id. */
  isAlive(pid: number): boolean;
}

/** Containers that share a temporary folder have the same process ids, so Linux adds the start time. Elsewhere it takes too long. */
export function thisRun(): Run {
  const { ppid, pid, platform } = process;
  const parent = platform === "linux" ? parentProcess()?.replace(" ", ".") : undefined;
  return { places: [os.tmpdir(), "/tmp"], parent: parent ?? String(ppid), pid, now: Date.now(), isAlive };
}

/** Marks the folder of this process. */
export function enterRun(folder: string, { parent, pid }: Pick<Run, "parent" | "pid"> = thisRun()): void {
  quietly(() => write(folder, `run-${parent}-${pid}`));
}

/** Lets others of the run know that this process works for the tenant. */
export function announce(tenant: string, run: Run = thisRun()) {
  const name = `${createHash("sha256").update(tenant).digest("hex").slice(0, 32)}-`;
  const isOther = (file: string) => file.startsWith(name) && file !== `${name}${run.pid}`;
  const has = (folder: string) => quietly(() => readdirSync(folder).some(isOther)) === true;
  const leaveNotes = () => {
    const folders = foldersOf(run);
    for (const { folder } of folders) quietly(() => write(folder, `${name}${run.pid}`));
    return folders;
  };
  const folders = leaveNotes();
  const own = folders.find(({ pid }) => pid === run.pid)?.folder;
  let isFound = own !== undefined && folders.some(({ folder }) => has(folder));
  return {
    areThere: () => (isFound ||= own !== undefined && has(own)),
    leave: () => void leaveNotes(),
  };
}

/** The folders of all processes of the run, including this one. A killed process leaves its folder, which does not count. */
function foldersOf(run: Run) {
  const { places, parent } = run;
  return [...new Set(places)].flatMap((place) =>
    (quietly(() => readdirSync(place)) ?? [])
      .filter((name) => name.startsWith("plugin-"))
      .map((name) => path.join(place, name))
      .flatMap((folder) => {
        const files = (quietly(() => isOurs(folder) && readdirSync(folder)) || []) as readonly string[];
        const [file, ofParent, ofPid] = files.map((name) => startFile.exec(name)).find((found) => found !== null) ?? [];
        if (file === undefined) return [];
        const pid = Number(ofPid);
        if (run.isAlive(pid)) return ofParent === parent ? [{ folder, pid }] : [];
        quietly(() => removeOld(folder, file, files, run));
        return [];
      }),
  );
}

const startFile = /^run-([\d.]+)-(\d+)$/;
const noteFile = /^[\da-f]{32}-\d+$/;
const hour = 60 * 60 * 1000;

/**
 * Another container may share the temporary folder, so its processes do not seem to be alive. A process needs its socket until
 * Terraform connects, which takes less than an hour.
 */
function removeOld(folder: string, file: string, files: readonly string[], { now }: Run): void {
  const isExpected = (name: string) => name === "socket" || startFile.test(name) || noteFile.test(name);
  if (now - lstatSync(path.join(folder, file)).mtimeMs < hour || !files.every(isExpected)) return;
  for (const name of files) unlinkSync(path.join(folder, name));
  rmdirSync(folder);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

const write = (folder: string, file: string) => writeFileSync(path.join(folder, file), "", { mode: 0o600 });

/** Anybody may create folders in the temporary folder, so folders of other users and folders that they can enter are ignored. */
function isOurs(folder: string): boolean {
  const stats = lstatSync(folder);
  const user = process.getuid?.();
  return stats.isDirectory() && (user === undefined || (stats.uid === user && (stats.mode & 0o077) === 0));
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
