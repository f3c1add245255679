/** One process at a time for a file: a file beside it holds the number of the process that uses it. */
import { constants, copyFileSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** Locks that this process holds. */
const held = new Set<string>();

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is one that runs.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const isCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;

/** False where it is there. It comes with its content in one step, so that nobody meets an empty one. */
function take(lock: string): boolean {
  const own = `${lock}.${process.pid}`;
  rmSync(own, { force: true });
  writeFileSync(own, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
  try {
    linkSync(own, lock);
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    return copied(own, lock);
  } finally {
    rmSync(own, { force: true });
  }
  return true;
}

/** On a file system without links. */
function copied(own: string, lock: string): boolean {
  try {
    copyFileSync(own, lock, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Who holds it; "nobody" where it was left by a process that was killed, undefined where there is none. */
function holderOf(lock: string): number | "nobody" | undefined {
  let pid: number;
  try {
    pid = Number(readFileSync(lock, "utf8"));
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
  const isUsed = pid === process.pid ? held.has(lock) : pid > 0 && runs(pid);
  return isUsed ? pid : "nobody";
}

/** Takes the file for this process; the function given back lets go of it. Throws while another process has it. */
export function lockFile(file: string): () => void {
  return hold(file, file);
}

function hold(locked: string, file: string): () => void {
  const lock = `${locked}.lock`;
  if (!take(lock)) {
    refuse(file, holderOf(lock));
    // Left by a process that was killed. Only who has a lock on the lock takes that away, having looked again: of several that
    // found it so, a slow one would take the lock of a fast one.
    const release = hold(lock, file);
    try {
      const holder = holderOf(lock);
      refuse(file, holder);
      if (holder === "nobody") rmSync(lock);
      if (!take(lock)) throw new Error(`${file} is being taken by another embedded tenant; try again`);
    } finally {
      release();
    }
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    rmSync(lock, { force: true });
  };
}

function refuse(file: string, holder: ReturnType<typeof holderOf>): void {
  if (typeof holder !== "number") return;
  throw new Error(`${file} is in use by an embedded tenant (process ${holder}); end it, or choose another file`);
}
