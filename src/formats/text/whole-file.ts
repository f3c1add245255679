/** Writes a file whole, or leaves it as it was if the disk is full. */
import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";

export const full = ["ENOSPC", "EDQUOT", "EFBIG"];

const refusing = ["ENOENT", "ENOTDIR", "EISDIR", "EACCES", "EPERM", "EROFS"];

/** An error of the system with the file, which a full disk does not name, and the remedy. Returns any other error as it is. `other`: what else helps. */
export function withRemedy(file: string, error: unknown, other: string): Error {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (![...full, ...refusing].includes(code)) return error as Error;
  const first = full.includes(code) ? "make space on its disk, or " : code === "ENOENT" ? "create its folder, or " : "";
  return new Error(`${file} cannot be written (${code}): ${first}${other}.`, { cause: error });
}

export function writeWhole(file: string, text: string): void {
  const old = lstatSync(file, { throwIfNoEntry: false });
  // A pipe, a device or a link stays what it is.
  if (old && !old.isFile()) return writeFileSync(file, text);
  const fresh = `${file}.${process.pid}.new`;
  try {
    writeFileSync(fresh, text, { flag: "wx", ...(old && { mode: old.mode }) });
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    if (full.includes((error as NodeJS.ErrnoException).code ?? "")) throw Object.assign(error as Error, { path: file });
    // The folder takes no second file, or the file is mounted.
    writeFileSync(file, text);
  }
}
