/** Splits a stream of bytes into JSON values: JSON lines, arrays, or objects one after the other. */
import {
  hasMark,
  newline,
  open,
  openList,
  parsed,
  startOf,
  createRest,
  backslash,
  close,
  isBlank,
  quote,
} from "./bytes";

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
    if (start === head.length && !isAll) {
      // A file of blanks must not be kept, nor searched again with each chunk.
      head = Buffer.alloc(0);
      return undefined;
    }
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

function createLines(sink: ValueSink): ValueReader {
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

/** The lists that hold events in an object around them. */
const listName = /"(logs|events|[rR]ecords|value|data)"\s*:\s*$/;
const longestListName = 64;
const colon = 58;

class Scanner implements ValueReader {
  readonly #sink: ValueSink;
  readonly #rest = createRest();
  #depth = 0;
  #isText = false;
  #isEscape = false;
  /** Where the object begins in this chunk. */
  #start = -1;
  #column = 0;
  #isIndent = true;
  /** The column where objects begin. */
  #indent = -1;
  /** Whether objects are skipped up to the next one at this column. */
  #isLost = false;

  constructor(sink: ValueSink) {
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    this.#start = this.#depth > 0 ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      if (this.#isText) {
        if (!this.#isEscape) at = endOfText(chunk, at);
        if (at < chunk.length) this.#textByte(chunk[at]!);
        continue;
      }
      if (this.#isIndent) {
        const end = endOfBlanks(chunk, at);
        this.#column += end - at;
        at = end;
        if (at === chunk.length) break;
        this.#isIndent = false;
        if (chunk[at] === open) this.#beginLine();
      }
      at = nextSign(chunk, at);
      if (at < chunk.length) this.#sign(chunk[at]!, chunk, at);
    }
    // An object that is too large is most likely one whose end is lost.
    if (this.#start >= 0 && !this.#rest.keep(chunk.subarray(this.#start))) this.#tear();
  }

  end(isTorn?: boolean): void {
    if (isTorn || this.#depth > 0) this.#sink.torn();
  }

  #textByte(byte: number): void {
    if (byte === newline) this.#endLine();
    else if (this.#isEscape) this.#isEscape = false;
    else if (byte === backslash) this.#isEscape = true;
    else if (byte === quote) this.#isText = false;
  }

  #sign(byte: number, chunk: Buffer, at: number): void {
    if (byte === newline) this.#endLine();
    else if (byte === quote) this.#isText = this.#depth > 0;
    else if (byte === open && !this.#isLost) {
      if (this.#depth++ === 0) this.#start = at;
    } else if (byte === close && this.#depth > 0) {
      if (--this.#depth === 0) this.#finish(chunk.subarray(this.#start, at + 1));
    } else if (byte === openList && this.#depth === 1) this.#openList(chunk, at);
  }

  /** A new object begins where objects begin, so the object before it is torn. */
  #beginLine(): void {
    if (this.#column === this.#indent) {
      this.#isLost = false;
      if (this.#depth > 0) this.#tear();
    }
    if (this.#depth === 0) this.#indent = this.#column;
  }

  #endLine(): void {
    // No text of JSON spans two lines, so the object is torn.
    if (this.#isText) {
      this.#isLost = this.#indent >= 0;
      this.#tear();
    }
    this.#column = 0;
    this.#isIndent = true;
  }

  /** The object around a list of events is no event. */
  #openList(chunk: Buffer, at: number): void {
    const last = chunk[at - 1];
    if (last !== undefined && last !== colon && !isBlank(last)) return;
    const own = chunk.subarray(Math.max(this.#start, at - longestListName), at);
    const before = Buffer.concat([this.#rest.tail(longestListName), own]);
    if (!listName.test(before.toString("latin1"))) return;
    this.#forget();
    this.#indent = -1;
  }

  #finish(last: Buffer): void {
    const bytes = this.#rest.take(last);
    const value = bytes && parsed(bytes);
    this.#start = -1;
    if (value === undefined) this.#sink.broken();
    else this.#sink.value(value);
  }

  #tear(): void {
    this.#sink.broken();
    this.#forget();
  }

  #forget(): void {
    this.#rest.drop();
    this.#start = -1;
    this.#depth = 0;
    this.#isText = this.#isEscape = false;
  }
}

function endOfText(chunk: Buffer, from: number): number {
  let at = from;
  for (let byte = chunk[at]; at < chunk.length; byte = chunk[++at]) {
    if (byte === quote || byte === backslash || byte === newline) break;
  }
  return at;
}

function endOfBlanks(chunk: Buffer, from: number): number {
  let at = from;
  while (at < chunk.length && chunk[at] !== newline && isBlank(chunk[at]!)) at++;
  return at;
}

const signs = new Uint8Array(256);
for (const byte of [newline, quote, open, close, openList]) signs[byte] = 1;

function nextSign(chunk: Buffer, from: number): number {
  let at = from;
  while (at < chunk.length && signs[chunk[at]!] === 0) at++;
  return at;
}
