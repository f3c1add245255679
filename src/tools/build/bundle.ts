/** Bundles code into one file. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { build, type BuildOptions, type Metafile, type Plugin } from "esbuild";
import { directImports } from "./direct-imports";

export const root = path.join(__dirname, "../..");
export const dist = path.join(root, "dist");
export const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };

export interface Bundle {
  code: string;
  /** The inputs of the bundle. */
  metafile: Metafile;
}

/**
 * What undici exports beside its agents: fetch, WebSocket, caches, interceptors, mocks, HTTP/2 and SOCKS. Reading that code takes 35 ms of
 * processor time in each provider process, and none of it runs. Each of its names becomes an empty class.
 */
const unused =
  /undici[\\/]lib[\\/](mock|web|interceptor|cache|handler[\\/](retry|redirect|decorator)|dispatcher[\\/](client-h2|h2c|socks5|balanced|round-robin|retry))/;
const withoutUnused: Plugin = {
  name: "without unused modules",
  setup: ({ onLoad }) =>
    // Two statements, because esbuild breaks a long line only between statements.
    onLoad({ filter: unused }, () => ({
      contents: "const handler = { get: () => class {} }; module.exports = new Proxy({}, handler);",
    })),
};

/** Bundles a file of src with everything that it imports, also lazily. */
export async function bundle(entry: string, { define, plugins = [], ...options }: BuildOptions = {}): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: [path.join(root, "src", entry)],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    // Bun and the script's second file have only require.
    supported: { "dynamic-import": false },
    // Short identifiers would need `keepNames`, which defines the name of each function again whenever it is made: 5 % of the processor time.
    minifySyntax: true,
    minifyWhitespace: true,
    // Node prints the line that threw an error.
    lineLimit: 160,
    legalComments: "none",
    define: { bundledVersion: JSON.stringify(version), ...define },
    logLevel: "warning",
    plugins: [...plugins, withoutUnused, directImports(path.join(root, "src/judge/access/access.ts"))],
    ...options,
  });
  return { code: outputFiles![0]!.text, metafile: metafile! };
}

/** Compiles a tool, because tsx would leave its cache in the temporary folder. */
export async function tool(file: string): Promise<string> {
  const outfile = path.join(dist, "tools", path.basename(file, ".ts") + ".js");
  await build({
    entryPoints: [path.join(root, "src/tools", file)],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    define: { bundledVersion: JSON.stringify(version) },
    logLevel: "warning",
  });
  return outfile;
}

/** The responses that never change, in the form that main.ts expects. */
export async function bundledResponses(): Promise<string> {
  const { preparedResponses } = require(await tool("build/prepared.ts")) as typeof import("./prepared");
  return JSON.stringify(await preparedResponses());
}
