/** Finds JSON objects by their braces. */
import { backslash, close, closeList, createRest, isBlank, newline, open, openList, parsed, quote } from "./bytes";
import type { ValueReader, ValueSink } from "./value-reader";

/** The lists that hold events in an object around them. */
const listNames: ReadonlySet<string> = new Set(["logs", "events", "records", "Records", "value", "data"]);

/** Finds objects by their braces, also in lists, and over several lines. */
export function createScanner(sink: ValueSink): ValueReader {
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
