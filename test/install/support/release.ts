/** Makes zips like those of a release. Their provider is a small script that Terraform can start on this machine. */
import { createHash } from "node:crypto";
import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { buildSync } from "esbuild";
import { zipOf as pack } from "../../../src/tools/release/files";
import { version } from "../../../src/version";

const root = path.join(__dirname, "../../..");

export const here = `${process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;
export const zipOf = (platform: string) => `terraform-provider-tenant_${version}_${platform}.zip`;
export const executable = `terraform-provider-tenant_v${version}`;

export const digestOf = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");

/** What `install` and `mirror` need of the package; returns the path of the command. */
export async function packaged(home: string): Promise<string> {
  const dist = path.join(home, "package/dist");
  for (const name of ["cli.js", "install", "provider"]) {
    await cp(path.join(root, "dist", name), path.join(dist, name), { recursive: true });
  }
  return path.join(dist, "cli.js");
}

let script: Uint8Array | undefined;

function providerScript(): Uint8Array {
  if (script) return script;
  const { outputFiles } = buildSync({
    entryPoints: [path.join(root, "src/main.ts")],
    bundle: true,
    minify: true,
    write: false,
    platform: "node",
    banner: { js: "#!/usr/bin/env node" },
    define: { bundledVersion: JSON.stringify(version) },
  });
  return (script = outputFiles[0]!.contents);
}

const zips = new Map<string, Uint8Array>();

function zipFor(platform: string, files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const known = zips.get(platform);
  if (known) return known;
  const name = platform.startsWith("windows") ? `${executable}.exe` : executable;
  const own = platform === here ? files : { [name]: files[executable]! };
  const packed = Object.entries(own).map(([file, content]) => [file, { content, executable: file === name }]);
  const zip = pack(Object.fromEntries(packed));
  zips.set(platform, zip);
  return zip;
}

export async function release(home: string, platforms: readonly string[]) {
  const folder = path.join(home, "release");
  const files = {
    [executable]: providerScript(),
    LICENSE: Buffer.from("terms"),
  };
  const digests: Record<string, string> = {};
  for (const platform of platforms) {
    const zip = zipFor(platform, files);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, zipOf(platform)), zip);
    digests[zipOf(platform)] = digestOf(zip);
  }
  await pin(home, digests);
  return { folder, files, digests };
}

/** Puts the digests into the package, in the format of `sha256sum`. */
export async function pin(home: string, digests: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(digests).map(([name, digest]) => `${digest}  ${name}\n`);
  await mkdir(path.join(home, "package/dist"), { recursive: true });
  await writeFile(path.join(home, "package/dist/SHA256SUMS"), lines.join(""));
}

/** Replaces this machine's zip by another one, which the package then knows. */
export async function replaceZip(home: string, zip: Uint8Array): Promise<void> {
  await writeFile(path.join(home, "release", zipOf(here)), zip);
  await pin(home, { [zipOf(here)]: digestOf(zip) });
}

/** A block of HCL in the output of a command. */
export const blockIn = (printed: string, name: string) => new RegExp(`^${name} \\{$[^]*?^\\}$`, "m").exec(printed)![0];
