/** Writes all files or none, and never over an existing file. */
import { randomUUID } from "node:crypto";
import { constants, copyFileSync, linkSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { linked, placed } from "../install/placing";
import { AdoptError } from "./error";

/** Path below the directory, with slashes -> content. */
export type Files = ReadonlyMap<string, string>;

/** Throws an AdoptError if a file exists already, and an ObstacleError if a file cannot be created. */
export function place(directory: string, files: Files): Promise<void> {
  const target = path.resolve(directory);
  const home = isThere(target) ? target : path.dirname(target);
  return placed(async () => {
    mkdirSync(home, { recursive: true });
    const stage = path.join(home, `.adopting-${randomUUID()}`);
    try {
      mkdirSync(stage);
    } catch (error) {
      // People know the folder, and not the temporary one.
      throw Object.assign(error as Error, { path: home });
    }
    try {
      for (const [file, content] of files) {
        const staged = path.join(stage, file);
        mkdirSync(path.dirname(staged), { recursive: true });
        writeFileSync(staged, content);
      }
      if (home === target) moveAll([...files.keys()], stage, target);
      else renameSync(stage, target);
    } finally {
      rmSync(stage, { recursive: true, force: true });
    }
  });
}

function moveAll(files: readonly string[], stage: string, target: string): void {
  const taken = files.filter((file) => isThere(path.join(target, file)));
  if (taken.length > 0) {
    throw new AdoptError(
      `${taken.join(", ")}: already in ${target}. Existing files stay unchanged, so nothing was written. Run adopt again.`,
    );
  }
  const link = files.flatMap(foldersOf).find((folder) => isLink(path.join(target, folder)));
  if (link !== undefined) throw new AdoptError(linked(path.join(target, link)).message);
  const moved: string[] = [];
  try {
    for (const file of files) {
      const inPlace = path.join(target, file);
      mkdirSync(path.dirname(inPlace), { recursive: true });
      moveInto(path.join(stage, file), inPlace);
      moved.push(inPlace);
    }
  } catch (error) {
    for (const file of moved) rmSync(file, { force: true });
    throw error;
  }
}

/** The folders of a path, outermost first. */
function foldersOf(file: string): string[] {
  const folder = path.posix.dirname(file);
  return folder === "." ? [] : [...foldersOf(folder), folder];
}

const isLink = (entry: string) => lstatSync(entry, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** A link fails if the target exists. On file systems without links, a copy does the same. */
function moveInto(staged: string, target: string): void {
  try {
    linkSync(staged, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    copyFileSync(staged, target, constants.COPYFILE_EXCL);
  }
}

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
