/** What the provider is called, by everybody who looks for it by a name. */

/** As configurations say it. */
export const address = "tenantform/tenant";

/** The same in full. */
export const source = `registry.terraform.io/${address}`;

export const product = "terraform-provider-tenant";

/** A program finds it by the beginning of its name. */
export const executableName = (version: string, platform = "") =>
  `${product}_v${version}${platform.startsWith("windows") ? ".exe" : ""}`;

/** What the names of a release's files begin with. */
export const stemOf = (version: string) => `${product}_${version}`;

export const zipName = (version: string, platform: string) => `${stemOf(version)}_${platform}.zip`;

export const manifestName = (version: string) => `${stemOf(version)}_manifest.json`;

export const checksumsName = (version: string) => `${stemOf(version)}_SHA256SUMS`;

/** Of the checksums: detached, binary. */
export const signatureName = (version: string) => `${checksumsName(version)}.sig`;

/** The platform whose zip has this name; undefined for every other name. */
export function platformIn(version: string, name: string): string | undefined {
  const platform = name.slice(stemOf(version).length + 1, -".zip".length);
  return /^[a-z0-9]+_[a-z0-9]+$/.test(platform) && name === zipName(version, platform) ? platform : undefined;
}

export type OperatingSystem = "linux" | "darwin" | "windows" | (string & {});

export function systemOf(platform: NodeJS.Platform): OperatingSystem {
  return platform === "win32" ? "windows" : platform;
}

/** The platform of this machine as Terraform names it. */
export function platformHere(): string {
  return `${systemOf(process.platform)}_${process.arch === "x64" ? "amd64" : process.arch}`;
}
