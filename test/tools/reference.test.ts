/** The committed reference agrees with the definitions, the commands and the comments. */
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { table } from "../../src/judge/impact/auth0/table";
import { tenantProvider } from "../../src/provider/resources/provider";
import { assumptionsPage } from "../../src/tools/generate/assumptions";
import { changesPage } from "../../src/tools/generate/changes";
import { levelsPage } from "../../src/tools/generate/levels";
import { factsPage } from "../../src/tools/generate/facts";
import { commandsPage } from "../../src/tools/generate/commands";
import { constructsPage } from "../../src/tools/generate/construct-page";
import { limitsOf, referencePages } from "../../src/tools/generate/reference";
import { withFacts } from "../../src/tools/generate/requests";
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
    levelsPage(sources.prose),
    commandsPage(sources.prose),
    factsPage(path.join(src, "review/report/json.ts"), docs),
    constructsPage(path.join(src, "constructs/index.ts"), sources.prose),
  ];
  // The formatter of the repository breaks lines in another place.
  const bare = (text: string) => text.replace(/[\s|,-]+/g, " ").replace(/ ?([{}()[\]]) ?/g, "$1");
  for (const { file, text } of pages) expect(bare(await readFile(path.join(docs, file), "utf8"))).toBe(bare(text));
  for (const folder of ["resources", "data-sources"]) {
    const made = pages.flatMap(({ file }) => (file.startsWith(`${folder}/`) ? [path.basename(file)] : []));
    expect((await readdir(path.join(docs, folder))).toSorted()).toEqual(made.toSorted());
  }
});

test("commits the requests in the schema of reviews that `npm run generate` writes", async () => {
  const file = path.join(root, "src/review/review.schema.json");
  const text = await readFile(file, "utf8");
  const compact = (json: string) => JSON.stringify(JSON.parse(json));
  expect(compact(withFacts(text))).toBe(compact(text));
});

describe("the page of what changes do", () => {
  const { text } = changesPage(path.join(root, "src/tools/generate/pages"));
  /** The lines of each type, or of several that share rows. */
  const sections = text
    .split(/^(?=\| \*\*auth0_)/m)
    .slice(1)
    .map((section) => section.replace(/\n\n.*/s, ""));

  test("says that an attribute has no effect only if no row judges it, or with its condition", () => {
    for (const section of sections) {
      const judged = [...section.matchAll(/^\| (`[^|]*?)(?: changes)?(?:, if [^|]*)? \|/gm)].flatMap(([, cell]) =>
        [...cell!.matchAll(/`([\w.*-]+)`/g)].map(([, name]) => name),
      );
      const plain = (/No effect on people: (.*) \|$/m.exec(section)?.[1] ?? "")
        .split("; ")
        .flatMap((one) => /^`([\w.*-]+)`$/.exec(one)?.[1] ?? []);
      expect(plain.filter((name) => judged.includes(name))).toEqual([]);
    }
    expect(text).toContain("any other change of `organization_usage`");
    expect(text).toContain("`login.html` if `login.enabled` is `[false]`");
  });

  test("says of which type a row is, if a type beside it does not have it", () => {
    expect(text).toContain("| **auth0_client**, **auth0_client_cimd** | **critical** | No effect on people: ");
    expect(text).toContain("of `auth0_client`: `external_client_id`");
    expect(text).toContain("\n| of `auth0_client_cimd`: `external_client_id`, `external_client_id_version` changes |");
  });

  test("has each type once, with its worst level, and each effect of the table", () => {
    const heads = sections.map((section) => section.slice(0, section.indexOf("\n")));
    const types = heads.flatMap((head) => [...head.matchAll(/\*\*(auth0_\w+)\*\*/g)].map(([, type]) => type));
    const known = table.map(({ type }) => type).filter((type) => type !== "*");
    expect(types.toSorted()).toEqual([...new Set(known)].toSorted());
    expect(heads).toContainEqual(expect.stringMatching(/^\| \*\*auth0_organization\*\* \| \*\*high\*\* \|/));
    const told = table
      .filter(({ level }) => level !== "none")
      .map(({ level, text: effect = "", see = "" }) => ({ level, effect, see }));
    const lines = text.split("\n");
    const isOn = (row: (typeof told)[number]) =>
      lines.some((line) =>
        [`| ${row.level} |`, row.effect.replaceAll("|", "\\|"), row.see].every((part) => line.includes(part)),
      );
    expect(told.filter((row) => !isOn(row))).toEqual([]);
  });
});

test("an assumption is a whole sentence", () => {
  const { text } = assumptionsPage(path.join(root, "src/emulator"), path.join(root, "src/tools/generate/pages"));
  const [, list = ""] = text.split("## What the embedded tenant assumes");
  const lines = list.split("\n").filter((line) => line.startsWith("- "));
  expect(lines.length).toBeGreaterThan(25);
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
