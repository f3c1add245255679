/** Finds blocks in HCL and JSON by their line, and never in a comment, string or heredoc. */
import fc from "../support/random";
import { hclBlocks } from "../../src/review/places/hcl";
import { jsonBlocks } from "../../src/review/places/json";

/** `resource.a.b:3` for each block of the file. */
const hcl = (...lines: string[]) => shown(hclBlocks(lines.join("\n")));
const shown = (blocks: ReturnType<typeof hclBlocks>) =>
  blocks.map(({ type, labels, line }) => `${[type, ...labels].join(".")}:${line}`);
const real = 'resource "a" "real" {}';
const fake = 'resource "a" "fake" {';

test.each<[string, string[]]>([
  ["a line comment", [`# ${fake}`, `// ${fake}`]],
  ["a long comment", ["/* begins", fake, "*/"]],
  ["a string", ['locals { a = "\\" resource a fake {" }']],
  ["a heredoc", ["locals {", "a = <<EOT", fake, "}", "EOT", "}"]],
  ["an indented heredoc", ["locals {", "a = <<-EOT", fake, "  }", "    EOT", "}"]],
  ["a heredoc in a list", ["locals {", "a = [<<EOT", fake, "EOT", ", 1]", "}"]],
  ["a template in a string", ['locals { a = "${join("}", [for k in { b = "{" } : "${k} {"])}" }']],
  ["a directive in a heredoc", ["locals {", "a = <<EOT", "%{ for a in b ~}", "} ${a}", "%{ endfor ~}", "EOT", "}"]],
  [
    "a heredoc with its marker after a template",
    ["locals {", "a = <<EOT", "${1} EOT", "${1", "}EOT", fake, "EOT", "}"],
  ],
  ["an escaped template", ["locals {", "a = <<EOT", "$${ { %%{ {", "EOT", 'b = "$${ %%{ $ % {"', "}"]],
  ["an attribute of the same name", ["locals {", 'resource = { a = "b" }', "}"]],
])("finds the block after %s in its line", (_, lines) => {
  const found = hcl(...lines, real);
  expect(found.at(-1)).toBe(`resource.a.real:${lines.length + 1}`);
  expect(found.filter((one) => one.startsWith("resource"))).toHaveLength(1);
});

test("counts lines that end with CR LF, after a byte order mark", () => {
  expect(shown(hclBlocks(`\uFEFFlocals {\r\n  a = <<EOT\r\n${fake}\r\nEOT\r\n}\r\n${real}\r\n`))).toEqual([
    "locals:1",
    "resource.a.real:6",
  ]);
});

test("reads labels without quotes, with escapes, and in other scripts", () => {
  expect(hcl("resource a b {}", 'resource "\\u0061" "b" {}', 'resource "a" "größe-名" {}')).toEqual([
    "resource.a.b:1",
    "resource.a.b:2",
    "resource.a.größe-名:3",
  ]);
});

test("reads escapes in texts as Terraform does", () => {
  const written = '\\"q\\" \\\\ \\n\\t\\u00fc $${x} %%{y} $z';
  const [block] = hclBlocks(`provider "a" { alias = "${written}" }`);
  expect(block!.texts.get("alias")).toBe('"q" \\ \n\tü ${x} %{y} $z');
});

test("reads a block after another on its line", () => {
  expect(hcl('/* */ resource "a" "b" { c = "d" } /*', "*/ ", real)).toEqual(["resource.a.b:1", "resource.a.real:3"]);
});

test.each(['resource "a" "b" {', 'a = "', "a = <<EOT\nEOT x", "/*/", 'a = "${', "a = [", "} {", 'resource "a"\n{}'])(
  "refuses %j, which Terraform refuses too",
  (text) => expect(() => hclBlocks(text)).toThrow(),
);

test("ends on any text", () => {
  const part = fc.constantFrom(
    '"',
    "{",
    "}",
    "${",
    "%{",
    "<<E\n",
    "E\n",
    "/*",
    "*/",
    "#",
    "\n",
    "a",
    "=",
    "[",
    "\\",
    " ",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      try {
        expect(hclBlocks(parts.join(""))).toBeInstanceOf(Array);
      } catch (error) {
        expect((error as Error).constructor.name).toBe("Unreadable");
      }
    }),
    { numRuns: 2_000 },
  );
});

const json = (...lines: string[]) => shown(jsonBlocks(lines.join("\n")));

test("finds the line of each name in JSON, in objects and in lists", () => {
  const body = '{"//": {"resource": {"a": {"fake": {}}}, "tenantform": {"at": "main.ts:4"}}, "text": "\\"fake\\": {"}';
  expect(json("{", '"resource": {"a": {', `"b": ${body},`, '"c": {}', "}}}")).toEqual([
    "resource.a.b:3",
    "resource.a.c:4",
  ]);
  expect(json('[{"resource": [{"a": {}}, {"a": [', '{"b": {}},', '{"c": {}}]}]}]')).toEqual([
    "resource.a.b:2",
    "resource.a.c:3",
  ]);
  expect(jsonBlocks(`{"resource": {"a": {"b": ${body}}}}`)[0]!.origin).toBe("main.ts:4");
});

test("reads every provider block of a list in JSON", () => {
  const [one, other] = jsonBlocks(
    '\uFEFF{"provider": {"tenant": [{"alias": "${x}"}, {"alias": "eu",\r\n"dynamic": {"protected_request": {}}}]}}',
  );
  expect([one!.texts.get("alias"), one!.blocks]).toEqual([undefined, []]);
  expect([other!.texts.get("alias"), other!.blocks[0]!.labels]).toEqual(["eu", ["protected_request"]]);
});

test("reads quotes and backslashes in names, and ends on a string without an end", () => {
  expect(json('{"resource": {"a": {"b\\"\\\\": {},', '"c": {}}}}')).toEqual(['resource.a.b"\\:1', "resource.a.c:2"]);
  expect(() => json(`{"${"a\\".repeat(100_000)}`)).toThrow("no end");
});

test.each(["", "{", '{"a": 1', '{"a" 1}', "{} {}", '{"a": "\n"}', "nul l"])("refuses %j, which is not JSON", (text) =>
  expect(() => jsonBlocks(text)).toThrow(),
);
