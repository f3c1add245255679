/** V8's compiled code of a script, kept between processes in a folder of the user's alone; where there is none, nothing is kept. */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

export interface CodeCache {
  /** What was kept, whole and unchanged; undefined where that is not certain. */
  read(): Buffer | undefined;
  keep(code: Buffer): void;
}

const kept = 6;
const digestLength = 32;

/** `key` names the text together with the V8 that compiles it. */
export function codeCache(key: string, env: Readonly<NodeJS.ProcessEnv> = process.env): CodeCache {
  const folder = cacheFolder(env);
  const file = folder && path.join(folder, key);
  return {
    read() {
      if (!file) return undefined;
      try {
        if (!isOwn(folder)) return undefined;
        const descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0));
        try {
          if (!isPrivate(fs.fstatSync(descriptor))) return undefined;
          const content = fs.readFileSync(descriptor);
          const code = content.subarray(digestLength);
          return digest(code).equals(content.subarray(0, digestLength)) ? code : undefined;
        } finally {
          fs.closeSync(descriptor);
        }
      } catch {
        return undefined;
      }
    },
    keep(code) {
      if (!file) return;
      const part = `${file}.${process.pid}`;
      try {
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (!isOwn(folder)) return;
        fs.writeFileSync(part, Buffer.concat([digest(code), code]), { flag: "wx", mode: 0o600 });
        fs.renameSync(part, file);
        forgetOldest(folder);
      } catch {
        // A disk that is full or read-only, or a strange folder, costs milliseconds at the next start, and nothing else.
        quietly(() => fs.rmSync(part, { force: true }));
      }
    },
  };
}

/** Undefined where it throws. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const digest = (code: Buffer) => createHash("sha256").update(code).digest();

/** Undefined where the user has no home of their own, as with a HOME kept through sudo. */
function cacheFolder(env: Readonly<NodeJS.ProcessEnv>, platform = process.platform): string | undefined {
  const home = platform === "win32" ? env.LOCALAPPDATA : env.HOME;
  if (!home || !path.isAbsolute(home) || !isOurs(quietly(() => fs.statSync(home)))) return undefined;
  const xdg = env.XDG_CACHE_HOME && path.isAbsolute(env.XDG_CACHE_HOME) ? env.XDG_CACHE_HOME : undefined;
  const base = { win32: home, darwin: path.join(home, "Library/Caches") }[platform as string] ?? xdg;
  return path.join(base ?? path.join(home, ".cache"), "tenantform", "code");
}

function isOwn(folder: string): boolean {
  const found = fs.lstatSync(folder, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && isPrivate(found);
}

/** Ours, and nobody else's to write to. */
const isPrivate = (found: fs.Stats) => isOurs(found) && (process.getuid === undefined || (found.mode & 0o022) === 0);

/** Windows has no such numbers; there the folder below the user's profile is protected by other means. */
const isOurs = (found: fs.Stats | undefined) => process.getuid === undefined || found?.uid === process.getuid();

function forgetOldest(folder: string): void {
  const files = fs.readdirSync(folder).map((name) => path.join(folder, name));
  const newestFirst = files
    .map((file) => ({ file, written: fs.statSync(file).mtimeMs }))
    .toSorted((a, b) => b.written - a.written);
  for (const { file } of newestFirst.slice(kept)) fs.rmSync(file, { force: true });
}
