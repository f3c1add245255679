/** Words for users and of names (the lists are in .github/CONTRIBUTING.md), the table of codes with its pages, and unprintable characters, which every room escapes alike. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { isPrintable } from "../../src/formats/text/printable";
import { type Code, isFinding, messageOf, rows } from "../../src/judge/codes/codes";

const root = path.join(__dirname, "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

const below = (folder: string) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(root, path.join(parentPath, name)).replaceAll(path.sep, "/"));

const pages = below("docs").filter((file) => file.endsWith(".md") && !file.includes("/internals/"));
/** What users get as a file, or read in the catalogue of a code host. */
const commented = ["examples", ".github/actions", ".gitlab"].flatMap(below);

const [, table = ""] = /\| do not write .*?\n((?:\|.*\n)+)/.exec(read(".github/CONTRIBUTING.md")) ?? [];

const terms = table.split("\n").flatMap((line) => {
  const [, write = "", avoid = ""] = line.split("|").map((cell) => cell.trim());
  return /^-*$/.test(avoid) ? [] : avoid.split(", ").map((word) => ({ word, write }));
});

const proseOf = (text: string) =>
  text
    .replace(/^( *)```.*?^\1```/gms, "")
    .replace(/`[^`]*`/g, "")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/TNF-[A-Z-]+/g, "");

/** Comments and descriptions. */
const commentsOf = (text: string) =>
  [...text.matchAll(/(?:^|\s)(?:#|\/\/|\/\*\*|description:) .*$/gm)].map(([line]) => line.trim()).join("\n");

const prose = [
  ...["README.md", ...pages].map((file) => ({ file, text: proseOf(read(file)) })),
  ...commented.map((file) => ({ file, text: proseOf(commentsOf(read(file))) })),
];

test.each(terms)("no page says $word in place of: $write", ({ word }) => {
  const found = prose.flatMap(({ file, text }) =>
    [...text.matchAll(new RegExp(`^.*\\b${word}\\b.*$`, "gim"))].map(([line]) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

/** Words of names that say nothing, as CONTRIBUTING lists them: `isTooGrave`, `toldBy`. */
const [, avoided = ""] = /No name in `src`.*? has (.*?)\./s.exec(read(".github/CONTRIBUTING.md")) ?? [];
const inNames = [...avoided.matchAll(/`(\w+)`/g)].map(([, word]) => word!);

function namesIn(text: string): string[] {
  const names: string[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.push(node.text);
    ts.forEachChild(node, walk);
  };
  walk(ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest));
  return names;
}

test("no name of src has a word that says nothing", () => {
  expect(inNames.length).toBeGreaterThan(5);
  const parts = (name: string) => name.split(/_|(?=[A-Z])/).map((part) => part.toLowerCase());
  const own = below("src").filter(
    (file) => file.endsWith(".ts") && !/constructs\/bindings|plugin\/protocol/.test(file),
  );
  const found = own.flatMap((file) =>
    [...namesIn(read(file)), ...path.basename(file, ".ts").split("-")]
      .filter((name) => parts(name).some((part) => inNames.includes(part)))
      .map((name) => `${file}: ${name}`),
  );
  expect([...new Set(found)]).toEqual([]);
});

test("the list has the words", () => expect(terms.length).toBeGreaterThan(15));

const codes = Object.keys(rows);

function codesIn(folder: string, isMeant: (file: string) => boolean): Set<string> {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).filter(isMeant);
  const texts = files.map((file) => readFileSync(path.join(root, folder, file), "utf8"));
  return new Set(texts.flatMap((text) => [...text.matchAll(/\bTNF-[A-Z]+(?:-[A-Z]+)*/g)].map(([code]) => code)));
}

test("each code is reported somewhere, and the code and the documentation name no other one", () => {
  const reported = codesIn("src", (file) => file.endsWith(".ts") && !/^(judge\/codes|tools)\//.test(file));
  expect(codes.filter((code) => !reported.has(code))).toEqual([]);
  const named = [...reported, ...codesIn("docs", (file) => file.endsWith(".md"))];
  expect(named.filter((code) => !codes.includes(code))).toEqual([]);
});

test.each(codes)("the page explains %s, with its title, its level and its remedy", (code) => {
  const { level, title, message, remedy } = rows[code as Code];
  const page = isFinding(code) ? "effects" : "messages";
  const [, section = ""] = read(`docs/guides/${page}.md`).split(`\n### ${code}\n\n`);
  const printed = message === undefined ? "" : ` Terraform prints it as "${message}".`;
  const shown = message === "…" || message === undefined ? title : message;
  const head = isFinding(code) ? `**${title}.** Level: ${level}.${printed}` : `**${shown.replace(/[^.…]$/, "$&.")}**`;
  expect(section.slice(0, head.length)).toBe(head);
  expect(section.split("\n### ")[0]).toContain(remedy ?? "");
});

test("a code is reported with a word for each … of its title", () => {
  const files = readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const text = files.map((file) => readFileSync(path.join(root, "src", file), "utf8")).join("\n");
  const blanks = (code: string) => (messageOf(code as Code).match(/…/g) ?? []).length;
  const reported = [...text.matchAll(/\[\s*"(TNF-[A-Z-]+)"((?:,[^,\]]+)+)\]/g)].filter(
    ([, code, words]) => blanks(code!) > 0 && !words!.includes('"TNF-'),
  );
  expect(reported.length).toBeGreaterThan(5);
  const wrong = reported.filter(
    ([, code, words]) => words!.split(",").filter((word) => word.trim() !== "").length !== blanks(code!),
  );
  expect(wrong.map(([line]) => line)).toEqual([]);
  expect(
    codes.filter((code) => blanks(code) > 0 && new RegExp(`code: "${code}"`).test(text) && !isFinding(code)),
  ).toEqual([]);
});

const src = path.join(__dirname, "../../src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

/** Files that check ids and names, for other purposes. */
const others =
  /^(formats\/cty\/msgpack|commands\/adopt\/escape|tenant\/id|emulator\/schema|provider\/resources\/schemas|provider\/plugin\/serve)\.ts$/;

const texts = files.map(
  (file) => [file.replaceAll(path.sep, "/"), readFileSync(path.join(src, file), "utf8")] as const,
);

test("only one file lists unprintable characters", () => {
  const knowing = texts.filter(([file, text]) => !others.test(file) && /\\p\{C[cf]\}|\\u202a/i.test(text));
  expect(knowing.map(([file]) => file)).toEqual(["formats/text/printable.ts"]);
});

test("no file uses URL.canParse, which refuses non-ASCII letters in compiled code", () => {
  const asking = texts.filter(([file, text]) => file !== "formats/text/url.ts" && text.includes("URL.canParse"));
  expect(asking.map(([file]) => file)).toEqual([]);
});

/** Output for programs: settings for a shell, the handshake, commands for the runner of a workflow. */
const forPrograms: Record<string, number> = {
  "emulator/background.ts": 1,
  "emulator/command.ts": 1,
  "provider/plugin/serve.ts": 2,
  "review/report/output.ts": 1,
  "provider/plugin/log.ts": 1,
};

test("only one function writes text for people", () => {
  const writing = texts.flatMap(([file, whole]) => {
    const text = whole.replace(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, "");
    if (file.startsWith("tools/") || file === "formats/text/printable.ts") return [];
    const count =
      text.match(/\bconsole\.\w+\(|\b(?:stdout|stderr)\b[^\n]*\.write\(|\bstd(?:out|err)\.write\(/g)?.length ?? 0;
    return count > 0 ? [[file, count]] : [];
  });
  expect(Object.fromEntries(writing)).toEqual(forPrograms);
});

test("escapes all unprintable characters, and keeps joiners of letters and emoji", () => {
  const named: Record<string, readonly [number, number][]> = {
    "C0 and C1 controls": [
      [0, 0x1f],
      [0x7f, 0x9f],
    ],
    "marks and overrides of direction": [
      [0x061c, 0x061c],
      [0x200e, 0x200f],
      [0x202a, 0x202e],
      [0x2066, 0x2069],
    ],
    "characters without width": [
      [0xad, 0xad],
      [0x200b, 0x200b],
      [0x2060, 0x2064],
      [0xfeff, 0xfeff],
    ],
    "separators of lines and paragraphs": [[0x2028, 0x2029]],
    "halves of pairs": [[0xd800, 0xdfff]],
    tags: [
      [0xe0001, 0xe0001],
      [0xe0020, 0xe007f],
    ],
  };
  const through = Object.entries(named).flatMap(([name, ranges]) =>
    ranges.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index)
        .filter((code) => isPrintable(String.fromCodePoint(code)))
        .map((code) => `${name}: ${code.toString(16)}`),
    ),
  );
  expect(through).toEqual([]);
  for (const text of ["👩‍🚒", "❤️", "می‌خواهم", "क्‍ष", "é", "　", "𝒜"]) expect(isPrintable(text)).toBe(true);
});
