/** Finds the other processes that a run of Terraform started for the same tenant, one for each provider configuration. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/*
 * Processes find each other by the folders of their sockets, which are deleted when a process ends. A process marks its folder with
 * the run when it starts. It writes a note into the folders of the run's other processes when it is configured, and again when it
 * ends. Terraform may end one process before it configures another one that already runs. If files cannot be written, the
 * processes do not find each other.
 */

export interface Run {
  /** Where the folders are. */
  readonly places: readonly string[];
  /** Process id of Terraform. */
  readonly parent: number;
  readonly pid: number;
}

const thisRun = (): Run => ({ places: [os.tmpdir(), "/tmp"], parent: process.ppid, pid: process.pid });

const prefix = "run-";

/** Marks the folder of this process. */
export function enterRun(folder: string, { parent, pid }: Run = thisRun()): void {
  quietly(() => write(folder, `${prefix}${parent}-${pid}`));
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

/** The folders of all processes of the run, including this one. */
function foldersOf({ places, parent }: Run) {
  return [...new Set(places)].flatMap((place) =>
    (quietly(() => readdirSync(place)) ?? [])
      .filter((name) => name.startsWith("plugin-"))
      .map((name) => path.join(place, name))
      .flatMap((folder) => {
        const files = (quietly(() => isOurs(folder) && readdirSync(folder)) || []) as readonly string[];
        const file = files.find((name) => name.startsWith(`${prefix}${parent}-`));
        return file === undefined ? [] : [{ folder, pid: Number(file.slice(`${prefix}${parent}-`.length)) }];
      }),
  );
}

const write = (folder: string, file: string) => writeFileSync(path.join(folder, file), "", { mode: 0o600 });

/** Anybody may create folders in the temporary folder, so folders of other users are ignored. */
function isOurs(folder: string): boolean {
  const stats = lstatSync(folder);
  const user = process.getuid?.();
  return stats.isDirectory() && (user === undefined || stats.uid === user);
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
