/** Writes all files or none, and never over an existing file. */
import { closeSync, lstatSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { linked, naming, placed } from "../install/placing";
import { UserError } from "../../formats/text/user-error";

/** Path below the directory, with slashes -> content. */
export type Files = ReadonlyMap<string, string>;

/** Throws an UserError if a file exists already, and an ObstacleError if a file cannot be created. */
export function place(directory: string, files: Files): Promise<void> {
  const target = path.resolve(directory);
  const all = [...files.keys()];
  const taken = all.filter((file) => isThere(path.join(target, file)));
  return placed(async () => {
    if (taken.length > 0) {
      throw new UserError(
        `${taken.join(", ")}: already in ${target}. Existing files stay unchanged, so nothing was written. Run adopt again.`,
      );
    }
    const link = all.flatMap(foldersOf).find((folder) => isLink(path.join(target, folder)));
    if (link !== undefined) throw new UserError(linked(path.join(target, link)).message);
    const written: string[] = [];
    const made: string[] = [];
    try {
      for (const [file, content] of files) {
        const inPlace = path.join(target, file);
        const folder = mkdirSync(path.dirname(inPlace), { recursive: true });
        if (folder !== undefined) made.push(folder);
        const descriptor = openSync(inPlace, "wx");
        written.push(inPlace);
        try {
          naming(inPlace, () => writeFileSync(descriptor, content));
        } finally {
          closeSync(descriptor);
        }
      }
    } catch (error) {
      for (const file of [...written, ...made]) rmSync(file, { recursive: true, force: true });
      throw error;
    }
  });
}

/** The folders of a path, outermost first. */
function foldersOf(file: string): string[] {
  const folder = path.posix.dirname(file);
  return folder === "." ? [] : [...foldersOf(folder), folder];
}

const isLink = (entry: string) => lstatSync(entry, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Also true for a link without a target. */
export function isThere(file: string): boolean {
  try {
    return Boolean(lstatSync(file));
  } catch {
    return false;
  }
}

/** `file`, or the first free name of `name-2.ext`, `name-3.ext` … */
export function free(file: string, isTaken: (file: string) => boolean): string {
  const { dir, name, ext } = path.posix.parse(file);
  let found = file;
  for (let number = 2; isTaken(found); number++) found = path.posix.join(dir, `${name}-${number}${ext}`);
  return found;
}
