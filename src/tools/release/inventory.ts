/** Names of the files of a release, which registries expect, and those files that a registry reads. */
import { createHash } from "node:crypto";
import { checksumsName, manifestName, signatureName, zipName } from "../../install/product";

/** Each platform has a zip in the release. */
export const platforms = [
  "darwin_amd64",
  "darwin_arm64",
  "linux_amd64",
  "linux_arm64",
  "windows_amd64",
  "windows_arm64",
] as const;

export type Platform = (typeof platforms)[number];

export interface Inventory {
  readonly zips: Readonly<Record<Platform, string>>;
  readonly manifest: string;
  readonly checksums: string;
  /** The detached, binary signature of the checksums. */
  readonly signature: string;
  /** npm's name of the package. */
  readonly tarball: string;
  /** Bill of materials of the npm package. Each zip has its own. */
  readonly materials: string;
  /** The documentation site. */
  readonly site: string;
}

export function inventoryOf(version: string): Inventory {
  const zips = Object.fromEntries(platforms.map((platform) => [platform, zipName(version, platform)]));
  return {
    zips: zips as Inventory["zips"],
    manifest: manifestName(version),
    checksums: checksumsName(version),
    signature: signatureName(version),
    tarball: `tenantform-${version}.tgz`,
    materials: `tenantform-${version}.cdx.json`,
    site: `tenantform-${version}-docs.zip`,
  };
}

/** The registry reads it before it offers the provider. */
export const manifest = `${JSON.stringify({ version: 1, metadata: { protocol_versions: ["6.0"] } }, undefined, 2)}\n`;

export const sha256 = (content: Uint8Array | string) => createHash("sha256").update(content).digest("hex");

/** Digests in the form of `sha256sum`. `digests`: by name. */
export function checksumsOf(digests: Readonly<Record<string, string>>): string {
  return Object.keys(digests)
    .toSorted()
    .map((name) => `${digests[name]}  ${name}\n`)
    .join("");
}
