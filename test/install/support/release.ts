/** Zips as a release has them, of which the provider is the script: small, and what Terraform can start on this machine. */
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { zipOf as pack } from "../../../src/tools/release/zip";
import { version } from "../../../src/version";

export const here = `${process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;
export const zipOf = (platform: string) => `terraform-provider-tenant_${version}_${platform}.zip`;
export const checksums = `terraform-provider-tenant_${version}_SHA256SUMS`;

export async function release(home: string, platforms: readonly string[]) {
  const folder = path.join(home, "release");
  await mkdir(folder, { recursive: true });
  const name = `terraform-provider-tenant_v${version}`;
  const script = await readFile(path.join(__dirname, "../../../dist/provider", name));
  const files = {
    [name]: script,
    "package.json": Buffer.from('{ "type": "commonjs" }'),
    "lib/libc.so.6": Buffer.from("carried along"),
  };
  const packed = Object.entries(files).map(([file, content]) => [file, { content, executable: file === name }]);
  const zip = pack(Object.fromEntries(packed));
  const digest = createHash("sha256").update(zip).digest("hex");
  for (const platform of platforms) await writeFile(path.join(folder, zipOf(platform)), zip);
  const lines = platforms.map((platform) => `${digest}  ${zipOf(platform)}\n`);
  await writeFile(path.join(folder, checksums), lines.join(""));
  return { folder, files, digest };
}

/** A block of HCL in what a command has printed. */
export const blockIn = (printed: string, name: string) => new RegExp(`^${name} \\{$[^]*?^\\}$`, "m").exec(printed)![0];
