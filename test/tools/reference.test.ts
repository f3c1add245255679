/** The committed reference agrees with the definitions, the commands and the comments. */
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { tenantProvider } from "../../src/resources/provider";
import { assumptionsPage } from "../../src/tools/generate/assumptions";
import { changesPage } from "../../src/tools/generate/changes";
import { commandsPage } from "../../src/tools/generate/commands";
import { constructsPage } from "../../src/tools/generate/construct-page";
import { limitsOf } from "../../src/tools/generate/limits";
import { referencePages } from "../../src/tools/generate/reference";
import { version } from "../../src/version";

const root = path.join(__dirname, "../..");
const docs = path.join(root, "docs");

test("commits the docs that `npm run generate` writes, without old pages", async () => {
  const sources = { examples: path.join(root, "examples"), prose: path.join(root, "src/tools/generate/pages") };
  const src = path.join(root, "src");
  const pages = [
    ...(await referencePages(tenantProvider(version, {}), sources)),
    assumptionsPage(path.join(src, "emulator"), sources.prose),
    changesPage(sources.prose),
    commandsPage(sources.prose),
    constructsPage(path.join(src, "constructs/index.ts"), sources.prose),
  ];
  // The formatter of the repository breaks lines in another place.
  const bare = (text: string) => text.replace(/[\s|,-]+/g, " ").replace(/ ?([{}()[\]]) ?/g, "$1");
  for (const { file, text } of pages) expect(bare(await readFile(path.join(docs, file), "utf8"))).toBe(bare(text));
  for (const folder of ["resources", "data-sources", "functions"]) {
    const made = pages.flatMap(({ file }) => (file.startsWith(`${folder}/`) ? [path.basename(file)] : []));
    expect((await readdir(path.join(docs, folder))).toSorted()).toEqual(made.toSorted());
  }
});

describe("the page of what changes do", () => {
  const { text } = changesPage(path.join(root, "src/tools/generate/pages"));
  const sections = text.split("\n### ").slice(1);

  test("says that an attribute has no effect only if no row judges it, or with its condition", () => {
    for (const section of sections) {
      const judged = [...section.matchAll(/^\| (`[^|]*?)(?: changes)?(?:, if [^|]*)? \|/gm)].flatMap(([, cell]) =>
        [...cell!.matchAll(/`([\w.*-]+)`/g)].map(([, name]) => name),
      );
      const plain = (/^No effect on people: (.*)\.$/m.exec(section)?.[1] ?? "")
        .split("; ")
        .flatMap((one) => /^`([\w.*-]+)`$/.exec(one)?.[1] ?? []);
      expect(plain.filter((name) => judged.includes(name))).toEqual([]);
    }
    expect(text).toContain("any other change of `organization_usage`");
    expect(text).toContain("`login.html` if `login.enabled` is `false`");
  });

  test("lists each type with its worst level, its rows, and how many of them have a source", () => {
    expect(text).toMatch(/^\| \[auth0_organization\]\(#auth0_organization\) \| high \| \d+ \| 1 \|$/m);
    for (const section of sections) {
      const [type] = section.split("\n");
      const rows = section.match(/^\| (?!change|---)/gm)?.length ?? 0;
      const sourced = section.match(/\]\(https:\/\/auth0\.com\/docs\//g)?.length ?? 0;
      expect(text).toMatch(
        new RegExp(`^\\| \\[${type}\\]\\(#${type}\\) \\| \\w+ \\| ${rows} \\| ${sourced} \\|$`, "m"),
      );
    }
  });
});

test("an assumption is a whole sentence", () => {
  const { text } = assumptionsPage(path.join(root, "src/emulator"), path.join(root, "src/tools/generate/pages"));
  const [, list = ""] = text.split("## What the embedded tenant assumes");
  const lines = list.split("\n").filter((line) => line.startsWith("- "));
  expect(lines.length).toBeGreaterThan(30);
  expect(lines.filter((line) => !/^- [A-Z`].*[.] \(\[\S+\.ts\]\(\S+\)\)$/.test(line))).toEqual([]);
});

test.each<[z.ZodType, string, string[]]>([
  [z.int().min(1).max(100), "A place.", ["1 to 100"]],
  [z.int().min(1).max(100), "A place, 1 to 100.", []],
  [z.int(), "A number.", []],
  [z.number().positive().optional(), "A rate.", ["above 0"]],
  [z.string().max(255), "A text.", ["at most 255 characters"]],
  [z.array(z.string()).min(2).max(20), "Some.", ["2 to 20 elements"]],
  [z.enum(["a1", "b2"]).default("a1"), "One: `a1`.", ["one of `a1`, `b2`"]],
])("limits of %#", (schema, told, limits) => expect(limitsOf(schema, told)).toEqual(limits));
