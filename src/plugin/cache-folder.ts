/** Finds the folder of this user's cache for Tenantform. */
import { lstatSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Makes the folder. Anyone who can write to the cache can run code as this user, so the home and the folder must be the user's
 * alone. Otherwise, and on a disk that is full or read-only, there is no folder.
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
    // Under sudo, HOME may be the home of another user.
    if (statSync(home).uid !== (process.getuid?.() ?? 0)) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    return isWindows || (uid === process.getuid?.() && (mode & 0o077) === 0) ? folder : undefined;
  } catch {
    return undefined;
  }
}
