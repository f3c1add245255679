/** Writes the file of a tenant so that no kill and no full disk loses a confirmed change. */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { checkFile, format, readLines, type AppendedLine, type Identity, type Line, type Lines } from "./journal-lines";
import { lockFile } from "./lock";
import type { Contents } from "./contents";

export interface Journal extends Lines {
  /** Replaces the file by one that holds only this tenant. The old file stays until the new one is complete. */
  begin(identity: Identity, tenant: Contents): void;
  /** Throws if the line cannot be written. Then the file has no part of it, or refuses further lines until it is truncated. */
  append(line: AppendedLine): void;
  /** Whether so many changes were appended that the file should be rewritten. */
  readonly isLong: boolean;
  close(): void;
}

/** The file is rewritten when the appended changes take more bytes than this, and more than the tenant itself. */
const longest = 16 * 1024 * 1024;

/** The calls of the file system that can fail. */
const systemDisk = { write: writeSync, truncate: ftruncateSync, sync: fsyncSync, rename: renameSync };
export type Disk = typeof systemDisk;

/** Writes at a position of its own, because truncating a torn line does not move the descriptor's offset back. */
function write(disk: Disk, to: number, line: Line, position: number): number {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let at = 0; at < bytes.length;) at += disk.write(to, bytes, at, bytes.length - at, position + at);
  return bytes.length;
}

const notKept = (file: string, why: string, cause?: unknown) =>
  new Error(`${file} cannot be written: ${why}. The change is refused, and had no effect.`, { cause });

/** Writes a complete file and gives it its name. Returns its descriptor and its size. */
function writeWhole(disk: Disk, file: string, line: Line): { descriptor: number; size: number } {
  const fresh = `${file}.new`;
  rmSync(fresh, { force: true });
  // The file holds secrets and private keys, so only its owner may read it.
  const descriptor = openSync(fresh, "wx", 0o600);
  try {
    const size = write(disk, descriptor, line, 0);
    disk.sync(descriptor);
    disk.rename(fresh, file);
    return { descriptor, size };
  } catch (error) {
    closeSync(descriptor);
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** Opens a file and locks it against other processes. */
export function openJournal(file: string, disk: Disk = systemDisk): Journal {
  checkFile(file);
  const unlock = lockFile(file);
  let lines: Lines;
  try {
    lines = readLines(file);
  } catch (error) {
    unlock();
    throw error;
  }
  let descriptor: number | undefined;
  /** Bytes of all complete lines. */
  let size = 0;
  let limit = longest;

  const closeFile = () => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };

  /** Cuts a torn line off, or throws. */
  const repair = (open: number) => {
    const actual = fstatSync(open);
    if (actual.nlink === 0) throw notKept(file, "another program removed or replaced it; restart the embedded tenant");
    if (actual.size < size) throw notKept(file, "another program cut it; restart the embedded tenant");
    if (actual.size > size) disk.truncate(open, size);
  };

  return {
    ...lines,
    begin(identity, tenant) {
      // After a failure the next attempt waits until the file has doubled.
      limit = Math.max(longest, 2 * size);
      const written = writeWhole(disk, file, { format, identity, tenant });
      closeFile();
      descriptor = written.descriptor;
      size = written.size;
      limit = size + Math.max(longest, size);
    },
    // The operating system has the line before the response is sent, and keeps it through any kill of this process.
    append(line) {
      if (descriptor === undefined) throw notKept(file, "it is closed");
      try {
        repair(descriptor);
        size += write(disk, descriptor, line, size);
      } catch (error) {
        try {
          repair(descriptor);
        } catch {
          // The next append cuts the torn line off first.
        }
        throw error instanceof Error && "code" in error ? notKept(file, error.message, error) : error;
      }
    },
    get isLong() {
      return size > limit;
    },
    close() {
      closeFile();
      unlock();
    },
  };
}
