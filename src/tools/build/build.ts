/** `npm run build`: the library by tsc, the provider as one file that Terraform can start, and what `npm start` runs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, rm } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
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

const bundled = { bundledVersion: JSON.stringify(version) };

async function provider(): Promise<void> {
  const outfile = path.join(dist, `provider/terraform-provider-tenant_v${version}`);
  await build({
    entryPoints: [path.join(root, "src/main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    minify: true,
    keepNames: true,
    banner: { js: "#!/usr/bin/env node" },
    define: { ...bundled, bundledAnswers: JSON.stringify(await answers()) },
    logLevel: "warning",
  });
  await chmod(outfile, 0o755);
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
  await Promise.all([provider(), library(), tool("start/start.ts")]);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
