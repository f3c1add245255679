/** Names of the provider and of the files of its release. */

/** The source in configurations. */
export const address = "tenantform/tenant";

/** The same in full. */
export const source = `registry.terraform.io/${address}`;

export const product = "terraform-provider-tenant";

/** Terraform finds the executable by the beginning of its name. */
export const executableName = (version: string, platform = "") =>
  `${product}_v${version}${platform.startsWith("windows") ? ".exe" : ""}`;

/** The names of all files of a release begin with this. */
const stemOf = (version: string) => `${product}_${version}`;

/** In the packed layout of Terraform's filesystem mirrors. */
export const zipName = (version: string, platform: string) => `${stemOf(version)}_${platform}.zip`;

export const manifestName = (version: string) => `${stemOf(version)}_manifest.json`;

export const checksumsName = (version: string) => `${stemOf(version)}_SHA256SUMS`;

/** The detached, binary signature of the checksums. */
export const signatureName = (version: string) => `${checksumsName(version)}.sig`;

export type OperatingSystem = "linux" | "darwin" | "windows" | (string & {});

export function systemOf(platform: NodeJS.Platform): OperatingSystem {
  return platform === "win32" ? "windows" : platform;
}

/** The platform of this machine in Terraform's words. */
export function platformHere(): string {
  return `${systemOf(process.platform)}_${process.arch === "x64" ? "amd64" : process.arch}`;
}
