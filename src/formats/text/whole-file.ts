/** Writes a file whole, or leaves it as it was if the disk is full. */
import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";

export const full = ["ENOSPC", "EDQUOT", "EFBIG"];

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
