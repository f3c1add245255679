/** Keeps a few notes in the user's cache for later processes. */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

/*
 * A file has the last notes: hashes of what they are about, and their contents. Two processes that write at the same time lose one of
 * their notes. If files cannot be written or read, there is no note.
 */

const most = 50;

export interface CacheNote {
  read(): unknown;
  write(note: object): void;
}

/** The note about `subject` in a file. `folderOf` returns undefined if the user has no cache. */
export function cacheNote(subject: string, name: string, folderOf: () => string | undefined): CacheNote {
  const key = createHash("sha256").update(subject).digest("hex").slice(0, 32);
  const file = () => {
    const folder = folderOf();
    if (folder === undefined) throw new Error("no cache");
    return path.join(folder, name);
  };
  return {
    read: () => quietly(() => notesIn(file()).find(([one]) => one === key)?.[1]),
    write: (note) =>
      void quietly(() => {
        const whole = file();
        const others = (quietly(() => notesIn(whole)) ?? []).filter(([one]) => one !== key);
        const part = `${whole}.${process.pid}`;
        writeFileSync(part, JSON.stringify([[key, note], ...others].slice(0, most)), { mode: 0o600 });
        renameSync(part, whole);
      }),
  };
}

function notesIn(file: string): readonly (readonly [string, unknown])[] {
  const notes: unknown = JSON.parse(readFileSync(file, "utf8"));
  const isNote = (note: unknown): note is readonly [string, unknown] =>
    Array.isArray(note) && typeof note[0] === "string";
  return Array.isArray(notes) ? notes.filter(isNote) : [];
}

export function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
