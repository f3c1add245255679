/** `npm run build`: builds the library, the provider as a script, and the programs of `npm start` and `npm run release`. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { dist, root, tool } from "./bundle";
import { buildLibrary } from "./library";
import { buildScript } from "./script";

/** Its content tells from which files dist was built. */
const stamp = path.join(dist, ".built-from");

/** Differs after each edit, and after each installation of packages. */
async function inputsKey(): Promise<string> {
  const below = (name: string) => readdir(path.join(root, name), { recursive: true, withFileTypes: true });
  const source = [...(await below("src")), ...(await below("examples/start"))];
  const files = [
    ...source.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name)),
    ...["package.json", "package-lock.json", "tsconfig.json", "node_modules/.package-lock.json"].map((name) =>
      path.join(root, name),
    ),
  ];
  const hash = createHash("sha256").update(process.version);
  for (const file of files.toSorted()) {
    const content = await readFile(file).catch(() => Buffer.of());
    hash.update(JSON.stringify([file, content.length])).update(content);
  }
  return hash.digest("hex");
}

/** Keeps the native executables, which another command builds. */
async function clear(): Promise<void> {
  await mkdir(dist, { recursive: true });
  const old = (await readdir(dist)).filter((name) => name !== "native");
  await Promise.all(old.map((name) => rm(path.join(dist, name), { recursive: true, force: true })));
}

/** The schema of the JSON of reviews. */
async function copySchema(): Promise<void> {
  await mkdir(path.join(dist, "review"), { recursive: true });
  const schema = "review/review.schema.json";
  await writeFile(path.join(dist, schema), await readFile(path.join(root, "src", schema)));
}

/** The projects that `init` copies. npm leaves a .gitignore out of packages. */
async function copyProjects(): Promise<void> {
  const templates = path.join(dist, "init/templates");
  await cp(path.join(root, "examples/start"), templates, { recursive: true });
  const folders = await readdir(templates);
  await Promise.all(
    folders.map((name) => rename(path.join(templates, name, ".gitignore"), path.join(templates, name, "gitignore"))),
  );
}

/** npm packs files with their modes, which would differ with the umask of the clone and of the build. */
async function evenModes(): Promise<void> {
  process.umask(0o022);
  const below = (name: string) => readdir(path.join(root, name), { recursive: true, withFileTypes: true });
  // A copy that only builds has no such folders.
  const folders = await Promise.all(["docs", ".github/actions"].map((name) => below(name).catch(() => [])));
  const files = folders.flat().filter((entry) => entry.isFile());
  const texts = ["CHANGELOG.md", "LICENSE", "README.md", "package.json"].map((name) => path.join(root, name));
  const packed = [...files.map((entry) => path.join(entry.parentPath, entry.name)), ...texts.filter(existsSync)];
  await Promise.all(packed.map((file) => chmod(file, 0o644)));
}

async function main(): Promise<void> {
  await evenModes();
  // That of a dry run is for its own package.
  const key = await inputsKey();
  if ((await readFile(stamp, "utf8").catch(() => "")) === key) return;
  process.stderr.write("building dist, which takes up to a minute …\n");
  await clear();
  await Promise.all([
    buildScript(path.join(dist, "provider")),
    buildLibrary(),
    copySchema(),
    copyProjects(),
    tool("start/start.ts"),
    tool("build/native.ts"),
    tool("release/release.ts"),
  ]);
  await writeFile(stamp, key);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
