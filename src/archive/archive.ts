/**
 * Reads zip archives that may be hostile: checks every name and size of the directory before it inflates the first byte, and inflates no
 * more than the directory declares. Who made the archive is not checked here: a signature covers the zips of a release.
 */
import { crc32, inflateRawSync } from "node:zlib";

/** The archive cannot be trusted. */
export class ArchiveError extends Error {}

export interface Limits {
  readonly entries: number;
  /** The limit for all inflated entries together. */
  readonly bytes: number;
}

export interface Entry {
  /** Relative, with `/` between its parts: no part is empty, `.` or `..`. */
  readonly name: string;
  /** Throws an ArchiveError if the content does not match the directory. */
  read(): Buffer;
}

const end = { size: 22, signature: 0x06054b50 };
const record = { size: 46, signature: 0x02014b50 };
const headerSize = 30;

/** Throws an ArchiveError if the archive exceeds the limits, or has more than plain files in plain folders. */
export function openArchive(bytes: Buffer, limits: Limits): Entry[] {
  const last = bytes.length - end.size;
  if (last < 0 || bytes.readUInt32LE(last) !== end.signature)
    throw new ArchiveError("it does not end with the end record of a zip archive");
  const count = bytes.readUInt16LE(last + 10);
  if (count > limits.entries)
    throw new ArchiveError(`it has ${count} entries, and ${limits.entries} are allowed at most`);
  const entries = new Map<string, Entry>();
  let total = 0;
  for (let at = bytes.readUInt32LE(last + 16), index = 0; index < count; index++) {
    if (at + record.size > last || bytes.readUInt32LE(at) !== record.signature)
      throw new ArchiveError("its directory is incomplete");
    const next = at + record.size + bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + record.size, next);
    if (!isInside(name)) throw new ArchiveError(`the name of entry ${quoted(name)} could lead out of the folder`);
    if (entries.has(name)) throw new ArchiveError(`entry ${quoted(name)} appears twice`);
    // The upper half is the mode of Unix, and two attributes of MS-DOS mark folders and volumes.
    const attributes = bytes.readUInt32LE(at + 38);
    if (![0, 0o100].includes((attributes >>> 16) >> 9) || (attributes & 0x18) !== 0)
      throw new ArchiveError(`entry ${quoted(name)} is a link, a folder or another special file`);
    total += bytes.readUInt32LE(at + 24);
    const own = bytes.subarray(at, next);
    entries.set(name, { name, read: () => contentOf(bytes, own, name) });
    at = next + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  if (total > limits.bytes)
    throw new ArchiveError(`its entries inflate to ${total} bytes, and ${limits.bytes} are allowed at most`);
  return [...entries.values()];
}

/** Windows takes `\` for a separator and `C:` for a drive. */
const isInside = (name: string) =>
  !/[\\:\uFFFD]/.test(name) &&
  ![...name].some(isControl) &&
  name.split("/").every((part) => !["", ".", ".."].includes(part));

const isControl = (character: string) => character < " " || (character >= "\x7f" && character <= "\x9f");

/** `own`: the record of the entry. */
function contentOf(bytes: Buffer, own: Buffer, name: string): Buffer {
  const [method, checksum, packed, size] = [own.readUInt16LE(10), ...[16, 20, 24].map((at) => own.readUInt32LE(at))];
  try {
    if (own.readUInt16LE(8) & 0x2061) throw new Error("encrypted or patched");
    const header = own.readUInt32LE(42);
    const start = header + headerSize + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const stored = bytes.subarray(start, start + packed!);
    // zlib takes a limit of 0 for no limit.
    const content = method === 8 ? inflateRawSync(stored, { maxOutputLength: Math.max(size!, 1) }) : stored;
    if (![0, 8].includes(method!) || content.length !== size || crc32(content) !== checksum)
      throw new Error("different");
    return content;
  } catch (cause) {
    throw new ArchiveError(`the content of entry ${quoted(name)} does not match the directory`, { cause });
  }
}

/** Quotes and shortens text from an archive, and escapes characters that could control a terminal. */
export function quoted(text: string): string {
  const short = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(short).replace(/[^\x20-\x7e…]/g, escaped);
}
