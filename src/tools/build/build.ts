/** `npm run build`: the library, the provider as one file that Terraform can start, and what `npm start` runs. */
import { rm } from "node:fs/promises";
import path from "node:path";
import { dist, tool } from "./bundle";
import { buildLibrary } from "./library";
import { reviewPage } from "./review";
import { buildScript } from "./script";

async function main(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await Promise.all([
    buildScript(path.join(dist, "provider")),
    buildLibrary(),
    reviewPage(),
    tool("start/start.ts"),
    tool("build/native.ts"),
  ]);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
