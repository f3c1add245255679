/**
 * Texts and names follow one glossary: no retired words, no sentence over 30 words, no fragments.
 * `LANGUAGE=src/adopt npx jest test/house/language` lists every hit below a path, with those in comments and test titles.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { hitsInHcl, hitsInMarkdown, hitsInPath, hitsInTypeScript, problemsOf, type Hit } from "../support/language";

const root = path.join(__dirname, "../..");
const skipped =
  /^src\/(constructs\/bindings|plugin\/protocol)\/|\/node_modules\/|\/cdktf\.out\/|^test\/(house|support)\/lang/;

const filesBelow = (folder: string) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll(path.sep, "/")}`)
    .filter((file) => /\.(ts|md|tf)$|review\.schema\.json$/.test(file) && !skipped.test(file));

const singles = ["README.md", "CHANGELOG.md", "SECURITY.md", ".github/CONTRIBUTING.md"];
const files = [...singles, ...["docs", "examples", "src", "test"].flatMap(filesBelow)];

function hitsOf(file: string): Hit[] {
  const text = readFileSync(path.join(root, file), "utf8");
  if (file.endsWith(".md")) return hitsInMarkdown(text);
  if (file.endsWith(".tf")) return hitsInHcl(text);
  return [...hitsInPath(file), ...hitsInTypeScript(file, text, file.startsWith("test/"))];
}

const shown = (file: string, { line, problem, text, isComment }: Hit) =>
  `${file}:${line} ${problem}${isComment ? " (comment)" : ""} | ${text}`;

/** `src/adopt`, or the file itself outside `src`. */
const roomOf = (file: string) => (file.startsWith("src/") ? file.split("/").slice(0, 2).join("/") : file);

/** How many hits are left, at most. Zero is the aim: lower a number, never raise one. */
const left: Record<string, number> = {};

const { LANGUAGE: below } = process.env;
if (below === undefined) {
  const counted = files.filter((file) => !file.startsWith("test/"));

  test("texts and names follow the glossary", () => {
    expect(counted.length).toBeGreaterThan(400);
    const hits = new Map<string, string[]>();
    for (const file of counted) {
      const found = hitsOf(file).filter(({ isComment }) => !isComment || file.startsWith("examples/"));
      hits.set(roomOf(file), [...(hits.get(roomOf(file)) ?? []), ...found.map((hit) => shown(file, hit))]);
    }
    const above = [...hits].filter(([room, found]) => found.length > (left[room] ?? 0));
    expect(Object.fromEntries(above)).toEqual({});
  });
} else {
  test(`texts, names and comments below ${below} follow the glossary`, () => {
    const chosen = files.filter((file) => file.startsWith(below));
    expect(chosen).not.toEqual([]);
    expect(chosen.flatMap((file) => hitsOf(file).map((hit) => shown(file, hit)))).toEqual([]);
  });
}

test.each([
  ["A retired word", "The plan holds for every request."],
  ["A passive verb of saying", "What is wrong is told in the plan."],
  ["A fragment", "Who knows it can sign in."],
  ["A fronted genitive", "The plan is refused; of the rest nothing happens."],
  ["A long sentence", `The plan ${"very ".repeat(30)}long.`],
])("%s is found", (_, sentence) => {
  expect(problemsOf(sentence)).not.toEqual([]);
});

test("plain sentences pass", () => {
  expect(problemsOf("What is a network ACL?")).toEqual([]);
  expect(problemsOf("The provider refuses an ACL that blocks a protected request.")).toEqual([]);
});

test("hits are found in strings, names, paths and comments, each with its line", () => {
  const source = 'const twin = 1;\n// it stands\nconst text = `it ${twin} ` + "is told";\n';
  expect(hitsInTypeScript("a.ts", source).map(({ line, isComment }) => [line, isComment])).toEqual([
    [3, false],
    [2, true],
    [1, false],
  ]);
  expect(hitsInPath("src/sdk/ledger.ts")).toHaveLength(1);
  expect(hitsInMarkdown("# Plan\n\nCode `is told` is left out.\nIt\nstands.\n").map(({ line }) => line)).toEqual([4]);
});
