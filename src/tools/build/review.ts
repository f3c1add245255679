/** Builds the script of the review page, and copies the schemas of the JSON of reviews and replays. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { dist, root } from "./bundle";

export async function reviewAssets(): Promise<void> {
  await mkdir(path.join(dist, "review"), { recursive: true });
  for (const schema of ["review.schema.json", "replay/replay.schema.json"])
    await writeFile(
      path.join(dist, "review", path.basename(schema)),
      await readFile(path.join(root, "src/review", schema)),
    );
  await build({
    entryPoints: [path.join(root, "src/review/try.ts")],
    outfile: path.join(dist, "review/try.bundle.js"),
    bundle: true,
    format: "iife",
    globalName: "TenantformReview",
    platform: "browser",
    target: "es2022",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
  });
}
