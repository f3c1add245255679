/** The files of a release: their names, which registries expect, and their contents. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { zipSync } from "fflate";
import { checksumsName, manifestName, signatureName, zipName } from "../../commands/install/product";

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
  /** The public key of the signature. */
  readonly key: string;
  /** npm's name of the package. */
  readonly tarball: string;
  /** Bill of materials of the npm package. Each zip has its own. */
  readonly materials: string;
}

export function inventoryOf(version: string): Inventory {
  const zips = Object.fromEntries(platforms.map((platform) => [platform, zipName(version, platform)]));
  return {
    zips: zips as Inventory["zips"],
    manifest: manifestName(version),
    checksums: checksumsName(version),
    signature: signatureName(version),
    key: "tenantform.asc",
    tarball: `tenantform-${version}.tgz`,
    materials: `tenantform-${version}.cdx.json`,
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

export interface Packed {
  readonly content: Uint8Array;
  readonly executable: boolean;
}

/** The first year of the format. The format has no time zone, so this local time is the same everywhere. */
const written = new Date(1980, 0, 1, 12);
const unix = 3;

/** Reproducible: sorted files, a fixed time, and a compressor that does not change with Node. */
export function zipOf(files: Readonly<Record<string, Packed>>): Uint8Array {
  const names = Object.keys(files).toSorted();
  return zipSync(
    Object.fromEntries(
      names.map((name) => {
        const { content, executable } = files[name]!;
        const mode = 0o100_000 + (executable ? 0o755 : 0o644);
        return [name, [content, { level: 9, mtime: written, os: unix, attrs: mode * 0x1_0000 }]];
      }),
    ),
  );
}

/** Our licence, and the folder of the platform's native build. */
export interface Sources {
  readonly licence: string;
  readonly native: string;
}

/** The files in the zip of a platform: the native build, licences and bill of materials. */
export async function contentsOf(executable: string, { native, licence }: Sources): Promise<Record<string, Packed>> {
  const packed = async (file: string, isExecutable = false): Promise<Packed> => ({
    content: await readFile(file),
    executable: isExecutable,
  });
  return {
    LICENSE: await packed(licence),
    THIRD_PARTY_LICENSES: await packed(path.join(native, "THIRD_PARTY_LICENSES")),
    "sbom.cdx.json": await packed(path.join(native, "sbom.cdx.json")),
    [executable]: await packed(path.join(native, executable), true),
  };
}
