/** Texts of any kind that Terraform reads from HCL and from programs. */
import fc from "../../support/random";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import vm from "node:vm";
import * as cdktf from "cdktf";
import * as cdktn from "cdktn";
import { hclText as hcl, programText as typescript } from "../../../src/commands/adopt/escape";
import { newFolder } from "../../support/folder";
import { succeed } from "../../support/program";
import { bounded } from "../../support/bounded";

const chosen = [
  "",
  'say "no"',
  "it's",
  `"it's"`,
  "${var.x} and %{if true}",
  "$${ $$${ %%{ %%%{ $%{ %${ $ % { }",
  "a\\b \\n \\u0041 \\",
  "two\nlines\r\n\tand a tab",
  "\rafter a return: -8.109562212591379e+298 $${x} $$${x} TfToken[ %%%{x",
  "\r\r\n-9e999 $\r %%\r",
  "東京 Ελλάδα عربي café cafe\u0301 🚀 👩‍👩‍👧",
  "\u202eright to left\u2069 \ufeff \u2028 \u0007 \u007f",
  "\ufeffa byte order mark first",
  "\ufeff",
  "\ufeff\ufeff${x}",
  "# no comment // none /* either */ <<EOT",
  "`${x}`",
  "${TfToken[TOKEN.0]} #{TfToken[TOKEN.0]} &{TfToken[TOKEN.0]} $${TfToken[TOKEN.1]} TfToken[",
  "String Map Token Value",
  "Any Map Token Value",
  "-8.109562212591379e+298 and -1.8881545897087503e+289, but 3e5",
  '*/ } EOT ${file("/etc/passwd")} %{ for x in y }~}',
];
const unit = fc.oneof(
  fc.constantFrom("$", "%", "{", "}", "\\", '"', "'", "\n", "\r", "$", "-e1", "{", "~", "`"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
);
const texts = [
  ...chosen,
  ...fc.sample(fc.string({ unit, maxLength: 12 }), { numRuns: 800, seed: 7 }),
  ...fc.sample(fc.string({ unit: "binary", maxLength: 12 }), { numRuns: 200, seed: 7 }),
].filter((text) => !/\p{Cs}/u.test(text));

/** The JSON that the constructs write for Terraform. Every text in it is a template, and both engines read references from it. */
function synthesized(name: string, values: readonly string[]): string {
  const [one, other] = [cdktf, cdktn].map((host) => {
    const { App, TerraformLocal, TerraformStack, Testing } = host as typeof cdktf;
    const stack = new TerraformStack(Testing.stubVersion(new App({ stackTraces: false })), "stack");
    // A reference that exists, which a text must not become.
    const local = new TerraformLocal(stack, name, values);
    expect(local.expression).toBeDefined();
    return Testing.synth(stack);
  });
  expect(other).toEqual(one);
  return one!;
}

test("Terraform reads every text unchanged from HCL and TypeScript", async () => {
  const directory = newFolder();
  await writeFile(
    path.join(directory, "hcl.tf"),
    `locals {\n  hcl = [\n${texts.map((text) => `    ${hcl(text)},\n`).join("")}  ]\n}\n`,
  );
  const evaluated = texts.map((text) => vm.runInNewContext(typescript(text)) as string);
  await writeFile(path.join(directory, "typescript.tf.json"), synthesized("typescript", evaluated));
  await writeFile(path.join(directory, "main.tf"), 'output "all" {\n  value = [local.hcl, local.typescript]\n}\n');
  await succeed("terraform", ["apply", "-auto-approve", "-no-color"], { cwd: directory });
  const all = JSON.parse(await succeed("terraform", ["output", "-json", "all"], { cwd: directory })) as string[][];
  // Terraform normalizes every text, including the texts of the service.
  const expected = texts.map((text) => text.normalize("NFC"));
  expect(all).toEqual([expected, expected]);
});

test("escapes invisible characters and characters that change the direction of text", () => {
  for (const quoted of [hcl, typescript]) {
    expect(quoted("a\u202eb\u200b\u0007")).toMatch(/^"a\\u[{]?202e[}]?b\\u[{]?200b[}]?\\u0007"$/);
  }
});

test("keeps a text that only resembles a number as it is", () => {
  for (const text of ["allow-e2e-tests", "3e5", "-1e9", "v1.e+"]) expect(typescript(text)).toBe(`"${text}"`);
});

test.each(["1", "$", "%", "|", "e1", "TfToken["])("writes half a million characters in linear time: %j", (part) => {
  const text = part.repeat(500_000 / part.length);
  expect(() => bounded(() => [typescript(text), hcl(text)])).not.toThrow();
});
