/** Loads tenant-calls.ts in Node, where the build puts it into a file of its own: with settings for V8 and a cache for compiled code. */
import { lstatSync, mkdirSync, statSync } from "node:fs";
import * as nodeModule from "node:module";
import path from "node:path";
import { setFlagsFromString } from "node:v8";

const flags = [
  // V8 would let the space for new objects grow from 1 MB to 16 MB. A process needs 1 MB: this saves 8 MB at the peak of 100 creates.
  "--semi-space-growth-factor=1",
  // Node 20 would compile undici's parser (WebAssembly) a second time: 70 ms of processor time and 35 MB for a few kilobytes of input.
  "--liftoff-only",
];

/** Since Node 22.8. Node itself obeys NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE. */
const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };

/** Anyone who can write to the cache can run code as this user. So the home and the folder must be the user's alone. */
function cacheFolder({ HOME, LOCALAPPDATA, XDG_CACHE_HOME }: NodeJS.ProcessEnv): string | undefined {
  const isWindows = process.platform === "win32";
  const home = isWindows ? LOCALAPPDATA : HOME;
  if (!home || !path.isAbsolute(home)) return undefined;
  const standard = isWindows ? home : path.join(home, process.platform === "darwin" ? "Library/Caches" : ".cache");
  const base = XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : standard;
  const folder = path.join(base, "tenantform", "node");
  try {
    // Under sudo, HOME may be the home of another user.
    if (statSync(home).uid !== (process.getuid?.() ?? 0)) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    return isWindows || (uid === process.getuid?.() && (mode & 0o077) === 0) ? folder : undefined;
  } catch {
    // A disk that is full or read-only costs some milliseconds at the next start.
    return undefined;
  }
}

// Only now, because V8 rejects compiled code that was cached under other flags: also the code that Node brings for its own modules.
for (const flag of flags) setFlagsFromString(flag);
const folder = enableCompileCache && cacheFolder(process.env);
if (folder) enableCompileCache(folder);

export const { tenantCalls } = require("./provider.cjs") as typeof import("./tenant-calls");
