/**
 * Stages the sources of the site in a folder: the pages, the pictures, the settings and the index for language models. Builds the
 * site of them, and refuses broken links.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { installed, vitepress } from "./generator";
import { brokenLinks } from "./links";
import { llmsFull, llmsIndex, pagesIn, sidebarOf, type Page } from "./pages";

export const root = path.join(__dirname, "../../..");

export interface Sources {
  readonly docs: string;
  /** This folder of the checkout. */
  readonly own: string;
  /** The node_modules with VitePress. */
  readonly modules?: string;
  /** The path of the site on its host. */
  readonly base: string;
}

export function stage(folder: string, { docs, own, modules, base }: Sources): readonly Page[] {
  rmSync(folder, { recursive: true, force: true });
  const pages = stagePages(folder, docs);
  cpSync(path.join(own, "home.md"), path.join(folder, "index.md"));
  const settings = path.join(folder, ".vitepress");
  cpSync(path.join(own, "theme"), path.join(settings, "theme"), { recursive: true });
  cpSync(path.join(own, "theme/config.mjs"), path.join(settings, "config.mjs"));
  write(path.join(settings, "site.json"), JSON.stringify(settingsOf(pages, base)));
  write(path.join(folder, "public/llms.txt"), llmsIndex(pages));
  write(path.join(folder, "public/llms-full.txt"), llmsFull(pages));
  if (modules !== undefined) symlinkSync(modules, path.join(folder, "node_modules"), "junction");
  return pages;
}

/** Writes the pages and the pictures. Also called after an edit, while VitePress runs. */
export function stagePages(folder: string, docs: string): readonly Page[] {
  const pages = pagesIn(docs);
  for (const { file, title, text } of pages) {
    write(path.join(folder, file), `---\ntitle: ${JSON.stringify(title)}\n---\n\n${text}`);
  }
  for (const file of readdirSync(docs).filter((name) => /\.(webp|svg|png)$/.test(name))) {
    cpSync(path.join(docs, file), path.join(folder, file));
  }
  return pages;
}

export function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const settingsOf = (pages: readonly Page[], base: string) => ({
  base,
  title: "Tenantform",
  description:
    "Review what a Terraform plan does to your Auth0 sign-ins, and manage network ACLs, rate limits and members with guard rails.",
  nav: [
    { text: "Guides", link: "/guides/get-started" },
    { text: "Review", link: "/guides/review" },
    { text: "Messages", link: "/guides/messages" },
  ],
  sidebar: sidebarOf(pages),
});

/** Throws if a link leads nowhere; the folder then stays as it was. */
export async function buildSite(folder: string, base: string): Promise<void> {
  const own = path.join(root, "src/tools/site");
  const modules = await installed(own, "site");
  const work = mkdtempSync(path.join(os.tmpdir(), "tenantform-site-"));
  try {
    const [staged, built] = [path.join(work, "source"), path.join(work, "built")];
    const pages = stage(staged, { docs: path.join(root, "docs"), own, modules, base });
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
