/** Reproducible zips: sorted files, a fixed time, and a compressor that does not change with Node. */
import { zipSync } from "fflate";

export interface Packed {
  readonly content: Uint8Array;
  readonly executable: boolean;
}

/** The first year of the format. The format has no time zone, so this local time is the same everywhere. */
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
