/** The plan in the archive of an artifact: the archive may hold anything, so nothing of it is unpacked but the plan's bytes. */
import { inflateRawSync } from "node:zlib";

/** What review.sh keeps. The checksum beside the plan proves nothing, as it comes from the same archive. */
const expected: ReadonlySet<string> = new Set(["plan", "plan.sha256"]);

const signatures = { file: 0x04034b50, directory: 0x02014b50, end: 0x06054b50 };
const sizes = { file: 30, directory: 46, end: 22 };
/** Sizes in a data descriptor, UTF-8 names, and the two bits that tell how hard the writer tried. */
const harmlessFlags = 0b1000_0000_1110;
const methods = { stored: 0, deflated: 8 };

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly compressed: number;
  readonly size: number;
  readonly offset: number;
}

/** Throws for an archive that holds anything but one `plan` of at most `most` bytes, and at most one `plan.sha256`. */
export function planIn(archive: Buffer, most: number): Buffer {
  const entries = directoryOf(archive);
  const plan = entries.find(({ name }) => name === "plan");
  if (!plan) throw new Error("its archive holds no plan");
  for (const { size } of entries) {
    if (size > most) throw new Error(`its plan is larger than ${most / 1024 / 1024} MB`);
  }
  return contentOf(archive, plan);
}

function directoryOf(archive: Buffer): Entry[] {
  const end = archive.length - sizes.end;
  // No comment stands behind the end, and no second disk or 64-bit record is needed for two files.
  if (end < 0 || archive.readUInt32LE(end) !== signatures.end) throw odd("it is no plain zip");
  const count = archive.readUInt16LE(end + 10);
  if (count !== archive.readUInt16LE(end + 8) || archive.readUInt32LE(end + 4) !== 0) throw odd("it has several parts");
  if (count > expected.size) throw odd(`it holds ${count} files`);
  let at = archive.readUInt32LE(end + 16);
  if (at + archive.readUInt32LE(end + 12) !== end) throw odd("its directory does not end where the archive ends");
  const entries: Entry[] = [];
  for (let index = 0; index < count; index++) {
    const { entry, next } = entryAt(archive, at, end);
    if (entries.some(({ name }) => name === entry.name)) throw odd(`it holds ${entry.name} twice`);
    entries.push(entry);
    at = next;
  }
  if (at !== end) throw odd("its directory holds more than it counts");
  return entries;
}

function entryAt(archive: Buffer, at: number, end: number): { readonly entry: Entry; readonly next: number } {
  if (at + sizes.directory > end || archive.readUInt32LE(at) !== signatures.directory)
    throw odd("its directory breaks off");
  const [named, extra, comment] = [28, 30, 32].map((place) => archive.readUInt16LE(at + place)) as [
    number,
    number,
    number,
  ];
  const next = at + sizes.directory + named + extra + comment;
  if (next > end) throw odd("its directory breaks off");
  const name = archive.toString("latin1", at + sizes.directory, at + sizes.directory + named);
  if (!expected.has(name)) throw odd(`it holds ${JSON.stringify(name.slice(0, 100))}`);
  const method = archive.readUInt16LE(at + 10);
  if ((archive.readUInt16LE(at + 8) & ~harmlessFlags) !== 0) throw odd(`${name} is encrypted or patched`);
  if (!Object.values(methods).includes(method)) throw odd(`${name} is compressed by method ${method}`);
  if (!isRegular(archive, at)) throw odd(`${name} is no regular file`);
  const [compressed, size] = [archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24)];
  return { entry: { name, method, compressed, size, offset: archive.readUInt32LE(at + 42) }, next };
}

/** Writers on Unix keep the mode of a file, which says what is a link or a device. */
function isRegular(archive: Buffer, at: number): boolean {
  const [madeOn, type] = [archive.readUInt8(at + 5), archive.readUInt32LE(at + 38) >>> 28];
  return madeOn !== 3 || type === 0 || type === 8;
}

function contentOf(archive: Buffer, { name, method, compressed, size, offset }: Entry): Buffer {
  if (offset + sizes.file > archive.length || archive.readUInt32LE(offset) !== signatures.file) {
    throw odd(`${name} is not where the directory says`);
  }
  const start = offset + sizes.file + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
  const content = archive.subarray(start, start + compressed);
  if (content.length !== compressed) throw odd(`${name} breaks off`);
  const bytes = method === methods.stored ? content : inflated(content, size, name);
  if (bytes.length !== size) throw odd(`${name} does not have the size that the directory says`);
  return bytes;
}

function inflated(content: Buffer, size: number, name: string): Buffer {
  try {
    return inflateRawSync(content, { maxOutputLength: Math.max(size, 1) });
  } catch {
    throw odd(`${name} is damaged, or larger than the directory says`);
  }
}

const odd = (why: string) => new Error(`its archive is not one that review.sh leaves: ${why}`);
