/** `npm run build`: builds the library, the provider as a script, and the programs of `npm start` and `npm run release`. */
import { createHash } from "node:crypto";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { dist, root, tool, bundle, bundledResponses, version } from "./bundle";
import type { Metafile, Plugin } from "esbuild";
import { executableName } from "../../commands/install/product";
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
  const templates = path.join(dist, "commands/init/templates");
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
    buildScript(path.join(dist, "plugin")),
    buildLibrary(),
    copySchema(),
    copyProjects(),
    tool("demo/demo.ts"),
    tool("build/native.ts"),
    tool("release/release.ts"),
  ]);
  await writeFile(stamp, key);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});

// Builds the provider as a script for Node: a small file that starts, one that the first call loads, and one for requests to the tenant.

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
const providerBundle: Plugin = {
  name: "provider in a file of its own",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/tenant-calls\.js$/ }, () => ({ path: path.join(root, "src/provider/node-provider.ts") })),
};

/**
 * Node reads a whole file before it runs the first line of it: 45 ms per megabyte on a slow machine. A process that only validates sends
 * no request, and so does one that plans only new objects.
 */
const requestsBundle: Plugin = {
  name: "requests in a file of their own",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/dispatcher\.js$/ }, () => ({ path: "./requests.cjs", external: true })),
};

/** One character outside of ASCII would double the size of the text in V8, and take 7 ms more to read it. */
const isAscii = (code: string) => !/[^\0-\x7f]/.test(code);

async function buildScript(folder: string): Promise<void> {
  const provider = await bundle("provider/tenant-calls.ts", { plugins: [requestsBundle] });
  const requests = await bundle("tenant/http/dispatcher.ts");
  const start = await bundle("provider/main.ts", {
    define: { bundledResponses: await bundledResponses() },
    external: ["./provider.cjs"],
    plugins: [providerBundle],
  });
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, executableName(version)), openingLines + start.code, { mode: 0o755 });
  for (const [name, { code }] of Object.entries({ provider, requests })) {
    if (!isAscii(code)) throw new Error(`${name}.cjs has a character outside of ASCII: write it as \\u`);
    await writeFile(path.join(folder, `${name}.cjs`), code);
  }
  // In a project of "type": "module", Node would read the script as an ES module.
  await writeFile(path.join(folder, "package.json"), '{ "type": "commonjs" }\n');
  await writeComponents(folder, componentsOf([start, provider, requests].map(({ metafile }) => metafile)));
}

// Builds the npm package: a bundle for each entry, and the declarations that the entries need.

const src = path.join(root, "src");
/** The rooms of commands. */
const rooms = ["commands/adopt", "commands/init", "commands/install", "emulator", "review/commands"];
/** Each entry is a file of its own. Other entries load it and do not contain it. */
const entries = [
  "constructs/index",
  "emulator/emulator",
  "constructs/testing/testing",
  "constructs/testing/jest",
  "commands/adopt/evaluate",
  "cli",
  ...rooms.flatMap((room) => lazilyLoadedBy(`${room}/cli`)),
];
const declared = ["constructs/index", "emulator/emulator", "constructs/testing/testing", "constructs/testing/jest"].map(
  (entry) => `${entry}.d.ts`,
);

/** Programs import these, and may bundle them: a bundler that indents lines would change a text that goes on in the next line. */
const importable = declared.map((file) => file.replace(".d.ts", ""));
const inLines = { minifyWhitespace: false, lineLimit: 0 } as const;

/** Vitest itself loads only as an ES module. */
const modules = ["constructs/testing/vitest"];

/** Files that the file imports lazily, below src, without the extension. */
function lazilyLoadedBy(file: string): string[] {
  const text = readFileSync(path.join(src, `${file}.ts`), "utf8");
  const loaded = [...text.matchAll(/\bimport\("(\.[^"]+)\.js"\)/g)];
  return loaded.map(([, name]) => path.posix.join(path.posix.dirname(file), name!));
}

async function buildLibrary(): Promise<void> {
  const bundles = Promise.all([...entries.map(bundleEntry), ...modules.map(bundleModule)]);
  const [metafiles] = await Promise.all([bundles, declarations()]);
  await constructsForCdktn();
  await writeComponents(dist, componentsOf(metafiles), "tenantform");
  // npm does this only when it installs the package.
  await chmod(path.join(dist, "cli.js"), 0o755);
}

async function bundleEntry(entry: string): Promise<Metafile> {
  const { code, metafile } = await bundle(`${entry}.ts`, {
    ...(importable.includes(entry) && inLines),
    external: ["cdktf", "constructs", "@jest/globals"],
    plugins: [otherEntries(entry)],
  });
  await write(`${entry}.js`, code);
  return metafile;
}

async function bundleModule(entry: string): Promise<Metafile> {
  const { code, metafile } = await bundle(`${entry}.mts`, {
    format: "esm",
    external: ["vitest"],
    plugins: [otherEntries(entry, ".js")],
  });
  await write(`${entry}.mjs`, code);
  return metafile;
}

async function write(name: string, code: string): Promise<void> {
  const file = path.join(dist, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, code);
}

/** `extension`: an ES module names the files that it imports with theirs. */
function otherEntries(entry: string, extension = ""): Plugin {
  return {
    name: "other entries",
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ resolveDir, path: wanted, kind }) => {
        const target = path.relative(src, path.join(resolveDir, wanted)).replace(/\.js$/, "");
        // The constructs for cdktn are copied from those for cdktf, after this.
        const isOther = entries.includes(target) || target === "cdktn/index";
        if (kind === "entry-point" || target === entry || !isOther) return undefined;
        const from = path.relative(path.dirname(entry), target);
        return { path: `${from.startsWith(".") ? from : `./${from}`}${extension}`, external: true };
      });
    },
  };
}

async function declarations(): Promise<void> {
  // `npm run check` checks the types, which takes longer than everything else here.
  const args = [require.resolve("typescript/bin/tsc"), "-p", root, "--emitDeclarationOnly", "--noCheck"];
  const tsc = spawn(process.execPath, args, { stdio: "inherit" });
  const [code] = (await once(tsc, "exit")) as [number];
  if (code !== 0) throw new Error("tsc found errors in the sources");
  const reached = new Set<string>();
  for (const file of [...declared, ...modules.map((entry) => `${entry}.d.mts`)]) reach(path.join(dist, file), reached);
  const all = readdirSync(dist, { recursive: true, encoding: "utf8" }).map((file) => path.join(dist, file));
  for (const file of all) if (/\.d\.m?ts$/.test(file) && !reached.has(file)) await rm(file);
}

/** Adds a declaration file and all that it imports. */
function reach(file: string, reached: Set<string>): void {
  if (reached.has(file) || !existsSync(file)) return;
  reached.add(file);
  for (const [, named] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)"/g)) {
    reach(`${path.join(path.dirname(file), named!.replace(/\.js$/, ""))}.d.ts`, reached);
  }
}

const hostName = /(\brequire\(|\bimport\(|\bfrom )(["'])cdktf\2/g;

/**
 * Makes the constructs for cdktn from the compiled ones for cdktf: only the name of the package differs. The copy has the same
 * depth, so relative imports still work.
 */
async function constructsForCdktn(): Promise<void> {
  const from = path.join(dist, "constructs");
  const files = await readdir(from, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of files) {
    // The matchers are the same for both.
    if (path.relative(from, parentPath).startsWith("testing")) continue;
    if (!/\.(js|d\.ts)$/.test(name)) continue;
    const folder = path.join(dist, "cdktn", path.relative(from, parentPath));
    await mkdir(folder, { recursive: true });
    const text = await readFile(path.join(parentPath, name), "utf8");
    await writeFile(path.join(folder, name), text.replace(hostName, "$1$2cdktn$2"));
  }
}
