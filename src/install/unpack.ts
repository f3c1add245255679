/** A zip of the release put into the folder of its platform, file by file. */
import path from "node:path";
import { clear, makeFolder, put } from "./placing";
import { packageHash } from "./lock-file";
import { version } from "../version";
import type { Zip } from "./zips";

/** Below the folder of the versions. */
export function unpack(zip: Zip, home: string, stage: string): void {
  const files = filesIn(zip);
  const names = Object.keys(files);
  const place = makeFolder(home, `${version}/${zip.platform}`);
  for (const folder of new Set(names.map((name) => path.posix.dirname(name)))) {
    const within = folder === "." ? place : makeFolder(place, folder);
    const parts = names.map((name) => path.posix.relative(folder, name).split("/")[0]!);
    clear(within, parts, stage);
  }
  for (const name of names) {
    // Nothing here knows the modes; what is no program is none for being called executable.
    put(path.join(place, name), files[name]!, 0o755, stage);
  }
}

function filesIn({ entries }: Zip): Record<string, Buffer> {
  return Object.fromEntries(entries.map((entry) => [entry.name, entry.read()]));
}

/** What a lock file has of it. */
export const hashOf = (zip: Zip) => packageHash(filesIn(zip));
