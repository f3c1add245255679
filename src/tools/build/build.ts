/** `npm run build`: the library, the provider as one file that Terraform can start, and what `npm start` runs. */
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { dist, tool } from "./bundle";
import { buildLibrary } from "./library";
import { reviewAssets } from "./review";
import { buildScript } from "./script";

/** Native executables are made by a command of their own, and measured by one that builds first. */
async function clear(): Promise<void> {
  await mkdir(dist, { recursive: true });
  const old = (await readdir(dist)).filter((name) => name !== "native");
  await Promise.all(old.map((name) => rm(path.join(dist, name), { recursive: true, force: true })));
}

async function main(): Promise<void> {
  await clear();
  await Promise.all([
    buildScript(path.join(dist, "provider")),
    buildLibrary(),
    reviewAssets(),
    tool("start/start.ts"),
    tool("build/native.ts"),
    tool("release/release.ts"),
  ]);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
