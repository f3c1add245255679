/** `npm run docs [-- --build [FOLDER]] [--base PATH]`: serves the documentation site, or builds it into a folder. */
import { watch } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { installed, vitepress } from "./generator";
import { buildSite, root, stage, stagePages } from "./stage";

interface Flags {
  readonly build?: string | true;
  readonly base: string;
  readonly port: string;
}

async function main(): Promise<void> {
  const { build, base, port } = new Command("docs")
    .description("Serve the documentation site, and show each edit of docs at once.")
    .option("--build [folder]", "build the site into a folder instead (default: dist/site)")
    .option("--base <path>", "the path of the site on its host", "/")
    .option("--port <number>", "the port on which the site is served", "5173")
    .parse(process.argv)
    .opts<Flags>();
  if (!/^\/([\w.-]+\/)*$/.test(base))
    throw new Error(`--base ${base} is not a path: give one such as / or /tenantform/.`);
  if (build !== undefined) {
    const folder = path.resolve(build === true ? path.join(root, "dist/site") : build);
    await buildSite(folder, base);
    process.stdout.write(`${folder}\n`);
    return;
  }
  const own = path.join(root, "src/tools/site");
  const docs = path.join(root, "docs");
  const modules = await installed(own, "site");
  const staged = path.join(root, "node_modules/.cache/tenantform/site");
  stage(staged, { docs, own, modules, base });
  watch(docs, { recursive: true }, () => void stagePages(staged, docs)).unref();
  await vitepress(modules, "dev", staged, "--port", port);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
