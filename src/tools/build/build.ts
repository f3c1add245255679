/** `npm run build`: the library by tsc, the provider as one file that Terraform can start, and what `npm start` runs. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { constructsForCdktn } from "./cdktn";

const root = path.join(__dirname, "../..");
const dist = path.join(root, "dist");
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };

async function library(): Promise<void> {
  const tsc = spawn(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", root], { stdio: "inherit" });
  const [code] = (await once(tsc, "exit")) as [number];
  if (code !== 0) throw new Error("tsc found faults in the sources");
  await constructsForCdktn(dist);
  // npm makes it executable once, when the package is installed; a build in a checkout makes it anew.
  await chmod(path.join(dist, "cli.js"), 0o755);
}

/** See packed.ts. */
const opening = "\n/*provider:";
const bundled = { bundledVersion: JSON.stringify(version) };

/**
 * One file in two halves. The first says the handshake and knows the prepared answers. The second is the provider, in a
 * comment: what V8 need not read costs a start nothing, and what it has compiled once can be kept.
 */
async function script(): Promise<void> {
  const outfile = path.join(dist, `provider/terraform-provider-tenant_v${version}`);
  // Code that is compiled apart has no import of its own, only the require that it is given.
  const provider = await bundle("provider.ts", { supported: { "dynamic-import": false } });
  const packedDigest = createHash("sha256").update(provider).digest("hex").slice(0, 16);
  const first = await bundle("main.ts", {
    define: {
      ...bundled,
      bundledAnswers: JSON.stringify(await answers()),
      packedDigest: JSON.stringify(packedDigest),
    },
    plugins: [inPlaceOf(path.join(root, "src/provider"), path.join(root, "src/packed.ts"))],
  });
  if (provider.includes(opening)) throw new Error("the provider's code has the mark that it is found by");
  const comment = provider.replaceAll("*/", "*\u0001/");
  await mkdir(path.dirname(outfile), { recursive: true });
  await writeFile(outfile, `#!/usr/bin/env node\n${first}${opening}${comment}*/\n`, { mode: 0o755 });
}

async function bundle(entry: string, options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(root, "src", entry)],
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    target: "node20",
    minify: true,
    keepNames: true,
    legalComments: "none",
    define: bundled,
    logLevel: "warning",
    ...options,
  });
  return outputFiles![0]!.text;
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

async function answers(): Promise<Record<string, string>> {
  const outfile = path.join(dist, "tools/answers.js");
  await tool("build/answers.ts");
  const { preparedAnswers } = require(outfile) as typeof import("./answers");
  return preparedAnswers();
}

/** Compiled here, because tsx would leave its cache in the temporary folder. */
async function tool(file: string): Promise<void> {
  await build({
    entryPoints: [path.join(root, "src/tools", file)],
    outdir: path.join(dist, "tools"),
    bundle: true,
    packages: "external",
    platform: "node",
    define: bundled,
    logLevel: "warning",
  });
}

async function main(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await Promise.all([script(), library(), tool("start/start.ts")]);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
