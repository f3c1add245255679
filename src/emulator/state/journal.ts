/** The tenant on disk: one JSON line for where it began, one for each change, so that no kill loses what was answered. */
import {
  closeSync,
  constants,
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
  /** What happened since, in order. */
  readonly changes: readonly Change[];
}

export interface Journal {
  /** What the file held when it was opened; undefined when there was none. */
  readonly kept?: Kept;
  /** Begins the file anew with this tenant; the old one stays whole until the new one is. */
  begin(identity: Identity, tenant: Contents): void;
  /** Throws when it cannot be kept, and leaves the file as it was. */
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

/** The tenant kept in a file; undefined when there is none. Throws when the file is something else or damaged. */
function readJournal(file: string): Kept | undefined {
  if (!exists(file)) return undefined;
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  const lines = readFileSync(descriptor, "utf8").split("\n");
  closeSync(descriptor);
  // The piece behind the last line break was being written when the end came: nobody was told of it.
  lines.pop();
  if (lines.length === 0) return undefined;
  const changes: Change[] = [];
  let kept: Kept | undefined;
  for (const [index, text] of lines.entries()) {
    const line = parse(text);
    const isFirst = index === 0;
    // A disk that was full or lost its power may end in a whole line of rubbish, which nobody was told of either.
    if (line === undefined && !isFirst && index === lines.length - 1) break;
    if (line === undefined || isFirst !== "format" in line || ("format" in line && line.format !== format)) {
      throw new Error(`${file} is not the file of an embedded tenant, or is damaged at line ${index + 1}`);
    }
    if ("format" in line) kept = { identity: line.identity, tenant: line.tenant, changes };
    else if ("keys" in line) {
      const { identity, tenant } = kept!;
      kept = { identity: { ...identity, keys: { ...identity.keys, ...line.keys } }, tenant, changes };
    } else changes.push(line.change);
  }
  return kept;
}

function parse(text: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === "object" && line !== null ? (line as Line) : undefined;
  } catch {
    return undefined;
  }
}

function write(to: number, line: Line): number {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let at = 0; at < bytes.length;) at += writeSync(to, bytes, at);
  return bytes.length;
}

/** Opens a file that no other process may use meanwhile. */
export function openJournal(file: string): Journal {
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
  let isBroken = false;

  const closeFile = () => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };

  return {
    kept,
    begin(identity, tenant) {
      const fresh = `${file}.new`;
      rmSync(fresh, { force: true });
      // The file holds secrets and private keys: for its owner alone.
      const next = openSync(fresh, "wx", 0o600);
      try {
        base = write(next, { format, identity, tenant });
        fsyncSync(next);
        renameSync(fresh, file);
      } catch (error) {
        closeSync(next);
        rmSync(fresh, { force: true });
        throw error;
      }
      grown = 0;
      closeFile();
      descriptor = next;
      isBroken = false;
    },
    // Handed to the operating system before the answer goes out: that outlives any kill of this process.
    append(line) {
      if (descriptor === undefined) return;
      if (isBroken) throw new Error(`${file} cannot be written any more`);
      try {
        grown += write(descriptor, line);
      } catch (error) {
        isBroken = true;
        ftruncateSync(descriptor, base + grown);
        isBroken = false;
        throw error;
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
