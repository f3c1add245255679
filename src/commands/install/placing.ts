/** Writes files in one step, never through a symbolic link, while other processes may do the same. Explains why a file cannot be written. */
import { randomUUID } from "node:crypto";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { full, withRemedy } from "../../formats/text/whole-file";

/** Files are prepared in this folder and then renamed to their places. It is on the same file system, and removed afterwards. */
export function stagedIn<T>(folder: string, use: (stage: string) => T): T {
  const stage = mkdtempSync(path.join(folder, ".staged-"));
  try {
    return use(stage);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Makes the missing folders below `root`. A link among the folders is an error. */
export function makeFolder(root: string, below: string): string {
  return below.split("/").reduce((folder, name) => {
    const inner = path.join(folder, name);
    mkdirUnlessThere(inner);
    if (lstatSync(inner).isSymbolicLink()) throw linked(inner);
    return inner;
  }, root);
}

function mkdirUnlessThere(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

export function linked(place: string): Error {
  return new Error(
    `${place} is a symbolic link, and the command writes nothing through a link. Remove the link (its target stays as it is), and run the command again.`,
  );
}

/** Removes everything from the folder except the named entries. */
export function clear(folder: string, keep: readonly string[], stage: string): void {
  for (const name of readdirSync(folder)) {
    if (keep.includes(name)) continue;
    try {
      renameSync(path.join(folder, name), path.join(stage, randomUUID()));
    } catch (error) {
      // Another process has removed it in the meantime.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

/** Replaces a link in its place, and does not follow it. With an equal `twin`, the file becomes a hard link, which takes no space. */
export function put(file: string, content: string | Uint8Array, mode: number, stage: string, twin?: string): void {
  const staged = prepared(file, content, mode, stage, twin);
  if (staged !== undefined) renameSync(staged, file);
}

/** The new file in the stage, or undefined if the file in its place is right. */
export function prepared(
  file: string,
  content: string | Uint8Array,
  mode: number,
  stage: string,
  twin?: string,
): string | undefined {
  if (isEqual(file, content, mode)) return undefined;
  const staged = path.join(stage, randomUUID());
  if (twin === undefined || !isEqual(twin, content, mode) || !isLinked(twin, staged)) {
    naming(file, () => writeFileSync(staged, content, { mode }));
  }
  return staged;
}

/** Removes the folder and those around it, below `root`, as far as they are empty. */
export function removeEmpty(folder: string, root: string): void {
  for (let empty = folder; empty.startsWith(root + path.sep); empty = path.dirname(empty)) {
    try {
      rmdirSync(empty);
    } catch {
      return;
    }
  }
}

/** Some file systems have no hard links, and none has links to another one. */
function isLinked(twin: string, file: string): boolean {
  try {
    linkSync(twin, file);
    return true;
  } catch {
    return false;
  }
}

function isEqual(file: string, content: string | Uint8Array, mode: number): boolean {
  const present = lstatSync(file, { throwIfNoEntry: false });
  const bytes = Buffer.from(content);
  return (
    present?.isFile() === true &&
    present.size === bytes.length &&
    (process.platform === "win32" || (present.mode & 0o111) === (mode & 0o111)) &&
    readFileSync(file).equals(bytes)
  );
}

const denied = ["EACCES", "EPERM", "EROFS"];
const inTheWay = ["ENOTDIR", "EEXIST", "EISDIR"];

/** The place cannot be written. The message says what to do. */
export class ObstacleError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ObstacleError";
  }
}

/** Puts the file into an error of the work: a disk that is full does not name it. */
export function naming<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw Object.assign(withRemedy(file, error, elsewhere), { code, path: file });
  }
}

const elsewhere = "name another folder";

/** Does the work. Throws an ObstacleError if the system refuses to write. */
export async function placed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = "", path: place, dest = place } = error as NodeJS.ErrnoException & { dest?: string };
    if (dest === undefined) throw error;
    if (denied.includes(code)) {
      throw new ObstacleError(
        `${dest} cannot be written (${code}): name another folder, or run the command as the owner of this one.`,
        {
          cause: error,
        },
      );
    }
    if (full.includes(code)) throw new ObstacleError(withRemedy(dest, error, elsewhere).message, { cause: error });
    if (inTheWay.includes(code)) {
      throw new ObstacleError(`${nearest(dest)} is in the way (${code}): move it, or name another folder.`, {
        cause: error,
      });
    }
    throw error;
  }
}

/** The place, or its nearest parent that exists. */
function nearest(place: string): string {
  try {
    statSync(place);
    return place;
  } catch {
    const above = path.dirname(place);
    return above === place ? place : nearest(above);
  }
}
