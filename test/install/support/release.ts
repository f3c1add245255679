/** Makes zips like those of a release. Their provider is a small script that Terraform can start on this machine. */
import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { buildSync } from "esbuild";
import { zipOf as pack } from "../../../src/tools/release/files";
import { version } from "../../../src/version";
import { signatureBy } from "./signature";

const root = path.join(__dirname, "../../..");

export const here = `${process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;
export const zipOf = (platform: string) => `terraform-provider-tenant_${version}_${platform}.zip`;
export const checksums = `terraform-provider-tenant_${version}_SHA256SUMS`;
export const signature = `${checksums}.sig`;
export const executable = `terraform-provider-tenant_v${version}`;

/** Signs the releases of these tests. `packaged` ships its public key. */
export const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

export const digestOf = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");

/** What `install` and `mirror` need of the package, with the release key in it; returns the path of the command. */
export async function packaged(home: string, key: KeyObject | undefined = publicKey): Promise<string> {
  const dist = path.join(home, "package/dist");
  for (const name of ["cli.js", "install", "provider"]) {
    await cp(path.join(root, "dist", name), path.join(dist, name), { recursive: true });
  }
  if (key) await writeFile(path.join(dist, "release-key.pem"), key.export({ type: "spki", format: "pem" }));
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
  await signDigests(folder, linesOf(digests));
  return { folder, files, digests };
}

/** The checksums in the format of `sha256sum`. */
export const linesOf = (digests: Readonly<Record<string, string>>) =>
  Object.entries(digests)
    .map(([name, digest]) => `${digest}  ${name}\n`)
    .join("");

/** Writes SHA256SUMS and its signature. */
export async function signDigests(folder: string, lines: string, key: KeyObject = privateKey): Promise<void> {
  await writeFile(path.join(folder, checksums), lines);
  await writeFile(path.join(folder, signature), signatureBy(key, Buffer.from(lines)));
}

/** Replaces this machine's zip by another one, and signs its digest. */
export async function replaceZip(folder: string, zip: Uint8Array): Promise<void> {
  await writeFile(path.join(folder, zipOf(here)), zip);
  await signDigests(folder, linesOf({ [zipOf(here)]: digestOf(zip) }));
}

/** A block of HCL in the output of a command. */
export const blockIn = (printed: string, name: string) => new RegExp(`^${name} \\{$[^]*?^\\}$`, "m").exec(printed)![0];
