/** Reads the zips of this version's release, and refuses a zip that the release does not contain. */
import { createHash } from "node:crypto";
import { ArchiveError, openArchive, quoted, type Entry } from "../archive/archive";
import { version } from "../version";
import { digestsFrom } from "./digests";
import { checksumsName, executableName, platformIn, zipName } from "./product";
import { sourceAt } from "./source";

const published = `https://github.com/tenantform/tenantform/releases/download/v${version}`;
/** A zip has 60 MB, and the executable in it 120 MB. */
const most = { packed: 256 * 1024 * 1024, bytes: 512 * 1024 * 1024 };

export interface Zip {
  readonly name: string;
  readonly platform: string;
  readonly content: Buffer;
  readonly entries: readonly Entry[];
}

/** A folder with the zips, one zip, or the URL of their folder. `true` means the published release. */
export type From = string | true;

/** The zips of the platforms; default: all zips of the release. */
export async function zipsFrom(from: From, wanted?: readonly string[]): Promise<Zip[]> {
  const source = sourceAt(from === true ? published : from);
  const digests = await digestsFrom(source);
  const listed = [...digests.keys()].flatMap((name) => platformIn(version, name) ?? []);
  const missing = (wanted ?? []).filter((platform) => !listed.includes(platform));
  if (missing.length > 0 || listed.length === 0) {
    throw new Error(
      `Version ${version} has no zip for ${missing.join(", ") || "any platform"}: see ${checksumsName(version)}.`,
    );
  }
  const chosen = (wanted ?? listed).filter((platform) => source.only === undefined || source.only === zipOf(platform));
  if (chosen.length === 0)
    throw new Error(`${String(from)} is not one of ${(wanted ?? listed).map(zipOf).join(", ")}: name such a zip.`);
  const zips: Zip[] = [];
  for (const platform of chosen) {
    const name = zipOf(platform);
    const content = await source.read(name, most.packed);
    const found = createHash("sha256").update(content).digest("hex");
    if (found !== digests.get(name)) {
      throw new Error(
        `${source.place}/${name} is not the zip of the release: its SHA-256 is ${found}, not ${digests.get(name)}. Take the zip from the release again.`,
      );
    }
    zips.push({ name, platform, content, entries: entriesOf(content, platform, `${source.place}/${name}`) });
  }
  return zips;
}

const texts = ["LICENSE", "THIRD_PARTY_LICENSES", "sbom.cdx.json"];

const zipOf = (platform: string) => zipName(version, platform);

/** Throws if the zip holds a file that a release does not have. `place` is for the message. */
export function entriesOf(content: Buffer, platform: string, place: string): Entry[] {
  const executable = executableName(version, platform);
  const allowed = [...texts, executable];
  try {
    const entries = openArchive(content, { entries: allowed.length, bytes: most.bytes });
    const unknown = entries.find(({ name }) => !allowed.includes(name));
    if (unknown) throw new ArchiveError(`entry ${quoted(unknown.name)} is not a file of a release`);
    if (!entries.some(({ name }) => name === executable)) throw new ArchiveError(`${executable} is missing`);
    // Each entry is read to check it, and dropped, because all entries together may take a gigabyte.
    for (const entry of entries) entry.read();
    return entries;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new Error(
      `${place} was refused: ${error.message}. Nothing was written. Take the zip from the release again.`,
      {
        cause: error,
      },
    );
  }
}
