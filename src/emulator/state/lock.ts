/** One process at a time for a file: a file beside it holds the number of the process that uses it. */
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";

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

function take(lock: string): boolean {
  try {
    const descriptor = openSync(lock, "wx", 0o600);
    writeSync(descriptor, `${process.pid}\n`);
    closeSync(descriptor);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function ownerOf(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, "utf8")) || undefined;
  } catch {
    return undefined;
  }
}

/** Takes the file for this process; the function given back lets go of it. Throws while another process has it. */
export function lockFile(file: string): () => void {
  const lock = `${file}.lock`;
  if (!take(lock)) {
    const owner = ownerOf(lock);
    const isUsed = owner === process.pid ? held.has(lock) : owner !== undefined && runs(owner);
    if (isUsed) {
      throw new Error(`${file} is in use by an embedded tenant (process ${owner}); end it, or choose another file`);
    }
    // Left by a process that was killed. Of several that find it so, one moves it away, and one takes its place.
    try {
      const aside = `${lock}.${process.pid}`;
      renameSync(lock, aside);
      rmSync(aside);
    } catch {
      // Another one was faster.
    }
    if (!take(lock)) throw new Error(`${file} is being taken by another embedded tenant; try again`);
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    rmSync(lock, { force: true });
  };
}
