/**
 * Splits the bytes of a log into JSON values. The first character shows the form:
 *
 *     {"a":1}⏎{"a":2}             a value on each line; text before it, such as a time, is skipped
 *     [{"a":1},{"a":2}]           the elements of an array
 *     {⏎  "a": 1⏎}⏎{⏎ …           objects that span lines, one after the other
 */
export interface ValueReader {
  push(chunk: Buffer): void;
  /** `isTorn`: the stream ended too early. */
  end(isTorn?: boolean): void;
}

export interface ValueSink {
  value(value: unknown): void;
  /** A line or an object that is not JSON, or is too large. */
  broken(): void;
  /** The last line or object is incomplete. */
  torn(): void;
}

/** The largest value in bytes. An event has a few kilobytes, a page of events a few megabytes. */
export const mostBytes = 16 * 1024 * 1024;

/** A first line up to this length shows the form of the stream. */
const longestFirstLine = 1024 * 1024;

const newline = 10;
const [quote, backslash] = [34, 92];
const [open, close, openList, closeList] = [123, 125, 91, 93];
/** Some programs fill the end of a file with zeros. */
const isBlank = (byte: number) => byte === 32 || (byte >= 9 && byte <= 13) || byte === 0;

export function createValueReader(sink: ValueSink): ValueReader {
  let reader: ValueReader | undefined;
  let head: Buffer = Buffer.alloc(0);
  const choose = (isAll: boolean) => {
    const start = startOf(head);
    if (start === head.length) {
      if (isAll || head.length >= 3) head = Buffer.alloc(0);
      return;
    }
    const end = head.indexOf(newline, start);
    const isOpen = end < 0 && !isAll && head.length < longestFirstLine;
    if (head[start] === open && isOpen) return;
    const line = head.subarray(start, end < 0 ? head.length : end);
    const isSpread = head[start] === openList || (head[start] === open && parsed(line) === undefined);
    reader = isSpread ? createElements(sink) : createLines(sink);
    reader.push(head.subarray(start));
    head = Buffer.alloc(0);
  };
  return {
    push(chunk) {
      if (reader) return reader.push(chunk);
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      choose(false);
    },
    end(isTorn = false) {
      if (!reader) choose(true);
      if (reader) reader.end(isTorn);
      else if (isTorn) sink.torn();
    },
  };
}

/** Skips blanks and a byte order mark. */
function startOf(bytes: Buffer): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length && isBlank(bytes[at]!)) at++;
  return at;
}

/** Returns undefined if it is not JSON. A mark in the middle is that of the second of two joined files. */
function parsed(bytes: Buffer): unknown {
  try {
    const text = bytes.toString("utf8", startOf(bytes));
    return JSON.parse(text.endsWith("\0") ? text.replace(/\0+$/, "") : text);
  } catch {
    return undefined;
  }
}

/** The bytes of an unfinished value, up to the largest size. */
class Rest {
  #parts: Buffer[] = [];
  #size = 0;

  keep(bytes: Buffer): void {
    this.#size += bytes.length;
    // A copy, so that the large chunk is released.
    if (this.#size > mostBytes) this.#parts = [];
    else if (bytes.length > 0) this.#parts.push(Buffer.from(bytes));
  }

  /** All bytes up to these. Undefined if there are too many. */
  take(last: Buffer): Buffer | undefined {
    const [parts, size] = [this.#parts, this.#size + last.length];
    this.#parts = [];
    this.#size = 0;
    if (size > mostBytes) return undefined;
    return parts.length === 0 ? last : Buffer.concat([...parts, last]);
  }
}

function createLines(sink: ValueSink): ValueReader {
  const rest = new Rest();
  const line = (bytes: Buffer | undefined, isLast: boolean) => {
    if (bytes && startOf(bytes) === bytes.length) return;
    const value = bytes && (parsed(bytes) ?? afterText(bytes));
    if (value !== undefined) sink.value(value);
    else if (isLast) sink.torn();
    else sink.broken();
  };
  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        line(rest.take(chunk.subarray(start, end)), false);
        start = end + 1;
      }
      rest.keep(chunk.subarray(start));
    },
    end(isTorn) {
      const bytes = rest.take(Buffer.alloc(0));
      line(bytes, true);
      if (isTorn && bytes?.length === 0) sink.torn();
    },
  };
}

/** The value of `2026-11-28T05:31:26.000Z {…}`, as the exports of CloudWatch have it. */
function afterText(bytes: Buffer): unknown {
  const start = bytes.indexOf(open);
  return start > 0 ? parsed(bytes.subarray(start)) : undefined;
}

/** Brackets outside of objects are skipped. An object whose end is missing takes the rest of the stream with it. */
function createElements(sink: ValueSink): ValueReader {
  const rest = new Rest();
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  const finish = (last: Buffer) => {
    const bytes = rest.take(last);
    const value = bytes && parsed(bytes);
    if (value === undefined) sink.broken();
    else sink.value(value);
  };
  return {
    push(chunk) {
      let start = 0;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]!;
        if (isText) {
          if (isEscaped) isEscaped = false;
          else if (byte === backslash) isEscaped = true;
          else if (byte === quote) isText = false;
        } else if (byte === quote) isText = true;
        else if (byte === open || (byte === openList && depth > 0)) {
          if (depth++ === 0) start = at;
        } else if ((byte === close || byte === closeList) && depth > 0 && --depth === 0) {
          finish(chunk.subarray(start, at + 1));
        }
      }
      if (depth > 0) rest.keep(chunk.subarray(start));
    },
    end(isTorn) {
      if (isTorn || depth > 0 || isText) sink.torn();
    },
  };
}
