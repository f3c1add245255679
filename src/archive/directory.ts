/** Reads the directory at the end of a zip, and finds where the content of each entry starts and ends. */
import { ArchiveError, quoted } from "./error";

export interface Listed {
  readonly name: string;
  /** 0 for stored, 8 for deflated. */
  readonly method: number;
  readonly checksum: number;
  /** Bytes in the archive. */
  readonly packed: number;
  /** Bytes once inflated, as the directory declares them. */
  readonly size: number;
  /** Where the content starts. */
  readonly start: number;
}

/** A directory record, before its local header is read. */
interface Recorded extends Omit<Listed, "start"> {
  readonly flags: number;
  readonly rawName: Buffer;
  readonly at: number;
}

const endSize = 22;
const headerSize = 30;
const recordSize = 46;
const descriptorSize = 16;
const hasDescriptor = 0x0008;
/** Compression level, data descriptor, name in UTF-8. Every other flag is encryption or a patch. */
const knownFlags = 0x0002 | 0x0004 | hasDescriptor | 0x0800;
/** Marks a number that is stored elsewhere, as in archives beyond 4 GB. */
const elsewhere = 0xffff_ffff;

/**
 * In the order of their content. The archive must be nothing but entries, directory and end: readers disagree about bytes
 * before, between and after them, and about headers that contradict the directory.
 */
export function directoryOf(bytes: Buffer, mostEntries: number): Listed[] {
  const end = bytes.length - endSize;
  if (end < 0 || bytes.readUInt32LE(end) !== 0x06054b50 || bytes.readUInt16LE(end + 20) !== 0) {
    throw new ArchiveError("it does not end with the end record of a zip archive");
  }
  const count = bytes.readUInt16LE(end + 10);
  const start = bytes.readUInt32LE(end + 16);
  const isWhole = bytes.readUInt32LE(end + 4) === 0 && bytes.readUInt16LE(end + 8) === count;
  if (!isWhole || start + bytes.readUInt32LE(end + 12) !== end) throw new ArchiveError("its directory is incomplete");
  if (count > mostEntries) throw new ArchiveError(`it has ${count} entries, and ${mostEntries} are allowed at most`);
  const records = recordsOf(bytes.subarray(0, end), start, count).toSorted((a, b) => a.at - b.at);
  let next = 0;
  const entries = records.map((record) => {
    if (record.at !== next) throw new ArchiveError(`it has unknown data around entry ${quoted(record.name)}`);
    const entry = located(bytes.subarray(0, start), record);
    next = entry.start + entry.packed + (record.flags & hasDescriptor ? descriptorSize : 0);
    return entry;
  });
  if (next !== start) throw new ArchiveError("it has unknown data before its directory");
  return entries;
}

function recordsOf(bytes: Buffer, start: number, count: number): Recorded[] {
  const records: Recorded[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    if (at + recordSize > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) {
      throw new ArchiveError("its directory is incomplete");
    }
    records.push(recordAt(bytes, at));
    at += recordSize + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  if (at !== bytes.length) throw new ArchiveError("it has unknown data after its directory");
  return records;
}

function recordAt(bytes: Buffer, at: number): Recorded {
  const rawName = bytes.subarray(at + recordSize, at + recordSize + bytes.readUInt16LE(at + 28));
  const name = textOf(rawName);
  const record = {
    name,
    rawName,
    flags: bytes.readUInt16LE(at + 8),
    method: bytes.readUInt16LE(at + 10),
    checksum: bytes.readUInt32LE(at + 16),
    packed: bytes.readUInt32LE(at + 20),
    size: bytes.readUInt32LE(at + 24),
    at: bytes.readUInt32LE(at + 42),
  };
  if ([record.packed, record.size, record.at].includes(elsewhere) || bytes.readUInt16LE(at + 34) !== 0) {
    throw new ArchiveError(`entry ${quoted(name)} is larger than 4 GB or in another file`);
  }
  if ((record.flags & ~knownFlags) !== 0) throw new ArchiveError(`entry ${quoted(name)} is encrypted or patched`);
  if (record.method !== 0 && record.method !== 8) {
    throw new ArchiveError(`entry ${quoted(name)} is compressed by method ${record.method}, not stored or deflated`);
  }
  if (!isPlainFile(bytes.readUInt32LE(at + 38))) {
    throw new ArchiveError(`entry ${quoted(name)} is a link, a folder or another special file`);
  }
  return record;
}

/** Upper half: the Unix mode of a file. Lower half: attributes of MS-DOS. Two of them mark folders and volumes. */
function isPlainFile(attributes: number): boolean {
  const mode = attributes >>> 16;
  return [0, 0o100_000].includes(mode & 0o170_000) && (mode & 0o7000) === 0 && (attributes & 0x18) === 0;
}

/** Reads the local header, which must agree with the directory. */
function located(bytes: Buffer, { rawName, flags, at, ...entry }: Recorded): Listed {
  const differs = () => new ArchiveError(`the header of entry ${quoted(entry.name)} contradicts the directory`);
  if (at + headerSize + rawName.length > bytes.length || bytes.readUInt32LE(at) !== 0x04034b50) throw differs();
  const start = at + headerSize + rawName.length + bytes.readUInt16LE(at + 28);
  const isSame =
    bytes.readUInt16LE(at + 6) === flags &&
    bytes.readUInt16LE(at + 8) === entry.method &&
    bytes.readUInt16LE(at + 26) === rawName.length &&
    bytes.subarray(at + headerSize, at + headerSize + rawName.length).equals(rawName);
  if (!isSame) throw differs();
  const numbers = [entry.checksum, entry.packed, entry.size];
  const numbersAt = (place: number) => [0, 4, 8].map((offset) => bytes.readUInt32LE(place + offset));
  const inHeader = numbersAt(at + 14);
  const behind = start + entry.packed;
  if (behind > bytes.length) throw differs();
  if (!(flags & hasDescriptor)) {
    if (!isEqual(inHeader, numbers)) throw differs();
    return { ...entry, start };
  }
  // The numbers then follow the content, and the header may leave them out.
  if (behind + descriptorSize > bytes.length || bytes.readUInt32LE(behind) !== 0x08074b50) throw differs();
  if (!isEqual(numbersAt(behind + 4), numbers)) throw differs();
  if (!isEqual(inHeader, numbers) && !isEqual(inHeader, [0, 0, 0])) throw differs();
  return { ...entry, start };
}

const isEqual = (some: readonly number[], others: readonly number[]) =>
  some.every((number, index) => number === others[index]);

function textOf(name: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(name);
  } catch {
    throw new ArchiveError(`the name of entry ${quoted(name.toString("latin1"))} is not UTF-8`);
  }
}
