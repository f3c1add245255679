/** Reads the text of logs: files, folders and streams, with or without gzip. */
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** The file, or all files below the folder, in the order of their names. Throws if it does not exist. */
export function filesAt(name: string): string[] {
  if (!statSync(name).isDirectory()) return [name];
  const files = readdirSync(name, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => path.join(entry.parentPath, entry.name));
  return files.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile()).toSorted();
}

/** Decompresses gzip once, and decodes UTF-8 and UTF-16. `torn`: the compressed data end too early, or are damaged, and so does the text. */
export async function* textsOf(input: Readable, torn: () => void): AsyncGenerator<string> {
  const parts = (input as AsyncIterable<Buffer | string>)[Symbol.asyncIterator]();
  let first: Buffer = Buffer.alloc(0);
  // Two bytes show the form.
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    first = Buffer.concat([first, Buffer.from(next.value)]);
    if (first.length > 1) break;
  }
  const whole = (async function* () {
    yield first;
    yield* { [Symbol.asyncIterator]: () => parts };
  })();
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const bytes of first[0] === 0x1f && first[1] === 0x8b ? unzipped(whole, torn) : whole) {
    decoder ??= new TextDecoder(encodingOf(bytes as Buffer));
    yield typeof bytes === "string" ? bytes : decoder.decode(bytes, { stream: true });
  }
  if (decoder) yield decoder.decode();
}

/** PowerShell writes UTF-16 with a byte order mark. */
const encodingOf = ([first, second]: Buffer) =>
  first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";

async function* unzipped(bytes: AsyncIterable<Buffer | string>, torn: () => void): AsyncGenerator<Buffer> {
  // Larger chunks take more memory, and no less time.
  const unzip = createGunzip({ chunkSize: 64 * 1024 });
  const input = Readable.from(bytes, { highWaterMark: 2 });
  input.on("error", (error) => unzip.destroy(error));
  try {
    for await (const part of input.pipe(unzip)) yield part as Buffer;
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith("Z_")) throw error;
    torn();
  }
}
