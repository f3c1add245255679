/** Writes zip archives with any value in each field of a header and of the directory. */
import { crc32, deflateRawSync } from "node:zlib";

export interface Part {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** The bytes in the archive, instead of the deflated content. */
  readonly packed?: Buffer;
  /** The declared value, instead of the true one. */
  readonly size?: number;
  readonly checksum?: number;
  readonly method?: number;
  readonly flags?: number;
  /** The upper half is the mode of Unix. */
  readonly attributes?: number;
  /** Values of the local header, instead of those of the directory. */
  readonly local?: Partial<Pick<Part, "name" | "size" | "method" | "flags">>;
  /** Bytes before the local header. */
  readonly before?: Buffer;
  readonly comment?: string;
}

export interface Whole {
  readonly beforeDirectory?: Buffer;
  readonly behindDirectory?: Buffer;
  readonly comment?: string;
  readonly behind?: Buffer;
  /** The declared number of entries. */
  readonly count?: number;
}

/** Adds a data descriptor after the content if the flags require it, as Go does. */
export function craft(parts: readonly Part[], whole: Whole = {}): Buffer {
  const pieces: Buffer[] = [];
  const records: Buffer[] = [];
  const at = () => pieces.reduce((sum, { length }) => sum + length, 0);
  for (const part of parts) {
    const content = Buffer.from(part.content ?? "");
    const fields = {
      method: 8,
      flags: 0,
      size: content.length,
      checksum: crc32(content),
      packed: part.method === 0 ? content : deflateRawSync(content),
      ...part,
    };
    if (part.before) pieces.push(part.before);
    records.push(Buffer.concat([record(fields, at()), Buffer.from(part.name), Buffer.from(part.comment ?? "")]));
    const local = { ...fields, ...part.local };
    pieces.push(header(local), Buffer.from(local.name), fields.packed);
    if (fields.flags & 8) pieces.push(numbers([0x08074b50, fields.checksum, fields.packed.length, fields.size]));
  }
  if (whole.beforeDirectory) pieces.push(whole.beforeDirectory);
  const start = at();
  pieces.push(...records);
  if (whole.behindDirectory) pieces.push(whole.behindDirectory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(whole.count ?? parts.length, 8);
  end.writeUInt16LE(whole.count ?? parts.length, 10);
  end.writeUInt32LE(at() - start, 12);
  end.writeUInt32LE(start, 16);
  end.writeUInt16LE(Buffer.byteLength(whole.comment ?? ""), 20);
  return Buffer.concat([...pieces, end, Buffer.from(whole.comment ?? ""), whole.behind ?? Buffer.alloc(0)]);
}

type Fields = Part & Required<Pick<Part, "packed" | "size" | "checksum" | "method" | "flags">>;

function header({ name, flags, method, checksum, packed, size }: Fields): Buffer {
  const bytes = Buffer.alloc(30);
  bytes.writeUInt32LE(0x04034b50, 0);
  bytes.writeUInt16LE(20, 4);
  bytes.writeUInt16LE(flags, 6);
  bytes.writeUInt16LE(method, 8);
  if (!(flags & 8)) numbers([checksum, packed.length, size]).copy(bytes, 14);
  bytes.writeUInt16LE(Buffer.byteLength(name), 26);
  return bytes;
}

function record({ name, flags, method, checksum, packed, size, attributes = 0, comment = "" }: Fields, at: number) {
  const bytes = Buffer.alloc(46);
  bytes.writeUInt32LE(0x02014b50, 0);
  bytes.writeUInt16LE(0x0314, 4);
  bytes.writeUInt16LE(20, 6);
  bytes.writeUInt16LE(flags, 8);
  bytes.writeUInt16LE(method, 10);
  numbers([checksum, packed.length, size]).copy(bytes, 16);
  bytes.writeUInt16LE(Buffer.byteLength(name), 28);
  bytes.writeUInt16LE(Buffer.byteLength(comment), 32);
  bytes.writeUInt32LE(attributes, 38);
  bytes.writeUInt32LE(at, 42);
  return bytes;
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32LE(value >>> 0, 4 * index));
  return bytes;
}

/** Deflated zeros take about a thousandth of their size. */
export const zeros = (bytes: number): Part => ({ name: "zeros", content: Buffer.alloc(bytes) });
