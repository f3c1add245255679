/** Reads the text of files and streams, with or without gzip. */
import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";

/** Decompresses gzip once, and decodes UTF-8 and UTF-16. `torn`: the compressed data end too early, or are damaged, and so does the text. */
export async function* textsOf(input: AsyncIterable<Buffer | string>, torn: () => void): AsyncGenerator<string> {
  const parts = input[Symbol.asyncIterator]();
  let first: Buffer = Buffer.alloc(0);
  // Two bytes show the form.
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const part = typeof next.value === "string" ? Buffer.from(next.value) : next.value;
    first = first.length === 0 ? part : Buffer.concat([first, part]);
    if (first.length > 1) break;
  }
  const whole = (async function* () {
    yield first;
    yield* { [Symbol.asyncIterator]: () => parts };
  })();
  let decoder: Decoder | undefined;
  let isStart = true;
  for await (const bytes of first[0] === 0x1f && first[1] === 0x8b ? unzipped(whole, torn) : whole) {
    decoder ??= decoderOf(bytes as Buffer);
    const text = typeof bytes === "string" ? bytes : decoder.write(bytes);
    yield isStart ? text.replace(/^\uFEFF/, "") : text;
    isStart &&= text === "";
  }
  if (decoder) yield decoder.end();
}

type Decoder = Pick<StringDecoder, "write" | "end">;

/** Parts that TextDecoder decodes take two bytes for each character. */
function decoderOf(bytes: Buffer): Decoder {
  const encoding = encodingOf(bytes);
  if (encoding === "utf-8") return new StringDecoder(encoding);
  const decoder = new TextDecoder(encoding);
  return { write: (part) => decoder.decode(part as Buffer, { stream: true }), end: () => decoder.decode() };
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
