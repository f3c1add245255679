/** `npm run release -- --dry-run | --publish [--platform linux_amd64 …] [--key ID]`: makes all files of a release, and publishes them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Command, Option } from "commander";
import { executableName, platformHere } from "../../commands/install/product";
import { dist, root, version } from "../build/bundle";
import { checksumsOf, contentsOf, inventoryOf, manifest, platforms, sha256, zipOf, type Platform } from "./files";
import { refOf } from "../../formats/text/doc-links";
import { commandsFor, notesOf, obstaclesTo } from "./publish";

interface Options {
  readonly dryRun?: true;
  readonly publish?: true;
  readonly platform: (Platform | "here")[];
  readonly key?: string;
}

const folder = path.join(dist, "release");
const inventory = inventoryOf(version);
const began = performance.now();

function say(line: string): void {
  process.stdout.write(`[${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s] ${line}\n`);
}

function optionsOf(argv: readonly string[]): Options {
  return new Command("release")
    .description("Make the files of a release. --publish also publishes them.")
    .addOption(
      new Option("--dry-run", "make all files, publish nothing, and print the commands that would publish").conflicts(
        "publish",
      ),
    )
    .option("--publish", "publish the files on GitHub and npm; needs a clean checkout of the version's tag")
    .addOption(
      new Option("--platform <name...>", "only these platforms; here is the one of this machine; --publish needs all")
        .choices(["here", ...platforms])
        .default([...platforms])
        .conflicts("publish"),
    )
    .addOption(new Option("--key <id>", "RSA key in GnuPG that signs the checksums").env("TENANTFORM_SIGNING_KEY"))
    .parse(argv)
    .opts<Options>();
}

/** Runs a program in the checkout, and returns its output. `tell` gets each piece of the output, and `input` is written to the program. */
async function run(
  program: string,
  args: readonly string[],
  tell?: (text: string) => void,
  input = "",
): Promise<string> {
  const shell = process.platform === "win32" && program === "npm";
  const child = spawn(program, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"], shell });
  child.stdin.on("error", () => {}).end(input);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    tell?.(text);
  });
  const [code] = (await once(child, "close")) as [number];
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}`);
  return output;
}

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");

/** Throws if the checkout must not be published. */
async function examineCheckout(changes: string): Promise<void> {
  const tags = linesOf(await run("git", ["tag", "--points-at", "HEAD"]));
  const changed = linesOf(await run("git", ["status", "--porcelain"])).map((line) => line.slice(3));
  const obstacles = obstaclesTo({ version, tags, changed, changes, linked: refOf(version) });
  if (obstacles.length > 0) throw new Error(`Version ${version} cannot be published: ${obstacles.join("; ")}.`);
}

async function keep(name: string, content: Uint8Array | string): Promise<string> {
  await writeFile(path.join(folder, name), content);
  say(`${path.relative(root, path.join(folder, name))}  ${sizeOf(Buffer.byteLength(content))}`);
  return sha256(content);
}

const sizeOf = (bytes: number) => (bytes < 1e5 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

/** Writes the zips in the packed layout of Terraform's filesystem mirrors, and their checksums. */
async function packProvider(chosen: readonly Platform[]): Promise<void> {
  const native = [path.join(dist, "tools/native.js"), ...chosen.flatMap((platform) => ["--target", platform])];
  await run(process.execPath, native, (text) => linesOf(text).forEach(say));
  const digests: Record<string, string> = { [inventory.manifest]: await keep(inventory.manifest, manifest) };
  for (const platform of chosen) {
    const files = await contentsOf(executableName(version, platform), {
      native: path.join(dist, "native", platform),
      licence: path.join(root, "LICENSE"),
    });
    const zip = zipOf(files);
    digests[inventory.zips[platform]] = await keep(inventory.zips[platform], zip);
  }
  await keep(inventory.checksums, checksumsOf(digests));
}

async function packPackage(): Promise<void> {
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [{ filename, size }] = JSON.parse(await run("npm", pack)) as [{ filename: string; size: number }];
  if (filename !== inventory.tarball) throw new Error(`npm calls the package ${filename}, not ${inventory.tarball}`);
  say(`${path.relative(root, path.join(folder, filename))}  ${sizeOf(size)}`);
  await keep(inventory.materials, await readFile(path.join(dist, "sbom.cdx.json")));
}

/** The registry verifies the signature; people do it with `gpg --verify`. */
async function sign(key: string): Promise<void> {
  const [checksums, signature] = [inventory.checksums, inventory.signature].map((name) => path.join(folder, name));
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
  await run("gpg", args, undefined, passphrase ?? "");
  await keep(inventory.key, await run("gpg", ["--armor", "--export", key]));
  say(`${path.relative(root, signature!)}  by ${key}`);
}

async function main(): Promise<void> {
  const { dryRun, publish, platform, key } = optionsOf(process.argv);
  if (!dryRun && !publish) {
    throw new Error("Give --dry-run to make the files, or --publish to make and publish them.");
  }
  const changes = await readFile(path.join(root, "CHANGELOG.md"), "utf8");
  if (publish) {
    if (!key) throw new Error("--publish needs the key that the registry knows: give --key or TENANTFORM_SIGNING_KEY.");
    await examineCheckout(changes);
  }
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  say(`tenantform ${version}`);
  await packProvider(
    platforms.filter((one) => platform.includes(one) || (platform.includes("here") && one === platformHere())),
  );
  if (key) await sign(key);
  await packPackage();
  const notes = path.join(folder, "notes.md");
  await writeFile(notes, `${notesOf(changes, version) ?? "Not released yet."}\n`);
  const commands = commandsFor(version, inventory, path.relative(root, folder), path.relative(root, notes));
  if (!publish) process.stdout.write("\nNothing was published. --publish would now run:\n\n");
  for (const [program, ...args] of commands) {
    if (publish) await run(program!, args, (text) => void process.stdout.write(text));
    else process.stdout.write(`  ${[program, ...args].join(" ")}\n`);
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
