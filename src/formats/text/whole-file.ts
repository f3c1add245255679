/** Writes a file whole, or leaves it as it was if the disk is full. */
import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";

export const full = ["ENOSPC", "EDQUOT", "EFBIG"];

/** The error of a full disk, which names no file, with the file and the remedy. Returns any other error as it is. `other`: what else helps. */
export function withRemedy(file: string, error: unknown, other: string): Error {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (!full.includes(code)) return error as Error;
  return new Error(`${file} cannot be written (${code}): make space on its disk, or ${other}.`, { cause: error });
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
