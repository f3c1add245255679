/** The pages of the documentation site: their sources in docs, titles, order, and their index for language models. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export interface Page {
  /** Its file below the site, such as `guides/review.md`. */
  readonly file: string;
  readonly title: string;
  readonly summary: string;
  readonly text: string;
}

/** Internals are for contributors, and the map of docs is for code hosts: the site has a sidebar. */
const isPublished = (file: string) => file.endsWith(".md") && !file.startsWith("internals/") && file !== "README.md";

/** The index of docs describes the provider, because registries show it first. The site has a home page of its own. */
const provider = "provider.md";

export function pagesIn(docs: string): Page[] {
  const files = readdirSync(docs, { recursive: true, encoding: "utf8" }).map((file) => file.replaceAll(path.sep, "/"));
  return files
    .filter(isPublished)
    .toSorted()
    .map((file) => pageOf(file, readFileSync(path.join(docs, file), "utf8")));
}

function pageOf(file: string, source: string): Page {
  const [head = "", front = ""] = /^---\n(.*?)\n---\n/s.exec(source) ?? [];
  const body = source.slice(head.length).trimStart();
  const value = (name: string) => new RegExp(`^${name}: "?(.*?)"?$`, "m").exec(front)?.[1] ?? "";
  return {
    file: file === "index.md" ? provider : file,
    title: /^# (.+)$/m.exec(body)?.[1]?.replaceAll("\\_", "_") ?? value("page_title"),
    summary: /^description: \|-\n {2}(.+)$/m.exec(front)?.[1] ?? firstSentence(body),
    text: linked(body),
  };
}

function firstSentence(body: string): string {
  const prose = body.split(/\n{2,}/).find((part) => /^[A-Z`]/.test(part) && !part.startsWith("```")) ?? "";
  const plain = prose.replace(/\s+/g, " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, ".") ?? plain;
}

const linked = (body: string) => body.replace(/\]\(((?:\.\.?\/)*)index\.md(?=[)#])/g, `]($1${provider}`);

export interface Group {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string; readonly target?: string }[];
}

const guides = (...names: string[]) => names.map((name) => `guides/${name}.md`);

const order: readonly (readonly [string, readonly string[]])[] = [
  ["Start", guides("get-started", "recipes", "adopt")],
  ["Review", guides("review", "levels", "review-in-ci", "logs")],
  ["Protect", guides("expectations", "refusals")],
  ["Operate", guides("tenants", "install", "embedded-tenant")],
  [
    "Reference",
    [
      ...guides("review-reference", "effects", "auth0", "messages", "cli"),
      provider,
      ...guides("constructs", "languages"),
    ],
  ],
  ["Trust", ["security-model.md", "emulator-assumptions.md", "benchmarks.md"]],
];

const kinds: readonly (readonly [string, string])[] = [
  ["Resources", "resources/"],
  ["Data sources", "data-sources/"],
  ["Functions", "functions/"],
];

export function sidebarOf(pages: readonly Page[]): Group[] {
  const groups: [string, Page[]][] = [
    ...order.map(([text, files]): [string, Page[]] => [
      text,
      files.flatMap((file) => pages.find((page) => page.file === file) ?? []),
    ]),
    ...kinds.map(([text, folder]): [string, Page[]] => [text, pages.filter(({ file }) => file.startsWith(folder))]),
  ];
  return groups
    .filter(([, items]) => items.length > 0)
    .map(([text, items]) => ({ text, items: items.map((page) => ({ text: nameOf(page), link: linkOf(page) })) }));
}

const nameOf = ({ title }: Page) => title.replace(/ \((resource|data source|function)\)$/, "");

const linkOf = ({ file }: Page) => `/${file.replace(/\.md$/, "")}`;

const about =
  "A Terraform provider, CDKTF constructs and a review of plans for Auth0 tenants: network ACLs, rate limit policies and members of organizations.";

/** llms.txt. */
export function llmsIndex(pages: readonly Page[]): string {
  const groups = sidebarOf(pages).map(({ text, items }) => {
    const lines = items.map(({ link }) => {
      const { title, summary, file } = pages.find((page) => `/${page.file}` === `${link}.md`)!;
      return `- [${title}](${file}): ${summary}`;
    });
    return [`## ${text}`, "", ...lines, ""].join("\n");
  });
  return `# Tenantform\n\n> ${about}\n\nllms-full.txt contains all pages.\n\n${groups.join("\n")}`;
}

/** llms-full.txt, which contains all pages. */
export function llmsFull(pages: readonly Page[]): string {
  return pages.map(({ file, text }) => `<!-- ${file} -->\n\n${text.trimEnd()}\n`).join("\n");
}
