/** Finds JSON objects by their braces, also in lists, and over several lines. */
import { backslash, close, createRest, isBlank, newline, open, openList, parsed, quote } from "./bytes";
import type { ValueReader, ValueSink } from "./value-reader";

/** The lists that hold events in an object around them. */
const listName = /"(logs|events|[rR]ecords|value|data)"\s*:\s*$/;
const longestListName = 64;

export function createScanner(sink: ValueSink): ValueReader {
  const rest = createRest();
  let depth = 0;
  let isText = false;
  let isEscape = false;
  /** Where the object begins in this chunk. */
  let start = -1;
  let column = 0;
  let isIndent = true;
  /** The column where objects begin. */
  let indent = -1;
  /** Whether objects are skipped up to the next one at this column. */
  let isLost = false;

  const forget = () => {
    rest.drop();
    start = -1;
    depth = 0;
    isText = isEscape = false;
  };
  const tear = () => {
    sink.broken();
    forget();
  };
  const finish = (last: Buffer) => {
    const bytes = rest.take(last);
    const value = bytes && parsed(bytes);
    start = -1;
    if (value === undefined) sink.broken();
    else sink.value(value);
  };
  /** A new object begins where objects begin, so the object before it is torn. */
  const beginLine = () => {
    if (column === indent) {
      isLost = false;
      if (depth > 0) tear();
    }
    if (depth === 0) indent = column;
  };
  const endLine = () => {
    // No text of JSON spans two lines, so the object is torn.
    if (isText) {
      isLost = indent >= 0;
      tear();
    }
    column = 0;
    isIndent = true;
  };
  /** The object around a list of events is no event. */
  const openedList = (chunk: Buffer, at: number) => {
    const before = Buffer.concat([
      rest.tail(longestListName),
      chunk.subarray(Math.max(start, at - longestListName), at),
    ]);
    if (!listName.test(before.toString("latin1"))) return;
    forget();
    indent = -1;
  };
  const sign = (byte: number, chunk: Buffer, at: number) => {
    if (byte === newline) endLine();
    else if (byte === quote) isText = depth > 0;
    else if (byte === open && !isLost) {
      if (depth++ === 0) start = at;
    } else if (byte === close && depth > 0) {
      if (--depth === 0) finish(chunk.subarray(start, at + 1));
    } else if (byte === openList && depth === 1) openedList(chunk, at);
  };
  const textByte = (byte: number) => {
    if (byte === newline) endLine();
    else if (isEscape) isEscape = false;
    else if (byte === backslash) isEscape = true;
    else if (byte === quote) isText = false;
  };

  return {
    push(chunk) {
      start = depth > 0 ? 0 : -1;
      for (let at = 0; at < chunk.length; at++) {
        if (isText) {
          if (!isEscape) at = endOfText(chunk, at);
          if (at < chunk.length) textByte(chunk[at]!);
          continue;
        }
        if (isIndent) {
          const end = endOfBlanks(chunk, at);
          column += end - at;
          at = end;
          if (at === chunk.length) break;
          isIndent = false;
          if (chunk[at] === open) beginLine();
        }
        at = nextSign(chunk, at);
        if (at < chunk.length) sign(chunk[at]!, chunk, at);
      }
      // An object that is too large is most likely one whose end is lost.
      if (start >= 0 && !rest.keep(chunk.subarray(start))) tear();
    },
    end(isTorn) {
      if (isTorn || depth > 0) sink.torn();
    },
  };
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
