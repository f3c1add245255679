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
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => path.join(entry.parentPath, entry.name))
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

/** Decompresses what begins like gzip. Torn data end the source, and are not an error. */
export async function* chunksOf(input: Readable, end: SourceEnd): AsyncGenerator<Chunk> {
  const counted = { read: 0 };
  const source = input[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>;
  const first = await beginning(source);
  const rest = (async function* () {
    for (let bytes: Buffer | undefined = first; bytes; bytes = await next(source)) {
      counted.read += bytes.length;
      yield bytes;
    }
  })();
  const isGzip = first[0] === 0x1f && first[1] === 0x8b;
  const whole = isGzip ? unzipped(rest, end) : rest;
  let reported = 0;
  for await (const bytes of whole) {
    yield { bytes, read: counted.read - reported };
    reported = counted.read;
  }
}

async function next(source: AsyncIterator<Buffer | string>): Promise<Buffer | undefined> {
  const { value, done } = await source.next();
  return done ? undefined : typeof value === "string" ? Buffer.from(value) : value;
}

/** At least two bytes, which show the compression. */
async function beginning(source: AsyncIterator<Buffer | string>): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  while (bytes.length < 2) {
    const more = await next(source);
    if (!more) return bytes;
    bytes = Buffer.concat([bytes, more]);
  }
  return bytes;
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
