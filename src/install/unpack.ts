/** Unpacks a zip of the release into the folder of its platform. */
import path from "node:path";
import { clear, makeFolder, put } from "./placing";
import { packageHash } from "./lock-file";
import { version } from "../version";
import type { Zip } from "./zips";

/** Below the folder of the versions. */
export function unpack(zip: Zip, home: string, stage: string): void {
  const files = filesIn(zip);
  const place = makeFolder(home, `${version}/${zip.platform}`);
  clear(place, Object.keys(files), stage);
  // The modes are not known here. A text that is executable does no harm.
  for (const [name, content] of Object.entries(files)) put(path.join(place, name), content, 0o755, stage);
}

function filesIn({ entries }: Zip): Record<string, Buffer> {
  return Object.fromEntries(entries.map((entry) => [entry.name, entry.read()]));
}

/** The hash for a lock file. */
export const hashOf = (zip: Zip) => packageHash(filesIn(zip));
