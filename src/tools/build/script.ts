/** The script for Node: one file in two halves, of which a start reads the first. */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Plugin } from "esbuild";
import { executableName } from "../../install/product";
import { bundle, bundledAnswers, root, version } from "./bundle";
import { openingLines } from "./opening";
import { componentsOf, writeComponents } from "./components";

/** See packed.ts. */
const opening = "\n/*provider:";

/**
 * The first half says the handshake and knows the prepared answers. The second is the provider, in a comment: what V8 need
 * not read costs a start nothing, and what it has compiled once can be kept.
 */
export async function buildScript(folder: string): Promise<void> {
  const second = await bundle("provider.ts");
  const packedDigest = createHash("sha256").update(second.code).digest("hex").slice(0, 16);
  const first = await bundle("main.ts", {
    define: { bundledAnswers: await bundledAnswers(), packedDigest: JSON.stringify(packedDigest) },
    plugins: [inPlaceOf(path.join(root, "src/provider"), path.join(root, "src/packed.ts"))],
  });
  if (second.code.includes(opening)) throw new Error("the provider's code has the mark that it is found by");
  const comment = second.code.replaceAll("*/", "*\u0001/");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, executableName(version)), `${openingLines}${first.code}${opening}${comment}*/\n`, {
    mode: 0o755,
  });
  // In a project of "type": "module" Node would take the script for a module.
  await writeFile(path.join(folder, "package.json"), '{ "type": "commonjs" }\n');
  await writeComponents(folder, componentsOf([first.metafile, second.metafile]));
}

function inPlaceOf(module: string, other: string): Plugin {
  return {
    name: "in place of",
    setup({ onResolve }) {
      onResolve({ filter: /\.js$/ }, ({ resolveDir, path: wanted, kind }) =>
        kind === "dynamic-import" && path.join(resolveDir, wanted) === `${module}.js` ? { path: other } : undefined,
      );
    },
  };
}
