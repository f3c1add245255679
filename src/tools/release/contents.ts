/** The files in the zip of a platform: the native build, licences and bill of materials. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { executableName } from "../../install/product";
import type { Platform } from "./inventory";
import type { Packed } from "./zip";

export interface Sources {
  readonly version: string;
  /** Folder of the platform's native build. */
  readonly native: string;
  /** Our LICENSE. */
  readonly licence: string;
}

export async function contentsOf(platform: Platform, { version, native, licence }: Sources) {
  const name = executableName(version, platform);
  const text = async (file: string): Promise<Packed> => ({ content: await readFile(file), executable: false });
  const provider = await readFile(path.join(native, name));
  if (platformOf(provider) !== platform) {
    throw new Error(`${path.join(native, name)} is no executable for ${platform}: build it again`);
  }
  return {
    LICENSE: await text(licence),
    THIRD_PARTY_LICENSES: await text(path.join(native, "THIRD_PARTY_LICENSES")),
    "sbom.cdx.json": await text(path.join(native, "sbom.cdx.json")),
    [name]: { content: provider, executable: true },
  };
}

const architectures: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  linux: { 0x3e: "amd64", 0xb7: "arm64" },
  darwin: { 0x01000007: "amd64", 0x0100000c: "arm64" },
  windows: { 0x8664: "amd64", 0xaa64: "arm64" },
};

/** Terraform's name of the platform; undefined if a release has no such platform. */
export function platformOf(executable: Uint8Array): string | undefined {
  const head = Buffer.from(executable.buffer, executable.byteOffset, Math.min(executable.byteLength, 4096));
  const [system, machine] = headerOf(head);
  const architecture = architectures[system]?.[machine];
  return architecture && `${system}_${architecture}`;
}

/** The system, and the number of the processor in its format. */
function headerOf(head: Buffer): [string, number] {
  if (head.length < 64) return ["", 0];
  if (head.toString("latin1", 0, 5) === "\x7fELF\x02") return ["linux", head.readUInt16LE(18)];
  if (head.readUInt32LE(0) === 0xfeedfacf) return ["darwin", head.readUInt32LE(4)];
  const at = head.readUInt32LE(0x3c);
  const isPortable = head.toString("latin1", 0, 2) === "MZ" && at + 6 <= head.length;
  if (isPortable && head.toString("latin1", at, at + 4) === "PE\0\0") return ["windows", head.readUInt16LE(at + 4)];
  return ["", 0];
}
