// The tenant on disk: one JSON line for where it began, one for each change, so that no kill loses what was answered.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import type { Key } from "../auth/key";
import type { Change, Snapshot } from "./store";

type Pems = Pick<Key, "privatePem" | "publicPem">;

/** What outlives a run beside the tenant itself. */
export interface Identity {
  /** The ready client's id, by which it is found among the clients. */
  clientId: string;
  keys: { tenant?: Pems; client?: Pems };
}

type Line =
  { format: typeof format; identity: Identity; tenant: Snapshot } | { change: Change } | { keys: Identity["keys"] };

export interface Kept {
  identity: Identity;
  tenant: Snapshot;
  /** What happened since, in order. */
  changes: Change[];
}

export interface Journal {
  /** Begins the file anew with this tenant; the old one stays whole until the new one is. */
  begin(identity: Identity, tenant: Snapshot): void;
  append(line: { change: Change } | { keys: Identity["keys"] }): void;
  /** Bytes appended since the last beginning, and bytes of that beginning. */
  readonly grown: number;
  readonly base: number;
  close(): void;
}

const format = "tenantform tenant 1";

/** The tenant kept in a file; undefined when there is none. Throws when the file is something else or damaged. */
export function readJournal(file: string): Kept | undefined {
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8").split("\n");
  // The piece behind the last line break was being written when the end came: nobody was told of it.
  lines.pop();
  if (lines.length === 0) return undefined;
  const kept: Partial<Kept> & Pick<Kept, "changes"> = { changes: [] };
  for (const [index, text] of lines.entries()) {
    const line = parse(text);
    const isFirst = index === 0;
    if (line === undefined || isFirst !== "format" in line || (isFirst && "format" in line && line.format !== format)) {
      throw new Error(`${file} is not the file of an embedded tenant, or is damaged at line ${index + 1}`);
    }
    if ("format" in line) Object.assign(kept, { identity: line.identity, tenant: line.tenant });
    else if ("keys" in line) Object.assign(kept.identity!.keys, line.keys);
    else kept.changes.push(line.change);
  }
  return kept as Kept;
}

function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

const write = (to: number, line: Line) => {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let at = 0; at < bytes.length;) at += writeSync(to, bytes, at);
  return bytes.length;
};

export function openJournal(file: string): Journal {
  let descriptor: number | undefined;
  let base = 0;
  let grown = 0;

  const close = () => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };

  return {
    begin(identity, tenant) {
      // The file holds secrets and private keys: for its owner alone.
      const next = openSync(`${file}.new`, "w", 0o600);
      base = write(next, { format, identity, tenant });
      grown = 0;
      fsyncSync(next);
      renameSync(`${file}.new`, file);
      close();
      descriptor = next;
    },
    // Handed to the operating system before the answer goes out: that outlives any kill of this process.
    append(line) {
      if (descriptor !== undefined) grown += write(descriptor, line);
    },
    get base() {
      return base;
    },
    get grown() {
      return grown;
    },
    close,
  };
}
