/** Splits a stream of bytes into JSON values: JSON lines, arrays, or objects one after the other. */

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

/** The largest value. An event has a few kilobytes. */
const mostBytes = 8 * 1024 * 1024;
/** The first line shows the form of the stream if it is not longer. */
const longestFirstLine = 1024 * 1024;

const newline = 10;
const quote = 34;
const backslash = 92;
const open = 123;
const close = 125;
const openList = 91;
const closeList = 93;
const isBlank = (byte: number) => byte === 32 || byte === 9 || byte === 13 || byte === newline;

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
    if (head[start] === openList) return createScanner(sink);
    if (head[start] !== open) return createLines(sink);
    if (end < 0 && !isAll && head.length < longestFirstLine) return undefined;
    const line = head.subarray(start, end < 0 ? head.length : end);
    return (end >= 0 || isAll) && parsed(line) !== undefined ? createLines(sink) : createScanner(sink);
  };
  const decided = (isAll: boolean) => {
    reader = choose(isAll);
    reader?.push(head.subarray(head[0] === 0xef && head[1] === 0xbb ? 3 : 0));
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

/** Skips blanks and a byte order mark. */
function startOf(bytes: Buffer): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb ? 3 : 0;
  while (at < bytes.length && isBlank(bytes[at]!)) at++;
  return at;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

function createLines(sink: ValueSink): ValueReader {
  const rest = createRest();
  const line = (bytes: Buffer, isLast: boolean) => {
    if (startOf(bytes) === bytes.length) return;
    const value = parsed(bytes);
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
      else if (isTorn) sink.torn();
      else line(bytes, true);
    },
  };
}

/** The bytes of an unfinished value, up to the largest size. */
function createRest() {
  let parts: Buffer[] = [];
  let size = 0;
  return {
    keep(bytes: Buffer) {
      if (bytes.length === 0) return;
      size += bytes.length;
      // A copy, so that the large chunk is released.
      if (size <= mostBytes) parts.push(Buffer.from(bytes));
      else parts = [];
    },
    /** All bytes. undefined: there are too many. */
    take(last: Buffer): Buffer | undefined {
      const [kept, length] = [parts, size];
      [parts, size] = [[], 0];
      if (length + last.length > mostBytes) return undefined;
      return length === 0 ? last : Buffer.concat([...kept, last]);
    },
    drop() {
      [parts, size] = [[], 0];
    },
    get size() {
      return size;
    },
  };
}

/** The lists that hold events in an object around them. */
const listNames: ReadonlySet<string> = new Set(["logs", "events", "records", "Records", "value", "data"]);

/** Finds objects by their braces, also in lists, and over several lines. */
function createScanner(sink: ValueSink): ValueReader {
  const rest = createRest();
  const state = { depth: 0, isText: false, isEscape: false, column: 0, isIndent: true, indent: -1, isLost: false };
  let name = "";
  let prefix = "";
  const finish = (bytes: Buffer | undefined) => {
    const value = bytes && parsed(bytes);
    if (value === undefined) sink.broken();
    else sink.value(value);
  };
  return {
    push(chunk) {
      let start = state.depth > 0 ? 0 : -1;
      let text = state.isText ? 0 : -1;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]!;
        if (byte === newline) {
          // No text of JSON spans two lines, so the value is torn.
          if (state.isText) {
            sink.broken();
            rest.drop();
            start = -1;
            Object.assign(state, { depth: 0, isText: false, isEscape: false, isLost: state.indent >= 0 });
          }
          Object.assign(state, { column: 0, isIndent: true });
          continue;
        }
        if (state.isText) {
          if (state.isEscape) state.isEscape = false;
          else if (byte === backslash) state.isEscape = true;
          else if (byte === quote) {
            state.isText = false;
            if (state.depth === 1)
              name = (prefix + chunk.toString("latin1", text, Math.min(at, text + 10))).slice(0, 10);
            prefix = "";
          }
          continue;
        }
        if (state.isIndent) {
          if (isBlank(byte)) {
            state.column++;
            continue;
          }
          state.isIndent = false;
          const begins = byte === open;
          if (begins && state.column === state.indent) state.isLost = false;
          if (begins && state.depth > 0 && state.column === state.indent) {
            // A new value begins where values begin, so the value before it is torn.
            sink.broken();
            rest.drop();
            state.depth = 0;
          }
          if (begins && state.depth === 0) state.indent = state.column;
        }
        if (byte === quote) {
          if (state.depth > 0) state.isText = true;
          text = at + 1;
          prefix = "";
        } else if (byte === open && !state.isLost) {
          if (state.depth++ === 0) start = at;
        } else if (byte === close) {
          if (state.depth === 0) continue;
          if (--state.depth === 0) {
            finish(rest.take(chunk.subarray(start, at + 1)));
            start = -1;
          }
        } else if (byte === openList && state.depth === 1 && listNames.has(name)) {
          // The object around a list of events is no event.
          rest.drop();
          start = -1;
          Object.assign(state, { depth: 0, indent: -1 });
          name = "";
        } else if (byte === closeList) name = "";
      }
      if (start >= 0) rest.keep(chunk.subarray(start));
      // The name of a list may continue in the next chunk.
      if (state.isText && state.depth === 1 && prefix.length < 10) prefix += chunk.toString("latin1", text, text + 10);
    },
    end(isTorn) {
      if (isTorn || state.depth > 0) sink.torn();
    },
  };
}
