/** Zips of which the same files make the same bytes: in one order, at one time, by a compressor that is no part of Node. */
import { zipSync } from "fflate";

export interface Packed {
  readonly content: Uint8Array;
  readonly executable: boolean;
}

/** The format's first year. It has no time zone: a local time reads the same wherever it is written. */
const written = new Date(1980, 0, 1, 12);
const unix = 3;

export function zipOf(files: Readonly<Record<string, Packed>>): Uint8Array {
  const names = Object.keys(files).toSorted();
  return zipSync(
    Object.fromEntries(
      names.map((name) => {
        const { content, executable } = files[name]!;
        const mode = 0o100_000 + (executable ? 0o755 : 0o644);
        return [name, [content, { level: 9, mtime: written, os: unix, attrs: mode * 0x1_0000 }]];
      }),
    ),
  );
}
