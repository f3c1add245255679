/** Builds the documentation site, and refuses broken links. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { installed, vitepress } from "./generator";
import { brokenLinks } from "./links";
import { stage, write } from "./stage";

export const root = path.join(__dirname, "../../..");

/** Throws if a link leads nowhere; the folder then stays as it was. */
export async function buildSite(folder: string, base: string): Promise<void> {
  const own = path.join(root, "src/tools/site");
  const modules = await installed(own, "site");
  const work = mkdtempSync(path.join(os.tmpdir(), "tenantform-site-"));
  try {
    const [staged, built] = [path.join(work, "source"), path.join(work, "built")];
    const pages = await stage(staged, { docs: path.join(root, "docs"), own, modules, base });
    await vitepress(modules, "build", staged, "--outDir", built);
    for (const { file, text } of pages) write(path.join(built, file), text);
    const broken = brokenLinks(built, base);
    if (broken.length > 0) throw new Error(["The site has broken links:", ...broken].join("\n"));
    rmSync(folder, { recursive: true, force: true });
    cpSync(built, folder, { recursive: true });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
