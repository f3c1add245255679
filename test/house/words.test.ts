/** Words for users: one term for one thing (the list is in .github/CONTRIBUTING.md), and the table of codes with the pages that are made of it. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Code, findingCodes, isFinding, messageOf, messages, rows } from "../../src/judge/codes/codes";

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

test("the reference of the review's JSON names each kind of facts", () => {
  const files = below("src/judge/impact").filter((file) => file.endsWith("/facts.ts"));
  const named = files.flatMap((file) => [...read(file).matchAll(/readonly kind: "([^"]+)"/g)].map(([, kind]) => kind!));
  expect(named.length).toBeGreaterThan(10);
  const page = read("docs/guides/review-reference.md");
  expect(named.filter((kind) => !page.includes(`| \`${kind}\` `))).toEqual([]);
});

test("each code stands once in the table", () => {
  const parts = [...findingCodes, ...Object.values(messages).flatMap((part) => Object.keys(part))];
  expect(parts.toSorted()).toEqual(codes.toSorted());
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
