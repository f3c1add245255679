/**
 * Splits the text of a log into JSON values: one on each line, or a single one that spans the lines. If the first line begins like JSON
 * and is none, the text is a single value, unless it is too large or no JSON: then it is lines.
 */
import { jsonIn } from "../../formats/text/record";

export interface ValueSink {
  value(value: unknown): void;
  /** A line that is not JSON, or is too large. */
  broken(): void;
  /** The text ends too early. */
  torn(): void;
}

/** The most characters of a value, about as many bytes. */
const mostOfValue = 256 * 1024 * 1024;

/** Text may stand before an object, such as the time in exports of CloudWatch. Undefined if there is no JSON. */
export function valueIn(line: string): unknown {
  const start = line.indexOf("{");
  return jsonIn(line) ?? (start > 0 ? jsonIn(line.slice(start)) : undefined);
}

export async function readValues(texts: AsyncIterable<string>, sink: ValueSink, most = mostOfValue): Promise<void> {
  /** The text that has no end yet. Empty if it is too large. */
  let parts: string[] = [];
  let size = 0;
  let isFirst = true;
  let isWhole = false;
  const keep = (text: string) => {
    size += text.length;
    if (size > most) parts = [];
    else parts.push(text);
  };
  const take = () => {
    const text = size > most ? undefined : parts.join("");
    [parts, size] = [[], 0];
    return text;
  };
  const read = (line: string | undefined, fail: () => void) => {
    // Some programs fill the end of a file with zeros.
    if (line !== undefined && !/[^\s\0]/.test(line)) return;
    const value = line && valueIn(line);
    isWhole = isFirst && value === undefined && /^\s*[[{]/.test(line ?? "");
    isFirst = false;
    if (isWhole) keep(`${line}\n`);
    else if (value === undefined) fail();
    else sink.value(value);
  };
  for await (let text of texts) {
    if (isWhole && size + text.length > most) {
      text = take() + text;
      isWhole = false;
    }
    let start = 0;
    for (let end = isWhole ? -1 : text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      keep(text.slice(start, end));
      start = end + 1;
      read(take(), () => sink.broken());
      if (isWhole) break;
    }
    keep(text.slice(start));
  }
  const rest = take();
  const isValue = isWhole && rest !== undefined;
  const value = isValue ? jsonIn(rest) : undefined;
  isFirst = false;
  if (value !== undefined) sink.value(value);
  else if (isValue) for (const line of rest.split("\n")) read(line, () => sink.broken());
  else read(rest, () => sink.torn());
}
