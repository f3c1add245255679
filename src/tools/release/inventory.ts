/** The files of a release, by name: registries look for them by these. */
import { checksumsName, manifestName, signatureName, zipName } from "../../install/product";

/** What the registry has a provider for; each is a zip of the release. */
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
  /** Of the checksums: detached, binary. */
  readonly signature: string;
  /** As npm names it. */
  readonly tarball: string;
  /** Bill of materials of the package for npm; each zip holds its own. */
  readonly materials: string;
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
  };
}
