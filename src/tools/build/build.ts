/** `npm run build`: the library by tsc, the provider as one file that Terraform can start, and what `npm start` runs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, rm } from "node:fs/promises";
import path from "node:path";
import { dist, root, tool } from "./bundle";
import { constructsForCdktn } from "./cdktn";
import { buildEmulator } from "./emulator";
import { reviewPage } from "./review";
import { buildScript } from "./script";

async function library(): Promise<void> {
  const tsc = spawn(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", root], { stdio: "inherit" });
  const [code] = (await once(tsc, "exit")) as [number];
  if (code !== 0) throw new Error("tsc found faults in the sources");
  await Promise.all([constructsForCdktn(dist), buildEmulator()]);
  // npm makes it executable once, when the package is installed; a build in a checkout makes it anew.
  await chmod(path.join(dist, "cli.js"), 0o755);
}

async function main(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await Promise.all([
    buildScript(path.join(dist, "provider")),
    library(),
    reviewPage(),
    tool("start/start.ts"),
    tool("build/native.ts"),
  ]);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
