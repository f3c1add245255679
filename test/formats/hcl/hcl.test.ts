/** Reads blocks and values of HCL and JSON by their line, and never anything in a comment, string or heredoc. */
import { readHcl } from "../../../src/formats/hcl/hcl";
import { readJson } from "../../../src/formats/hcl/files";
import { commentsOf } from "../../../src/formats/hcl/tokens";
import { deepest, plainOf, textOf, Unreadable, type Block } from "../../../src/formats/hcl/tree";
import fc from "../../support/random";

/** `resource.a.b:3` for each block of the file. */
const shown = (blocks: readonly Block[]) =>
  blocks.map(({ type, labels, line }) => `${[type, ...labels].join(".")}:${line}`);
const hcl = (...lines: string[]) => shown(readHcl(lines.join("\n")).blocks);
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
  ["a byte order mark and lines that end with CR LF", ["\uFEFFlocals {\r", "a = <<EOT\r", `${fake}\r`, "EOT\r", "}\r"]],
  ["a block on the same line", ['/* */ provider "b" { c = "d" } /*', "*/"]],
])("finds the block after %s in its line", (_, lines) => {
  const found = hcl(...lines, real);
  expect(found.at(-1)).toBe(`resource.a.real:${lines.length + 1}`);
  expect(found.filter((one) => one.startsWith("resource"))).toHaveLength(1);
});

test("reads labels without quotes, with escapes, and in other scripts", () => {
  expect(hcl("resource a b {}", 'resource "\\u0061" "b" {}', 'resource "a" "größe-名" {}')).toEqual([
    "resource.a.b:1",
    "resource.a.b:2",
    "resource.a.größe-名:3",
  ]);
});

/** The value of `a`, with `<text>` for an expression. */
const valueOf = (written: string) =>
  plainOf(readHcl(`a = ${written}\nb = 1`).attributes.get("a")!, ({ text }) => `<${text}>`);

test.each<[string, unknown]>([
  ['"\\"q\\" \\\\ \\n\\t\\u00fc $${x} %%{y} $z"', '"q" \\ \n\tü ${x} %{y} $z'],
  ["-1.5e3 # a comment", -1500],
  ["[true, null, [], {},\n]", [true, null, [], {}]],
  ['{ b = 1, "c" : [2]\nd = { e = local.f } }', { b: 1, c: [2], d: { e: "<local.f>" } }],
  ["[1, a + 1, b\n? c\n: d, 2]", [1, "<a + 1>", "<b ? c : d>", 2]],
  ["[for x in y : x]", "<[for x in y : x]>"],
  ["{ for x in y : x => [1] }", "<{ for x in y : x => [1] }>"],
  ["{ (b) = 1 }", "<{ (b) = 1 }>"],
  ["[1] == [1]", "<[1] == [1]>"],
  ["(\n1 +\n2\n)", "<( 1 + 2 )>"],
  ['"a${b}c"', '<"a${b}c">'],
  ["<<EOT\na\nEOT", "<<<EOT a EOT>"],
  ["tenant.eu", "<tenant.eu>"],
  ["trueish", "<trueish>"],
])("reads the value %j", (written, expected) => expect(valueOf(written)).toEqual(expected));

test("tells an address from any other expression, and a text that has its form", () => {
  const { attributes } = readHcl('a = b.c\nd = b.c + 1\ne = "b.c"\nf = 1');
  const texts = [..."adefg"].map((name) => textOf(attributes.get(name)));
  expect(texts).toEqual(["b.c", undefined, "b.c", undefined, undefined]);
});

test.each<[string, string]>([
  ['resource "a" "b" {\n', 'line 1: the block "resource" has no end. Write a closing brace.'],
  ['\na = "b\n"', "line 2: a string has no end. Write a quotation mark."],
  ["a = <<EOT\nEOT x", "line 1: a heredoc has no end. Write a line with EOT."],
  ["/*/", "line 1: a comment has no end. Write */ after it."],
  ['a = "${', "line 1: a template has no end. Write a closing brace."],
  ["a = [\n1", "line 1: a bracket has no end. Close it."],
  ["} {", "line 1: a block or an attribute must be here."],
  ["a =\nb = 1", "line 1: a value must be here."],
  ["a = 1\na = 2", "line 2: a is there twice. Remove one."],
  ['resource "a"\n{}', 'line 1: "resource" needs "=" and a value, or an opening brace of a block on the same line.'],
  ['resource "${a}" {}', 'line 1: "resource" needs "=" and a value, or an opening brace of a block on the same line.'],
  [`a = ${"[".repeat(100_000)}`, `line 1: it is nested more than ${deepest} levels deep.`],
  ["a {\n".repeat(100_000), `line 101: it is nested more than ${deepest} levels deep.`],
  [`a = ${'"${'.repeat(100_000)}`, `line 1: it is nested more than ${deepest} levels deep.`],
])("refuses %.40j, which Terraform refuses too", (text, message) => {
  expect(() => readHcl(text)).toThrow(Unreadable);
  expect(() => readHcl(text)).toThrow(message);
});

test.each([
  ["many blocks", () => readHcl(`a "b" {\n  c = ["x", local.y]\n}\n`.repeat(60_000))],
  ["a list", () => readHcl(`a = [${'"auth0|0123456789abcdef", '.repeat(400_000)}]`)],
  ["a comment", () => readHcl(`/*${"*".repeat(10_000_000)}*/`)],
  ["JSON", () => readJson(`{"locals": {"a": [${'"auth0|0123456789abcdef",'.repeat(400_000)} ""]}}`)],
])("reads megabytes of %s", (_, read) => expect(read()).toBeDefined());

test("keeps adjoining line comments together", () => {
  const source = '\uFEFF# one\n# two {\n\n  // three\r\na = "# no" # four\n/* # no */';
  expect(commentsOf(source)).toEqual([
    { line: 1, text: " one\n two {" },
    { line: 4, text: " three\n four" },
  ]);
});

test("ends on any text", () => {
  const parts = ['"', "{", "}", "${", "%{", "<<E\n", "E\n", "/*", "*/", "#", "\n", "a", "=", "[", "]", ",", "\\", " "];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 40 }), (chosen) => {
      try {
        expect(readHcl(chosen.join("")).blocks).toBeInstanceOf(Array);
      } catch (error) {
        expect(error).toBeInstanceOf(Unreadable);
      }
    }),
    { numRuns: 2_000 },
  );
});

const json = (...lines: string[]) => shown(readJson(lines.join("\n")));

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
  expect(readJson(`{"resource": {"a": {"b": ${body}}}}`)[0]!.origin).toBe("main.ts:4");
});

test("reads every provider block of a list in JSON", () => {
  const [one, other] = readJson(
    '\uFEFF{"provider": {"tenant": [{"alias": "${x}"}, {"alias": "eu",\r\n"dynamic": {"protected_requests": {}}}]}}',
  );
  expect([textOf(one!.attributes.get("alias")), one!.blocks]).toEqual([undefined, []]);
  expect([textOf(other!.attributes.get("alias")), other!.blocks[0]!.labels]).toEqual(["eu", ["protected_requests"]]);
});

test("takes a text of JSON with a template, or with an escape of one, for an expression", () => {
  const [block] = readJson('{"locals": {"a": "${b}", "c": "$${b}", "d": ["e", 1, null]}}');
  const values = [...block!.attributes].map(([name, value]) => [name, plainOf(value, ({ text }) => `<${text}>`)]);
  expect(values).toEqual([
    ["a", "<${b}>"],
    ["c", "<$${b}>"],
    ["d", ["e", 1, null]],
  ]);
});

test("reads quotes and backslashes in names, and ends on a string without an end", () => {
  expect(json('{"resource": {"a": {"b\\"\\\\": {},', '"c": {}}}}')).toEqual(['resource.a.b"\\:1', "resource.a.c:2"]);
  expect(() => json(`{"${"a\\".repeat(100_000)}`)).toThrow("line 1: a string has no end.");
});

test.each([
  "",
  "{",
  '{"a": 1',
  '{"a" 1}',
  "{} {}",
  '{"a": "\n"}',
  "nul l",
  '{"a": "\\x"}',
  '{"a": 01}',
  "[".repeat(200),
])("refuses %.40j, which is not JSON", (text) => expect(() => readJson(text)).toThrow(Unreadable));
