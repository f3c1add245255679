/** The tenant on disk: one JSON line for where it began, one for each change, so that no kill loses what was answered. */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import type { Key } from "../auth/key";
import { lockFile } from "./lock";
import type { Change, Contents } from "./store";

type Pems = Pick<Key, "privatePem" | "publicPem">;

/** What outlives a run beside the tenant itself. */
export interface Identity {
  /** The ready client's id, by which it is found among the clients. */
  readonly clientId: string;
  readonly keys: { readonly tenant?: Pems; readonly client?: Pems };
}

type Line =
  | { readonly format: typeof format; readonly identity: Identity; readonly tenant: Contents }
  | { readonly change: Change }
  | { readonly keys: Identity["keys"] };

export interface Kept {
  readonly identity: Identity;
  readonly tenant: Contents;
  /** The changes since then, in order, each with its line number. */
  readonly changes: readonly (readonly [line: number, change: Change])[];
  /** Describes a torn line at the end of the file, in a sentence; undefined if every line is whole. */
  readonly dropped?: string;
}

export interface Journal {
  /** What the file held when it was opened; undefined when there was none. */
  readonly kept?: Kept;
  /** Begins the file anew with this tenant; the old one stays whole until the new one is. */
  begin(identity: Identity, tenant: Contents): void;
  /** Throws when the line cannot be kept; the file then ends with the line before, or takes no more until it does. */
  append(line: { readonly change: Change } | { readonly keys: Identity["keys"] }): void;
  /** Bytes appended since the last beginning, and bytes of that beginning. */
  readonly grown: number;
  readonly base: number;
  close(): void;
}

const format = "tenantform tenant 1";

function exists(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return false;
  // Its secrets would be written wherever the link points to.
  if (found.isSymbolicLink()) throw new Error(`${file} is a symbolic link; name the file itself`);
  if (!found.isFile()) throw new Error(`${file} is not a file`);
  return true;
}

export function damaged(file: string, line: number, cause?: unknown): Error {
  const problem = `${file} is not the file of an embedded tenant, or is damaged at line ${line}`;
  const remedy = "Nothing was changed. Choose another file, restore this one, or remove the line and lose its change";
  return new Error(`${problem}. ${remedy}.`, { cause });
}

const newline = 0x0a;

/** The lines of a file as bytes; behind the last line break there may be one that is torn. */
function linesOf(bytes: Buffer): { lines: Buffer[]; torn: Buffer } {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return { lines, torn: bytes.subarray(start) };
}

/** The tenant kept in a file; undefined when there is none. Throws when the file is something else or damaged. */
function readJournal(file: string): Kept | undefined {
  if (!exists(file)) return undefined;
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  const bytes = readFileSync(descriptor);
  closeSync(descriptor);
  if (bytes.length === 0) return undefined;
  const { lines, torn } = linesOf(bytes);
  const changes: (readonly [number, Change])[] = [];
  let kept: Kept | undefined;
  // The torn line was being written when the process ended: no response told of it.
  let dropped =
    torn.length > 0
      ? `${file} ends with ${torn.length} bytes of an unfinished change, for which no response was sent. The embedded tenant drops them.`
      : undefined;
  for (const [index, text] of lines.entries()) {
    const line = parse(text);
    const isFirst = index === 0;
    // A disk that lost its power may end in a whole line of rubbish.
    if (line === undefined && !isFirst && index === lines.length - 1) {
      dropped = `${file} ends with line ${index + 1}, which is not a change. The embedded tenant drops its ${text.length} bytes.`;
      break;
    }
    if (line === undefined || isFirst !== "format" in line) throw damaged(file, index + 1);
    if ("format" in line) kept = { identity: line.identity, tenant: line.tenant, changes };
    else if ("keys" in line) {
      const { identity } = kept!;
      kept = { ...kept!, identity: { ...identity, keys: { ...identity.keys, ...line.keys } } };
    } else changes.push([index + 1, line.change]);
  }
  // A file of one line without its end is some other file: the first line is whole before it gets this name.
  if (kept === undefined) throw damaged(file, 1);
  return { ...kept, dropped };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function parse(bytes: Buffer): Line | undefined {
  try {
    // Earlier versions left NULs before a line that they had answered for, when the disk had been full before.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replace(/^\0+(?=\{)/, "");
    const line: unknown = JSON.parse(text);
    if (!isObject(line)) return undefined;
    const isLine =
      "format" in line
        ? line["format"] === format && isObject(line["identity"]) && isObject(line["tenant"])
        : isObject(line["change"]) || isObject(line["keys"]);
    return isLine ? (line as unknown as Line) : undefined;
  } catch {
    return undefined;
  }
}

/** The calls of the file system that can fail. */
const systemDisk = { write: writeSync, truncate: ftruncateSync, sync: fsyncSync, rename: renameSync };
export type Disk = typeof systemDisk;

/** Writes at a position of its own, because truncating a torn line does not move the descriptor's offset back. */
function write(disk: Disk, to: number, line: Line, position: number): number {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let at = 0; at < bytes.length;) at += disk.write(to, bytes, at, bytes.length - at, position + at);
  return bytes.length;
}

const notKept = (file: string, why: string, cause?: unknown) =>
  new Error(`${file} cannot be written: ${why}. The change is refused, and had no effect.`, { cause });

/** Opens a file that no other process may use meanwhile. */
export function openJournal(file: string, disk: Disk = systemDisk): Journal {
  exists(file);
  const unlock = lockFile(file);
  let kept: Kept | undefined;
  try {
    kept = readJournal(file);
  } catch (error) {
    unlock();
    throw error;
  }
  let descriptor: number | undefined;
  let base = 0;
  let grown = 0;

  const closeFile = () => {
    const open = descriptor;
    descriptor = undefined;
    if (open !== undefined) closeSync(open);
  };

  /** Leaves the file with whole lines alone, or throws. */
  const repair = (open: number) => {
    const { nlink, size } = fstatSync(open);
    if (nlink === 0) throw notKept(file, "another program removed or replaced it; restart the embedded tenant");
    if (size < base + grown) throw notKept(file, "another program cut it; restart the embedded tenant");
    if (size > base + grown) disk.truncate(open, base + grown);
  };

  return {
    kept,
    begin(identity, tenant) {
      const fresh = `${file}.new`;
      rmSync(fresh, { force: true });
      // The file holds secrets and private keys: for its owner alone.
      const next = openSync(fresh, "wx", 0o600);
      let size: number;
      try {
        size = write(disk, next, { format, identity, tenant }, 0);
        disk.sync(next);
        disk.rename(fresh, file);
      } catch (error) {
        closeSync(next);
        rmSync(fresh, { force: true });
        throw error;
      }
      closeFile();
      descriptor = next;
      base = size;
      grown = 0;
    },
    // Handed to the operating system before the answer goes out: that outlives any kill of this process.
    append(line) {
      if (descriptor === undefined) throw notKept(file, "it is closed");
      try {
        repair(descriptor);
        grown += write(disk, descriptor, line, base + grown);
      } catch (error) {
        try {
          repair(descriptor);
        } catch {
          // What is left of the line is cut off before the next one.
        }
        throw error instanceof Error && "code" in error ? notKept(file, error.message, error) : error;
      }
    },
    get base() {
      return base;
    },
    get grown() {
      return grown;
    },
    close() {
      closeFile();
      unlock();
    },
  };
}
