/** The files of a release, by name: registries look for them by these. */

export const product = "terraform-provider-tenant";

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

/** Of this machine. */
export const here = `${process.platform === "win32" ? "windows" : process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;

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
  const stem = `${product}_${version}`;
  const zips = Object.fromEntries(platforms.map((platform) => [platform, `${stem}_${platform}.zip`]));
  return {
    zips: zips as Inventory["zips"],
    manifest: `${stem}_manifest.json`,
    checksums: `${stem}_SHA256SUMS`,
    signature: `${stem}_SHA256SUMS.sig`,
    tarball: `tenantform-${version}.tgz`,
    materials: `tenantform-${version}.cdx.json`,
  };
}

/** What the executable is called, which a program finds by the beginning of its name. */
export function executableName(platform: Platform, version: string): string {
  return `${product}_v${version}${platform.startsWith("windows") ? ".exe" : ""}`;
}
