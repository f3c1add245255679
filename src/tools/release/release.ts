/** `npm run release [-- --platform linux_amd64 … | here] [--key ID]`: makes all files of a release. The workflow `release` publishes them. */
import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { executableName, platformHere } from "../../commands/install/product";
import { dist, root, version } from "../build/bundle";
import { checksumsOf, contentsOf, manifest, namesOf, notesOf, platforms, sha256, zipOf, type Platform } from "./files";
import { refOf } from "../../formats/text/url";

const folder = path.join(dist, "release");
const names = namesOf(version);
const began = performance.now();

function say(line: string): void {
  process.stdout.write(`[${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s] ${line}\n`);
}

/** Runs a program in the checkout, and returns its output. `input` is written to the program. */
const run = (program: string, args: readonly string[], input = "") =>
  execFileSync(program, args, {
    cwd: root,
    encoding: "utf8",
    input,
    stdio: ["pipe", "pipe", "inherit"],
    shell: process.platform === "win32" && program === "npm",
  });

async function keep(name: string, content: Uint8Array | string): Promise<string> {
  await writeFile(path.join(folder, name), content);
  say(`${path.relative(root, path.join(folder, name))}  ${sizeOf(Buffer.byteLength(content))}`);
  return sha256(content);
}

const sizeOf = (bytes: number) => (bytes < 1e5 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

/** Writes the zips in the packed layout of Terraform's filesystem mirrors, and their checksums. */
async function packProvider(chosen: readonly Platform[]): Promise<void> {
  const native = [path.join(dist, "tools/native.js"), ...chosen.flatMap((platform) => ["--target", platform])];
  say(run(process.execPath, native).trim());
  const digests: Record<string, string> = { [names.manifest]: await keep(names.manifest, manifest) };
  for (const platform of chosen) {
    const files = await contentsOf(executableName(version, platform), {
      native: path.join(dist, "native", platform),
      licence: path.join(root, "LICENSE"),
    });
    digests[names.zip(platform)] = await keep(names.zip(platform), zipOf(files));
  }
  await keep(names.checksums, checksumsOf(digests));
}

async function packPackage(): Promise<void> {
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [{ filename, size }] = JSON.parse(run("npm", pack)) as [{ filename: string; size: number }];
  if (filename !== names.tarball) throw new Error(`npm calls the package ${filename}, not ${names.tarball}`);
  say(`${path.relative(root, path.join(folder, filename))}  ${sizeOf(size)}`);
  await keep(`tenantform-${version}.cdx.json`, await readFile(path.join(dist, "sbom.cdx.json")));
}

/** The registry verifies the signature; people do it with `gpg --verify`. */
async function sign(key: string): Promise<void> {
  const [checksums, signature] = [names.checksums, names.signature].map((name) => path.join(folder, name));
  const passphrase = process.env.TENANTFORM_SIGNING_PASSPHRASE;
  const secret = passphrase === undefined ? [] : ["--pinentry-mode", "loopback", "--passphrase-fd", "0"];
  const args = [
    "--batch",
    "--yes",
    ...secret,
    "--local-user",
    key,
    "--output",
    signature!,
    "--detach-sign",
    checksums!,
  ];
  run("gpg", args, passphrase);
  await keep("tenantform.asc", run("gpg", ["--armor", "--export", key]));
  say(`${path.relative(root, signature!)}  by ${key}`);
}

/** Messages link to the documentation of their version, and the release shows its changes. */
async function notesFor(key: string | undefined): Promise<string> {
  const notes = notesOf(await readFile(path.join(root, "CHANGELOG.md"), "utf8"), version);
  if (key && notes === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}, YYYY-MM-DD".`);
  if (key && refOf(version) !== `v${version}`) {
    throw new Error(`Messages link to ${refOf(version)}: add ${version} to \`tagged\` in src/formats/text/url.ts.`);
  }
  return notes ?? "Not released yet.";
}

async function main(): Promise<void> {
  const { platform, key = process.env.TENANTFORM_SIGNING_KEY } = parseArgs({
    options: { platform: { type: "string", multiple: true, default: [...platforms] }, key: { type: "string" } },
  }).values;
  const unknown = platform.find((one) => ![...platforms, "here"].includes(one));
  if (unknown !== undefined)
    throw new Error(`There is no platform ${unknown}: choose from ${platforms.join(", ")}, here.`);
  const notes = await notesFor(key);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  say(`tenantform ${version}`);
  await packProvider(
    platforms.filter((one) => platform.includes(one) || (platform.includes("here") && one === platformHere())),
  );
  if (key) await sign(key);
  await packPackage();
  await keep("notes.md", `${notes}\n`);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
