/** The pages of the documentation site: their order, the index for language models, and the check of links. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { brokenLinks } from "../../src/tools/site/links";
import { llmsFull, llmsIndex, pagesIn, sidebarOf } from "../../src/tools/site/pages";
import { stage, write } from "../../src/tools/site/stage";

const root = path.join(__dirname, "../..");
const docs = path.join(root, "docs");
const pages = pagesIn(docs);

async function inFolder(use: (folder: string) => unknown): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-pages-"));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the sidebar lists every page once", () => {
  const links = sidebarOf(pages).flatMap(({ items }) => items.map(({ link }) => `${link.slice(1)}.md`));
  expect(links.toSorted()).toEqual(pages.map(({ file }) => file).toSorted());
  const guides = readdirSync(path.join(docs, "guides")).map((file) => `guides/${file}`);
  expect(links).toEqual(expect.arrayContaining([...guides, "provider.md", "resources/network_acl.md"]));
  expect(links.filter((link) => link.startsWith("internals/"))).toEqual([]);
});

test("every page has a title and a summary, which llms.txt lists, and llms-full.txt contains every page", () => {
  expect(pages.filter(({ title, summary }) => title === "" || summary === "").map(({ file }) => file)).toEqual([]);
  const index = llmsIndex(pages);
  for (const { file, title, summary } of pages) expect(index).toContain(`- [${title}](${file}): ${summary}\n`);
  const full = llmsFull(pages);
  for (const { text } of pages) expect(full).toContain(text.trimEnd());
});

test("the staged folder has what VitePress and language models need", async () => {
  await inFolder((folder) => {
    stage(folder, { docs, own: path.join(root, "src/tools/site"), base: "/" });
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    expect(files).toEqual(
      expect.arrayContaining([
        ".vitepress/config.mjs",
        ".vitepress/site.json",
        ".vitepress/theme/index.mjs",
        "guides/review.md",
        "index.md",
        "provider.md",
        "public/llms-full.txt",
        "public/llms.txt",
        "review-draft.webp",
      ]),
    );
  });
});

const site: Readonly<Record<string, string>> = {
  "index.html":
    '<a href="/docs/guides/a.html#one">a</a> <a href="https://example.com/x">b</a> <script src="./a.js"></script>',
  "guides/a.html": '<h2 id="one">One</h2> <a href="../">home</a> <a href="#%6Fne">here</a>',
  "a.js": '"<a href=nowhere>"',
  "llms.txt": "- [A](guides/a.html): A page.\n",
};

test("a site without broken links passes", async () => {
  await inFolder((folder) => {
    for (const [file, text] of Object.entries(site)) write(path.join(folder, file), text);
    expect(brokenLinks(folder, "/docs/")).toEqual([]);
  });
});

test.each([
  ["a missing page", "index.html", '<a href="b.html">', "index.html links to b.html: no such page."],
  [
    "a missing anchor",
    "index.html",
    '<a href="guides/a.html#two">',
    "index.html links to guides/a.html#two: no such anchor.",
  ],
  ["a missing anchor of its own", "guides/a.html", '<a href="#two">', "guides/a.html links to #two: no such anchor."],
  ["a missing script", "index.html", '<script src="b.js"></script>', "index.html links to b.js: no such page."],
  ["a page outside the site", "index.html", '<a href="/other/">', "index.html links to /other/: it leaves /docs/."],
  ["a missing page of llms.txt", "llms.txt", "[B](b.md)", "llms.txt links to b.md: no such page."],
])("refuses a link to %s", async (_, file, text, problem) => {
  await inFolder((folder) => {
    for (const [name, content] of Object.entries({ ...site, [file]: site[file] + text })) {
      write(path.join(folder, name), content);
    }
    expect(brokenLinks(folder, "/docs/")).toEqual([problem]);
  });
});
