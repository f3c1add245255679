/** Builds the script of the review page, and copies the schema of the review's JSON. */
import { copyFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { dist, root } from "./bundle";

export async function reviewAssets(): Promise<void> {
  await mkdir(path.join(dist, "review"), { recursive: true });
  await copyFile(path.join(root, "src/review/review.schema.json"), path.join(dist, "review/review.schema.json"));
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
