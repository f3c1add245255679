/** Finds the folder of this user's cache for Tenantform. */
import { lstatSync, mkdirSync, readlinkSync } from "node:fs";
import path from "node:path";

/**
 * Makes the folder. Anyone who can write to the cache can run code as this user, so the folder must be the user's alone, and nobody else
 * may be able to put another one in its place. Otherwise, and on a disk that is full or read-only, there is no folder.
 */
export function cacheFolder(name: string, env: Readonly<NodeJS.ProcessEnv>): string | undefined {
  const { HOME, LOCALAPPDATA, XDG_CACHE_HOME } = env;
  const isWindows = process.platform === "win32";
  const home = isWindows ? LOCALAPPDATA : HOME;
  if (!home || !path.isAbsolute(home)) return undefined;
  const standard = isWindows ? home : path.join(home, process.platform === "darwin" ? "Library/Caches" : ".cache");
  const base = XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : standard;
  const folder = path.join(base, "tenantform", name);
  try {
    // A home that does not exist is not made: it may be a mistake, and for the root user it would stay.
    if (base === standard && !lstatSync(home, { throwIfNoEntry: false })) return undefined;
    if (isWindows) {
      mkdirSync(folder, { recursive: true });
      return folder;
    }
    if (!isOutOfReach(folder)) return undefined;
    const stats = lstatSync(folder);
    return stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0 ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** The bits of a mode. Of a folder with the sticky bit, such as /tmp, each entry is its owner's alone. */
const [writableByOthers, sticky] = [0o022, 0o1000];

/** Whether only this user and root can replace the folder: by each folder on the way, from the root, also behind links. Makes missing ones. */
function isOutOfReach(folder: string): boolean {
  const parent = path.dirname(folder);
  if (parent !== folder && !isOutOfReach(parent)) return false;
  if (!lstatSync(folder, { throwIfNoEntry: false })) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  if (stats.uid !== 0 && stats.uid !== process.getuid?.()) return false;
  if (stats.isSymbolicLink()) return isOutOfReach(path.resolve(parent, readlinkSync(folder)));
  return stats.isDirectory() && ((stats.mode & writableByOthers) === 0 || (stats.mode & sticky) !== 0);
}
