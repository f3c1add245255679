/** Reads the zips of this version's release, refuses those whose SHA-256 this package does not know, and unpacks them. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ArchiveError, type Entry, openArchive, quoted } from "../archive/archive";
import { version } from "../version";
import { packageHash } from "./lock-file";
import { clear, makeFolder, put } from "./placing";
import { executableName, platformIn, zipName } from "./product";
import { sourceAt } from "./source";

const published = `https://github.com/tenantform/tenantform/releases/download/v${version}`;
/** In bytes. A zip has 60 MB, and the executable in it 120 MB. */
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
  const digests = packagedDigests();
  const listed = [...digests.keys()].flatMap((name) => platformIn(version, name) ?? []);
  const missing = (wanted ?? []).filter((platform) => !listed.includes(platform));
  if (missing.length > 0 || listed.length === 0) {
    throw new Error(
      `Version ${version} has no zip for ${missing.join(", ") || "any platform"}, but for ${listed.join(", ") || "none"}.`,
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

/** The SHA-256 of each zip by name. The release puts the list into the package; a checkout has none. */
function packagedDigests(): Map<string, string> {
  const file = path.join(__dirname, "../../dist/SHA256SUMS");
  if (!existsSync(file)) {
    throw new Error(
      `This tenantform ${version} comes from no release, so there are no executables for it: ${file} does not exist. Run the command without --native, or install a released version. In a checkout, npm run release -- --dry-run makes the zips in dist/release, and their checksums.`,
    );
  }
  const lines = readFileSync(file, "utf8").split("\n");
  return new Map(
    lines.flatMap((line) => [line.split("  ").toReversed() as [string, string]]).filter(([name]) => name !== ""),
  );
}

/** Unpacks a zip into the folder of its platform, below the folder of the versions. */
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
