/** Pages and comments for users have one term for one thing: the list is in .github/CONTRIBUTING.md. Code, links and internals do not count. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

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
const rows = table.split("\n").flatMap((line) => {
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

test.each(rows)("no page says $word in place of: $write", ({ word }) => {
  const found = prose.flatMap(({ file, text }) =>
    [...text.matchAll(new RegExp(`^.*\\b${word}\\b.*$`, "gim"))].map(([line]) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

test("the list has the words", () => expect(rows.length).toBeGreaterThan(15));
