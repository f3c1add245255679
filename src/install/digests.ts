/** Reads the SHA-256 of each zip of a release from its SHA256SUMS, after it verifies the signature. */
import { createPublicKey, type KeyObject } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { version } from "../version";
import { checksumsName, manifestName, platformIn, signatureName } from "./product";
import { isSignedBy } from "./signature";
import type { Source } from "./source";

const packaged = (name: string) => path.join(__dirname, "../../dist", name);
const most = { checksums: 64 * 1024, signature: 4 * 1024 };

/** By name. */
export async function digestsFrom(source: Source): Promise<Map<string, string>> {
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
