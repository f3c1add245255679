/** Builds the npm package: a bundle for each entry, and the declarations that the entries need. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Metafile, Plugin } from "esbuild";
import { bundle, dist, root } from "./bundle";
import { componentsOf, writeComponents } from "./components";

const src = path.join(root, "src");
/** The rooms of commands. */
const rooms = ["adopt", "emulator", "init", "install", "review"];
/** Each entry is a file of its own. Other entries load it and do not contain it. */
const entries = [
  "constructs/index",
  "constructs/installed",
  "emulator/emulator",
  "testing/testing",
  "testing/jest",
  "adopt/evaluate",
  "cli",
  ...rooms.flatMap((room) => lazilyLoadedBy(`${room}/cli`)),
];
const declared = ["constructs/index", "emulator/emulator", "testing/testing", "testing/jest"].map(
  (entry) => `${entry}.d.ts`,
);

/** Vitest itself loads only as an ES module. */
const modules = ["testing/vitest"];

/** Files that the file imports lazily, below src, without the extension. */
function lazilyLoadedBy(file: string): string[] {
  const text = readFileSync(path.join(src, `${file}.ts`), "utf8");
  const loaded = [...text.matchAll(/\bimport\("(\.[^"]+)\.js"\)/g)];
  return loaded.map(([, name]) => path.posix.join(path.posix.dirname(file), name!));
}

export async function buildLibrary(): Promise<void> {
  const bundles = Promise.all([...entries.map(bundleEntry), ...modules.map(bundleModule)]);
  const [metafiles] = await Promise.all([bundles, declarations()]);
  await constructsForCdktn();
  await writeComponents(dist, componentsOf(metafiles), "tenantform");
  // npm does this only when it installs the package.
  await chmod(path.join(dist, "cli.js"), 0o755);
}

async function bundleEntry(entry: string): Promise<Metafile> {
  const { code, metafile } = await bundle(`${entry}.ts`, {
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
    // Only the matchers need the type of requests, and they are the same for both.
    if (!/\.(js|d\.ts)$/.test(name) || name.startsWith("installed.") || name === "requests.d.ts") continue;
    const folder = path.join(dist, "cdktn", path.relative(from, parentPath));
    await mkdir(folder, { recursive: true });
    const text = await readFile(path.join(parentPath, name), "utf8");
    await writeFile(path.join(folder, name), text.replace(hostName, "$1$2cdktn$2"));
  }
}
