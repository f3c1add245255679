/** Names of the provider. */

/** The source in configurations. */
export const address = "tenantform/tenant";

/** The same in full. */
export const source = `registry.terraform.io/${address}`;

export const product = "terraform-provider-tenant";

/** Terraform finds the executable by the beginning of its name. */
export const executableName = (version: string, platform = "") =>
  `${product}_v${version}${platform.startsWith("windows") ? ".exe" : ""}`;

export type OperatingSystem = "linux" | "darwin" | "windows" | (string & {});

export function systemOf(platform: NodeJS.Platform): OperatingSystem {
  return platform === "win32" ? "windows" : platform;
}

/** The platform of this machine in Terraform's words. */
export function platformHere(): string {
  return `${systemOf(process.platform)}_${process.arch === "x64" ? "amd64" : process.arch}`;
}
