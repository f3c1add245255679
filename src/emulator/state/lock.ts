/** Locks a file for one process, by a kernel lock on a second file next to it. */
import { spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";

/*
 * The kernel ties the lock to the open file, not to a process number. So the lock holds against processes in other containers on
 * the same volume, and the kernel releases it when the process ends in any way. Node has no call for it. macOS and the BSDs lock
 * while they open, Windows opens exclusively. On Linux the program `flock` locks the open file that it inherits, and this process
 * keeps the lock after the program has ended.
 */
const lockingFlags: Partial<Record<NodeJS.Platform, number>> = {
  darwin: 0x20 | constants.O_NONBLOCK,
  freebsd: 0x20 | constants.O_NONBLOCK,
  openbsd: 0x20 | constants.O_NONBLOCK,
  win32: 0x10000000,
};

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? "";

/** The open lock file; undefined while another process, or another tenant of this process, has the lock. */
function openLocked(lock: string, program: string): number | undefined {
  const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const locking = lockingFlags[process.platform];
  let descriptor: number;
  try {
    descriptor = openSync(lock, flags | (locking ?? 0), 0o600);
  } catch (error) {
    if (locking !== undefined && ["EAGAIN", "EWOULDBLOCK", "EBUSY"].includes(codeOf(error))) return undefined;
    if (codeOf(error) === "ELOOP") throw new Error(`${lock} is a symbolic link; remove it`, { cause: error });
    throw error;
  }
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error(`${lock} is not a file; remove it`);
    if (locking !== undefined || flock(descriptor, lock, program)) return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return undefined;
}

/** Whether the program locked the open file. */
function flock(descriptor: number, lock: string, program: string): boolean {
  // Only absolute folders, because a relative one could find a program in the working directory.
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const env = { PATH: [...folders, "/usr/bin", "/bin"].join(path.delimiter) };
  const stdio = ["ignore", "ignore", "pipe", descriptor] as const;
  const { status, stderr, error } = spawnSync(program, ["-n", "3"], { env, stdio: [...stdio], encoding: "utf8" });
  if (status === 0) return true;
  if (status === 1 && stderr === "") return false;
  const why = error === undefined ? stderr.trim() : `the program ${program} does not run (${codeOf(error)})`;
  throw new Error(
    `${lock} cannot be locked: ${why}. Install flock (util-linux or busybox), or choose a folder whose file system has locks.`,
  );
}

/** Whether the open file is still at its path. The last holder may have removed it after it was opened here. */
function isAt(lock: string, descriptor: number): boolean {
  const [here, open] = [
    lstatSync(lock, { throwIfNoEntry: false, bigint: true }),
    fstatSync(descriptor, { bigint: true }),
  ];
  return here !== undefined && here.ino === open.ino && here.dev === open.dev;
}

/** Writes the process number for people to read. Nothing depends on it, so errors are ignored. */
function sign(descriptor: number): void {
  try {
    ftruncateSync(descriptor);
    writeSync(descriptor, `${process.pid} ${hostname()}\n`, 0);
  } catch {}
}

/** Describes the process that holds the lock, with its machine or container if that is another one. */
function holderOf(lock: string): string {
  try {
    const [, pid, host] = /^(\d+) ([\w.-]+)\n$/.exec(readFileSync(lock, "utf8")) ?? [];
    if (pid === undefined) return "";
    return host === hostname() ? ` (process ${pid})` : ` (process ${pid} on ${host})`;
  } catch {
    return "";
  }
}

/** Locks the file and returns a function that releases it. Throws while another process uses the file. */
export function lockFile(file: string, program = "flock"): () => void {
  const lock = `${file}.lock`;
  for (;;) {
    const descriptor = openLocked(lock, program);
    if (descriptor === undefined) {
      const holder = holderOf(lock);
      throw new Error(`${file} is in use by an embedded tenant${holder}; end it, or choose another file`);
    }
    if (isAt(lock, descriptor)) {
      sign(descriptor);
      return () => release(lock, descriptor);
    }
    closeSync(descriptor);
  }
}

function release(lock: string, descriptor: number): void {
  // Windows does not remove an open file, and no other process could have opened it.
  if (process.platform === "win32") closeSync(descriptor);
  // The next process recreates the lock file, so a folder that refuses the removal does no harm.
  try {
    rmSync(lock, { force: true });
  } catch {}
  if (process.platform !== "win32") closeSync(descriptor);
}
