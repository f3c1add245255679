/** Splits bytes into lines with a JSON value each. */
import { createRest, newline, parsed, startOf } from "./bytes";
import type { ValueReader, ValueSink } from "./value-reader";

export function createLines(sink: ValueSink): ValueReader {
  const rest = createRest();
  const line = (bytes: Buffer, isLast: boolean) => {
    if (startOf(bytes) === bytes.length) return;
    const value = parsed(bytes) ?? (bytes.includes(0) ? parsed(withoutZeros(bytes)) : undefined);
    if (value !== undefined) sink.value(value);
    else if (isLast) sink.torn();
    else sink.broken();
  };
  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        const bytes = rest.take(chunk.subarray(start, end));
        if (bytes) line(bytes, false);
        else sink.broken();
        start = end + 1;
      }
      rest.keep(chunk.subarray(start));
    },
    end(isTorn) {
      const bytes = rest.take(Buffer.alloc(0));
      if (!bytes) sink.broken();
      else {
        const value = isTorn ? parsed(bytes) : undefined;
        // The last line may be whole although the compressed data are not.
        if (value !== undefined) sink.value(value);
        if (isTorn) sink.torn();
        else line(bytes, true);
      }
    },
  };
}

function withoutZeros(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(startOf(bytes), end);
}
