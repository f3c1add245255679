/** The bytes of JSON text, and the bytes of an unfinished value. */

/** The largest value. An event has a few kilobytes. */
const mostBytes = 8 * 1024 * 1024;

export const newline = 10;
export const quote = 34;
export const backslash = 92;
export const open = 123;
export const close = 125;
export const openList = 91;
/** Some programs fill the end of a file with zeros. */
export const isBlank = (byte: number) => byte === 0 || byte === 32 || byte === 9 || byte === 13 || byte === newline;

/** Whether it begins with a byte order mark. The second of two joined files has one in the middle. */
export const hasMark = (bytes: Buffer) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** Skips blanks and a byte order mark. */
export function startOf(bytes: Buffer): number {
  let at = hasMark(bytes) ? 3 : 0;
  while (at < bytes.length && isBlank(bytes[at]!)) at++;
  return at;
}

/** undefined: not JSON. */
export function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8", hasMark(bytes) ? 3 : 0));
  } catch {
    return undefined;
  }
}

/** The bytes of an unfinished value, up to the largest size. */
export function createRest() {
  let parts: Buffer[] = [];
  let size = 0;
  return {
    /** Returns false if there are too many. */
    keep(bytes: Buffer): boolean {
      size += bytes.length;
      // A copy, so that the large chunk is released.
      if (size > mostBytes) parts = [];
      else if (bytes.length > 0) parts.push(Buffer.from(bytes));
      return size <= mostBytes;
    },
    /** The last bytes, at most as many as given. */
    tail(most: number): Buffer {
      let first = parts.length;
      for (let length = 0; first > 0 && length < most;) length += parts[--first]!.length;
      return Buffer.concat(parts.slice(first)).subarray(-most);
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
  };
}
