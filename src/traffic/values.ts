/** Splits a stream of bytes into JSON values: JSON lines, arrays, or objects one after the other. */
import { hasMark, newline, open, openList, parsed, startOf } from "./bytes";
import { createLines } from "./lines";
import { Scanner } from "./scanner";
import type { ValueReader, ValueSink } from "./value-reader";

export type { ValueSink } from "./value-reader";

/** The first line shows the form of the stream if it is not longer. */
const longestFirstLine = 1024 * 1024;

/** Finds out the form by the first line. */
export function createValueReader(sink: ValueSink): ValueReader {
  let reader: ValueReader | undefined;
  let head: Buffer = Buffer.alloc(0);
  const choose = (isAll: boolean): ValueReader | undefined => {
    const start = startOf(head);
    // The first bytes may be a byte order mark.
    if (head.length < 3 && !isAll) return undefined;
    if (start === head.length && !isAll) return undefined;
    const end = head.indexOf(newline, start);
    if (head[start] === openList) return new Scanner(sink);
    if (head[start] !== open) return createLines(sink);
    if (end < 0 && !isAll && head.length < longestFirstLine) return undefined;
    const line = head.subarray(start, end < 0 ? head.length : end);
    return (end >= 0 || isAll) && parsed(line) !== undefined ? createLines(sink) : new Scanner(sink);
  };
  const decided = (isAll: boolean) => {
    reader = choose(isAll);
    reader?.push(head.subarray(hasMark(head) ? 3 : 0));
    if (reader) head = Buffer.alloc(0);
  };
  return {
    push(chunk) {
      if (reader) return reader.push(chunk);
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      decided(false);
    },
    end(isTorn = false) {
      if (!reader) decided(true);
      reader?.end(isTorn);
    },
  };
}
