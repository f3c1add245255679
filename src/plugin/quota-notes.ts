/** Remembers the quotas of tenants for later processes of this user. */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { cacheFolder } from "./cache-folder";

/*
 * One file in the user's cache has the notes of the last tenants: hashes of their addresses, and numbers. Two processes that write
 * at the same time lose one of their notes. If files cannot be written or read, there is no note.
 */

const mostTenants = 20;

/** `folderOf` returns undefined if the user has no cache. */
export function quotaNotes(tenant: string, folderOf = () => cacheFolder("quota", process.env)) {
  const key = createHash("sha256").update(tenant).digest("hex").slice(0, 32);
  return {
    read: (): unknown => quietly(() => notesIn(fileIn(folderOf())).find(([name]) => name === key)?.[1]),
    write: (note: object): void =>
      void quietly(() => {
        const file = fileIn(folderOf());
        const others = (quietly(() => notesIn(file)) ?? []).filter(([name]) => name !== key);
        const part = `${file}.${process.pid}`;
        writeFileSync(part, JSON.stringify([[key, note], ...others].slice(0, mostTenants)), { mode: 0o600 });
        renameSync(part, file);
      }),
  };
}

function fileIn(folder: string | undefined): string {
  if (folder === undefined) throw new Error("no cache");
  return path.join(folder, "quotas.json");
}

function notesIn(file: string): readonly (readonly [string, unknown])[] {
  const notes: unknown = JSON.parse(readFileSync(file, "utf8"));
  const isNote = (note: unknown): note is readonly [string, unknown] =>
    Array.isArray(note) && typeof note[0] === "string";
  return Array.isArray(notes) ? notes.filter(isNote) : [];
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
