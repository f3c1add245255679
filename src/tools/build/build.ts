/** `npm run build`: builds the library, the provider as a script, and the programs of `npm start` and `npm run release`. */
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { dist, tool } from "./bundle";
import { buildLibrary } from "./library";
import { reviewAssets } from "./review";
import { buildScript } from "./script";

/** Keeps the native executables, which another command builds. */
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
