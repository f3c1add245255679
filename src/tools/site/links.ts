/** Checks that every link, image and script of the built site leads to a file, and every anchor to an element. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

interface Document {
  readonly file: string;
  readonly links: readonly string[];
  readonly ids: ReadonlySet<string>;
}

/** The problems, in sentences. `base`: the path of the site on its host. */
export function brokenLinks(folder: string, base: string): string[] {
  const documents = new Map(documentsIn(folder).map((one) => [one.file, one]));
  return [...documents.values()].flatMap(({ file, links }) =>
    [...new Set(links)].flatMap((link) => {
      const problem = problemOf(link, file, { folder, base, documents });
      return problem === undefined ? [] : [`${file} links to ${link}: ${problem}.`];
    }),
  );
}

function documentsIn(folder: string): Document[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) =>
    file.replaceAll(path.sep, "/"),
  );
  return files
    .filter((file) => /\.(html|md|txt)$/.test(file))
    .map((file) => {
      const text = readFileSync(path.join(folder, file), "utf8");
      return file.endsWith(".html")
        ? documentOf(file, text)
        : { file, links: markdownLinks(file, text), ids: new Set() };
    });
}

function documentOf(file: string, html: string): Document {
  const body = html.replace(/<(script|style)\b[^>]*>.*?<\/\1>/gs, (whole) => whole.slice(0, whole.indexOf(">") + 1));
  const values = (names: string) =>
    [...body.matchAll(new RegExp(`\\s(?:${names})="([^"]*)"`, "g"))].map(([, one]) => plain(one!));
  return { file, links: values("href|src"), ids: new Set(values("id")) };
}

/** The index alone: the pages as markdown are the sources of pages that are checked as HTML. */
const markdownLinks = (file: string, text: string) =>
  file === "llms.txt" ? [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!) : [];

const plain = (text: string) =>
  text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<");

interface Site {
  readonly folder: string;
  readonly base: string;
  readonly documents: ReadonlyMap<string, Document>;
}

function problemOf(link: string, from: string, { folder, base, documents }: Site): string | undefined {
  if (/^(https?:|mailto:|data:)/.test(link)) return undefined;
  const origin = "http://site.invalid";
  const url = new URL(link, `${origin}${base}${from}`);
  if (url.origin !== origin || !url.pathname.startsWith(base)) return `it leaves ${base}`;
  const file = fileOf(folder, decodeURIComponent(url.pathname.slice(base.length)));
  if (file === undefined) return "no such page";
  const anchor = decodeURIComponent(url.hash.slice(1));
  if (anchor === "" || !file.endsWith(".html")) return undefined;
  return documents.get(file)!.ids.has(anchor) ? undefined : "no such anchor";
}

const fileOf = (folder: string, name: string) =>
  [name, `${name}.html`, `${name}index.html`, `${name}/index.html`].find((file) => {
    const found = path.join(folder, file);
    return existsSync(found) && statSync(found).isFile();
  });
