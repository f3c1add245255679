/** A zip of the release put into the folder of its platform, file by file. */
import path from "node:path";
import { unzipSync } from "fflate";
import { clear, makeFolder, put } from "./placing";
import { packageHash } from "./lock-file";
import { version } from "../version";
import type { Zip } from "./zips";

/** Below the folder of the versions. */
export function unpack({ platform, content }: Zip, home: string, stage: string): void {
  const files = unzipSync(content);
  const names = Object.keys(files);
  const place = makeFolder(home, `${version}/${platform}`);
  clear(place, [...new Set(names.map((name) => name.split("/")[0]!))], stage);
  for (const name of names) {
    const folder = path.posix.dirname(name);
    const within = folder === "." ? place : makeFolder(place, folder);
    // Nothing here knows the modes; what is no program is none for being called executable.
    put(path.join(within, path.posix.basename(name)), files[name]!, 0o755, stage);
  }
}

/** What a lock file has of it. */
export const hashOf = ({ content }: Zip) => packageHash(unzipSync(content));
