/** Builds the provider as a script for Node: a small file that starts, and a large one that the first call loads. */
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Plugin } from "esbuild";
import { executableName } from "../../install/product";
import { bundle, bundledResponses, root, version } from "./bundle";
import { componentsOf, writeComponents } from "./components";

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

export async function buildScript(folder: string): Promise<void> {
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
