/** Files put in their places together: prepared beside, moved at the end, and never over one that is there. */
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

/** By path below the directory, with slashes. */
export type Files = ReadonlyMap<string, string>;

/** Throws where one of them is there already; then those that were moved before it stay. */
export function place(directory: string, files: Files): void {
  const target = path.resolve(directory);
  const isNew = !existsSync(target);
  const home = isNew ? path.dirname(target) : target;
  mkdirSync(home, { recursive: true });
  const stage = mkdtempSync(path.join(home, ".adopting-"));
  try {
    for (const [file, content] of files) {
      const staged = path.join(stage, file);
      mkdirSync(path.dirname(staged), { recursive: true });
      writeFileSync(staged, content);
    }
    if (isNew) return renameSync(stage, target);
    for (const file of files.keys()) {
      mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
      moveBeside(path.join(stage, file), path.join(target, file));
    }
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** A link in one step, which fails where something is there; a copy that does the same on file systems without links. */
function moveBeside(staged: string, target: string): void {
  try {
    linkSync(staged, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST")
      throw new Error(`${target} is there, and nothing is written over it: run again.`, { cause: error });
    copyFileSync(staged, target, constants.COPYFILE_EXCL);
  }
}

/** `file`, or the first of `name-2.ext`, `name-3.ext` … that is not taken. */
export function free(file: string, isTaken: (file: string) => boolean): string {
  const { dir, name, ext } = path.posix.parse(file);
  let found = file;
  for (let number = 2; isTaken(found); number++) found = path.posix.join(dir, `${name}-${number}${ext}`);
  return found;
}
