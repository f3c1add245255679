/** `npm run build`: builds the library, the provider as a script, and the programs of `npm start` and `npm run release`. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { chmod, cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { dist, root, tool, bundle, bundledResponses, version } from "./bundle";
import { buildLibrary } from "./library";
import type { Plugin } from "esbuild";
import { executableName } from "../../install/product";
import { componentsOf, writeComponents } from "./components";

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

// Builds the provider as a script for Node: a small file that starts, and a large one that the first call loads.

const { engines } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { engines: { node: string } };
const [major = 0, minor = 0] = engines.node.replace(/^\D*/, "").split(".").map(Number);
const needed = `Tenantform needs Node ${major}.${minor} or later`;
const remedy = "install it, or use the native build, which needs none";

/**
 * The first lines report a missing or old Node: Terraform shows a first line of stdout that is no handshake. These are a program for the
 * shell; for Node they are strings and comments.
 */
const shell = [
  "#!/bin/sh",
  `':' //; command -v node >/dev/null 2>&1 || { echo "${needed}, and there is no node on the PATH: ${remedy}."; exit 1; }`,
  `':' //; exec node "$0" "$@"`,
];

/** Even the oldest Node must understand this line. */
const script = [
  '"use strict"',
  "var version = process.versions.node.split('.').map(Number)",
  `if (version[0] < ${major} || (version[0] === ${major} && version[1] < ${minor})) { process.stdout.write("${needed}, and this is " + ` +
    `process.version + " (" + process.execPath + "): ${remedy}.\\n"); process.exit(1); }`,
];

const openingLines = `${shell.join("\n")}\n${script.join("; ")}\n`;

/** Node compiles the second file only when a call needs it, and caches compiled code only for such a file. */
const apart: Plugin = {
  name: "provider in a file of its own",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/tenant-calls\.js$/ }, () => ({ path: path.join(root, "src/node-provider.ts") })),
};

async function buildScript(folder: string): Promise<void> {
  const provider = await bundle("tenant-calls.ts");
  const start = await bundle("main.ts", {
    define: { bundledResponses: await bundledResponses() },
    external: ["./provider.cjs"],
    plugins: [apart],
  });
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, executableName(version)), openingLines + start.code, { mode: 0o755 });
  await writeFile(path.join(folder, "provider.cjs"), provider.code);
  // In a project of "type": "module", Node would read the script as an ES module.
  await writeFile(path.join(folder, "package.json"), '{ "type": "commonjs" }\n');
  await writeComponents(folder, componentsOf([start.metafile, provider.metafile]));
}
