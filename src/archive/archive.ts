/** Reads zip archives that may be hostile: checks every name, size and header before it inflates the first byte. */
import { crc32, inflateRawSync } from "node:zlib";
import { directoryOf, type Listed } from "./directory";
import { ArchiveError, quoted } from "./error";

export { ArchiveError, quoted };

export interface Limits {
  readonly entries: number;
  /** The limit for all inflated entries together. */
  readonly bytes: number;
}

export interface Entry {
  /** Relative, with `/` between its parts: no part is empty, `.` or `..`. */
  readonly name: string;
  /** Once inflated. */
  readonly size: number;
  /** Inflates at most `size` bytes. Throws an ArchiveError if the content does not match the directory. */
  read(): Buffer;
}

/** Throws an ArchiveError if two readers could understand the archive differently, or if it exceeds the limits. */
export function openArchive(bytes: Buffer, limits: Limits): Entry[] {
  const listed = directoryOf(bytes, limits.entries);
  const names = new Set<string>();
  let total = 0;
  for (const { name, size } of listed) {
    if (!isInside(name)) throw new ArchiveError(`the name of entry ${quoted(name)} could lead out of the folder`);
    if (names.has(name)) throw new ArchiveError(`entry ${quoted(name)} appears twice`);
    names.add(name);
    total += size;
  }
  if (total > limits.bytes) {
    throw new ArchiveError(`its entries inflate to ${total} bytes, and ${limits.bytes} are allowed at most`);
  }
  return listed.map((entry) => ({ name: entry.name, size: entry.size, read: () => contentOf(bytes, entry) }));
}

/** Windows takes `\` for a separator and `C:` for a drive. */
function isInside(name: string): boolean {
  if (/[\\:]/.test(name) || [...name].some(isControl)) return false;
  return name.split("/").every((part) => !["", ".", ".."].includes(part));
}

const isControl = (character: string) => character < " " || (character >= "\x7f" && character <= "\x9f");

function contentOf(bytes: Buffer, { name, method, checksum, packed, size, start }: Listed): Buffer {
  const differs = (options?: ErrorOptions) =>
    new ArchiveError(`the content of entry ${quoted(name)} does not match the directory`, options);
  const stored = bytes.subarray(start, start + packed);
  const content = method === 0 ? stored : inflated(stored, size, differs);
  if (content.length !== size || crc32(content) !== checksum) throw differs();
  return content;
}

function inflated(stored: Buffer, size: number, differs: (options: ErrorOptions) => Error): Buffer {
  try {
    // zlib takes a limit of 0 for no limit.
    const { buffer, engine } = inflateRawSync(stored, {
      maxOutputLength: Math.max(size, 1),
      info: true,
    }) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    // The stream may end before the entry does.
    if (engine.bytesWritten !== stored.length) throw new Error("bytes after the end of the stream");
    return buffer;
  } catch (cause) {
    throw differs({ cause });
  }
}
