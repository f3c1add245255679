/** What the page of a review runs, as one script beside the code that makes the page. */
import path from "node:path";
import { build } from "esbuild";
import { dist, root } from "./bundle";

export async function reviewPage(): Promise<void> {
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
