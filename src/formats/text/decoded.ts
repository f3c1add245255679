/** Reads the text of files and streams, with or without gzip. */
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** Decompresses gzip once, and decodes UTF-8 and UTF-16. `torn`: the compressed data end too early, or are damaged, and so does the text. */
export async function* textsOf(input: AsyncIterable<Buffer | string>, torn: () => void): AsyncGenerator<string> {
  const parts = input[Symbol.asyncIterator]();
  let first: Buffer = Buffer.alloc(0);
  // Two bytes show the form.
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    first = Buffer.concat([first, Buffer.from(next.value as string)]);
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

/** UTF-16, as PowerShell writes what a program prints, has a mark or a zero in its first two bytes. */
function encodingOf([first, second]: Buffer) {
  if ((first === 0xff && second === 0xfe) || second === 0) return "utf-16le";
  return (first === 0xfe && second === 0xff) || first === 0 ? "utf-16be" : "utf-8";
}

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
