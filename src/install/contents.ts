/** Names of the files that the zip of a platform may hold. */
import { executableName } from "./product";

const texts = ["LICENSE", "THIRD_PARTY_LICENSES", "sbom.cdx.json"] as const;

/** Files of the GNU C library, which the runtime needs on Linux machines with another C library, and the loader of each platform. */
export const libraries = ["libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0"] as const;
export const loaders = { linux_amd64: "ld-linux-x86-64.so.2", linux_arm64: "ld-linux-aarch64.so.1" } as const;

export const hasLoader = (platform: string): platform is keyof typeof loaders => Object.hasOwn(loaders, platform);

export function namesIn(version: string, platform: string): string[] {
  const executable = executableName(version, platform);
  const extra = hasLoader(platform) ? [executable, loaders[platform], ...libraries] : [];
  return [...texts, executable, ...extra.map((name) => `lib/${name}`)];
}
