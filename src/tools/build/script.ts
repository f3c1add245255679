/** Builds the provider as a script for Node: a small file that starts, and a large one that the first call loads. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Plugin } from "esbuild";
import { executableName } from "../../install/product";
import { bundle, bundledResponses, root, version } from "./bundle";
import { componentsOf, writeComponents } from "./components";
import { openingLines } from "./opening";

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
