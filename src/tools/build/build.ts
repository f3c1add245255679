/** `npm run build`: the library by tsc, the provider as one file that Terraform can start, and what `npm start` runs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, rm } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";

const root = path.join(__dirname, "../..");
const dist = path.join(root, "dist");
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };

async function library(): Promise<void> {
  const tsc = spawn(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", root], { stdio: "inherit" });
  const [code] = (await once(tsc, "exit")) as [number];
  if (code !== 0) throw new Error("tsc found faults in the sources");
  // npm makes it executable once, when the package is installed; a build in a checkout makes it anew.
  await chmod(path.join(dist, "cli.js"), 0o755);
}

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
    // grpc-js asks for it only for channelz, which is off.
    external: ["@grpc/proto-loader"],
    banner: { js: "#!/usr/bin/env node" },
    define: { bundledVersion: JSON.stringify(version) },
    logLevel: "warning",
  });
  await chmod(outfile, 0o755);
}

/** What `npm start` runs; compiled here, because tsx would leave its cache in the temporary folder. */
async function start(): Promise<void> {
  await build({
    entryPoints: [path.join(root, "src/tools/start/start.ts")],
    outdir: path.join(dist, "tools"),
    bundle: true,
    packages: "external",
    platform: "node",
    logLevel: "warning",
  });
}

async function main(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await Promise.all([provider(), library(), start()]);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
