/** Reads the zips of this version's release, refuses what the release key did not sign, and unpacks them. */
import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ArchiveError, type Entry, openArchive, quoted } from "../archive/archive";
import { version } from "../version";
import { packageHash } from "./lock-file";
import { clear, makeFolder, put } from "./placing";
import { checksumsName, executableName, manifestName, platformIn, signatureName, zipName } from "./product";
import { isSignedBy } from "./signature";
import { type Source, sourceAt } from "./source";

const published = `https://github.com/tenantform/tenantform/releases/download/v${version}`;
/** In bytes. A zip has 60 MB, and the executable in it 120 MB. */
const most = { packed: 256 * 1024 * 1024, bytes: 512 * 1024 * 1024, checksums: 64 * 1024, signature: 4 * 1024 };

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

const packaged = (name: string) => path.join(__dirname, "../../dist", name);

/** The SHA-256 of each zip by name, from the SHA256SUMS that the release key signed. */
async function digestsFrom(source: Source): Promise<Map<string, string>> {
  const key = releaseKey();
  const name = checksumsName(version);
  const content = await source.read(name, most.checksums);
  const signature = await source.read(signatureName(version), most.signature);
  if (!isSignedBy(key, content, signature)) {
    throw new Error(
      `The release key of this package did not sign ${source.place}/${name}: ${signatureName(version)} does not match it. Take both files from the release of version ${version}.`,
    );
  }
  // With this check, a thief of the key cannot replace the zips of a version that is already released.
  const pinned = packaged("SHA256SUMS");
  if (existsSync(pinned) && !readFileSync(pinned).equals(content)) {
    throw new Error(
      `${source.place}/${name} is signed, but differs from the copy in this package. Take the zips from the release that the package comes from.`,
    );
  }
  return parse(content.toString("latin1"), `${source.place}/${name}`);
}

/** The release puts it into the package. A checkout, and a package that was packed without a release, has none. */
function releaseKey(): KeyObject {
  const file = packaged("release-key.pem");
  if (!existsSync(file)) {
    throw new Error(
      `This tenantform ${version} comes from no release, so there are no executables for it: ${file} does not exist. Run the command without --native, or install a released version. In a checkout, npm run release -- --dry-run makes the zips in dist/release, and their key.`,
    );
  }
  try {
    return createPublicKey(readFileSync(file));
  } catch (cause) {
    throw new Error(
      `The release key is broken, so no zip can be verified: ${file} is not a public key. Install the package tenantform again.`,
      { cause },
    );
  }
}

function parse(text: string, place: string): Map<string, string> {
  const digests = new Map<string, string>();
  if (!text.endsWith("\n")) throw new Error(`${place} is incomplete: its last line does not end.`);
  for (const line of text.slice(0, -1).split("\n")) {
    const [, digest, name] = /^([0-9a-f]{64}) {2}([\w.-]+)$/.exec(line) ?? [];
    if (digest === undefined || name === undefined || digests.has(name)) {
      throw new Error(`${place} has a line that is not a checksum, or two checksums for one file.`);
    }
    if (platformIn(version, name) === undefined && name !== manifestName(version)) {
      throw new Error(`${place} lists ${name}, which is not a file of version ${version}.`);
    }
    digests.set(name, digest);
  }
  return digests;
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
