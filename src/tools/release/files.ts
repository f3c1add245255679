/** The files of a release: their names, which registries expect, and their contents. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { zipSync } from "fflate";
import { product } from "../../commands/install/product";

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

export function namesOf(version: string) {
  const stem = `${product}_${version}`;
  return {
    /** In the packed layout of Terraform's filesystem mirrors. */
    zip: (platform: string) => `${stem}_${platform}.zip`,
    manifest: `${stem}_manifest.json`,
    checksums: `${stem}_SHA256SUMS`,
    /** Detached and binary. */
    signature: `${stem}_SHA256SUMS.sig`,
    /** npm's name of the package. */
    tarball: `tenantform-${version}.tgz`,
  };
}

/** The section of a version in the change log; undefined if there is none with a date. */
export function notesOf(changes: string, version: string): string | undefined {
  const sections = changes.split(/^## /m).map((text) => text.split(/\n([^]*)/, 2) as [head: string, text: string]);
  const [, text] = sections.find(([head]) => /^(\S+), \d{4}-\d{2}-\d{2}$/.exec(head)?.[1] === version) ?? [];
  return text?.trim();
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
