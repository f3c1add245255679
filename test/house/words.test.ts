/** Pages use one term for one thing: the list is in .github/CONTRIBUTING.md. Code, links and internals do not count. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(__dirname, "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

const docs = readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" })
  .map((file) => `docs/${file.replaceAll(path.sep, "/")}`)
  .filter((file) => file.endsWith(".md") && !file.includes("/internals/"));

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

test.each(rows)("no page says $word in place of: $write", ({ word }) => {
  const found = ["README.md", ...docs].flatMap((file) =>
    [...proseOf(read(file)).matchAll(new RegExp(`^.*\\b${word}\\b.*$`, "gim"))].map(([line]) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

test("the list has the words", () => expect(rows.length).toBeGreaterThan(15));
