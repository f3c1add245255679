/** Reads the bytes of logs: files, folders and streams, with or without gzip. */
import { createReadStream, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** A part of a log that is read from its beginning. */
export interface Source {
  readonly name: string;
  /** Compressed bytes. undefined: not known. */
  readonly size?: number;
  open(): Readable;
}

/** The file, or all files below the folder, in the order of their names. Throws if the file does not exist. */
export function sourcesAt(name: string): Source[] {
  const stats = statSync(name);
  if (!stats.isDirectory()) {
    const isFile = stats.isFile();
    return [
      { name, ...(isFile && { size: stats.size }), open: () => createReadStream(name, { highWaterMark: chunk }) },
    ];
  }
  const files = readdirSync(name, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .toSorted();
  return files.flatMap(sourcesAt);
}

/** Larger chunks take more memory, and no less time. */
const chunk = 64 * 1024;

/** The bytes of one source. */
export interface Chunk {
  readonly bytes: Buffer;
  /** Compressed bytes that were read since the chunk before. */
  readonly read: number;
}

export interface SourceEnd {
  /** The compressed data end too early, or are damaged. */
  isTorn: boolean;
}

/** Decompresses gzip, and converts UTF-16. Torn data end the source, and are not an error. */
export async function* chunksOf(input: Readable, end: SourceEnd): AsyncGenerator<Chunk> {
  let read = 0;
  const counted = async function* () {
    for await (const part of input as AsyncIterable<Buffer | string>) {
      const bytes = typeof part === "string" ? Buffer.from(part) : part;
      read += bytes.length;
      yield bytes;
    }
  };
  let reported = 0;
  let made = 0;
  for await (const bytes of decoded(counted(), end, mostLayers)) {
    made += bytes.length;
    if (made > mostFree && made > read * mostGrowth) throw new Inflated();
    yield { bytes, read: read - reported };
    reported = read;
  }
}

/** How many bytes one compressed byte may stand for, so that a small file cannot keep the reader busy. Gzip reaches 1,032, gzip of gzip a million. */
const mostGrowth = 1_100;
const mostFree = 16 * 1024 * 1024;

/** The compressed bytes stand for far too many. */
export class Inflated extends Error {}

/** Some pipelines compress a compressed file again. */
const mostLayers = 2;

async function* decoded(
  source: AsyncGenerator<Buffer>,
  end: SourceEnd,
  layers: number,
): AsyncGenerator<Buffer, void, undefined> {
  const first = await beginning(source);
  const whole = (async function* () {
    yield first;
    yield* source;
  })();
  const form = unreadableForms.find(([, sign]) => first.subarray(0, sign.length).equals(sign));
  if (form) throw new UnreadableForm(form[0]);
  const encoding = first[0] === 0xff && first[1] === 0xfe ? "utf-16le" : "utf-16be";
  const isWide = encoding === "utf-16le" || (first[0] === 0xfe && first[1] === 0xff);
  if (first[0] === 0x1f && first[1] === 0x8b && layers > 0) yield* decoded(unzipped(whole, end), end, layers - 1);
  else if (isWide) yield* narrowed(whole, encoding);
  else yield* whole;
}

/** The bytes are in a form that is no text, such as "zip". */
export class UnreadableForm extends Error {
  constructor(readonly form: string) {
    super(`The bytes are in the form ${form}.`);
  }
}

/** The first bytes of forms in which people keep logs. */
const unreadableForms = [
  ["zip", Buffer.from("PK\u0003\u0004")],
  ["bzip2", Buffer.from("BZh")],
  ["7z", Buffer.from("377abcaf271c", "hex")],
  ["xz", Buffer.from("fd377a585a00", "hex")],
  ["Zstandard", Buffer.from("28b52ffd", "hex")],
  ["Parquet", Buffer.from("PAR1")],
] as const;
const longestSign = 6;

/** Enough bytes to show the form. */
async function beginning(source: AsyncIterator<Buffer>): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  while (bytes.length < longestSign) {
    const { value, done } = await source.next();
    if (done) return bytes;
    bytes = Buffer.concat([bytes, value]);
  }
  return bytes;
}

/** PowerShell writes UTF-16 with a byte order mark. */
async function* narrowed(bytes: AsyncIterable<Buffer>, encoding: "utf-16le" | "utf-16be"): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const part of bytes) yield Buffer.from(decoder.decode(part, { stream: true }));
  yield Buffer.from(decoder.decode());
}

async function* unzipped(bytes: AsyncIterable<Buffer>, end: SourceEnd): AsyncGenerator<Buffer> {
  const unzip = createGunzip({ chunkSize: chunk });
  const input = Readable.from(bytes, { highWaterMark: 2 });
  input.on("error", (error) => unzip.destroy(error));
  try {
    for await (const part of input.pipe(unzip)) yield part as Buffer;
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith("Z_")) throw error;
    end.isTorn = true;
  }
}
