/** Texts of any kind, as Terraform reads them from what either writer makes of them. */
import fc from "fast-check";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import vm from "node:vm";
import { quoted as hcl } from "../../src/adopt/hcl";
import { quoted as typescript } from "../../src/adopt/typescript";
import { succeed } from "../support/program";

const chosen = [
  "",
  'say "no"',
  "it's",
  `"it's"`,
  "${var.x} and %{if true}",
  "$${ $$${ %%{ %%%{ $%{ %${ $ % { }",
  "a\\b \\n \\u0041 \\",
  "two\nlines\r\n\tand a tab",
  "東京 Ελλάδα عربي café cafe\u0301 🚀 👩‍👩‍👧",
  "\u202eright to left\u2069 \ufeff \u2028 \u0007 \u007f",
  "# no comment // none /* either */ <<EOT",
  "`${x}`",
];
const unit = fc.oneof(
  fc.constantFrom("$", "%", "{", "}", "\\", '"', "'", "\n", "$", "{", "~", "`"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
);
const texts = [
  ...chosen,
  ...fc.sample(fc.string({ unit, maxLength: 12 }), { numRuns: 400, seed: 7 }),
  ...fc.sample(fc.string({ unit: "binary", maxLength: 12 }), { numRuns: 200, seed: 7 }),
].filter((text) => !/\p{Cs}/u.test(text));

test("in HCL and in TypeScript they are what they were", async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), "tenantform-test-"));
  try {
    await writeFile(
      path.join(directory, "hcl.tf"),
      `locals {\n  hcl = [\n${texts.map((text) => `    ${hcl(text)},\n`).join("")}  ]\n}\n`,
    );
    // What the constructs hand to Terraform stands in JSON, where every text is a template.
    const evaluated = texts.map((text) => vm.runInNewContext(typescript(text)) as string);
    await writeFile(path.join(directory, "typescript.tf.json"), JSON.stringify({ locals: { typescript: evaluated } }));
    await writeFile(path.join(directory, "main.tf"), 'output "all" {\n  value = [local.hcl, local.typescript]\n}\n');
    await succeed("terraform", ["apply", "-auto-approve", "-no-color"], { cwd: directory });
    const [one, other] = JSON.parse(
      await succeed("terraform", ["output", "-json", "all"], { cwd: directory }),
    ) as string[][];
    // Terraform brings every text into this form, and so does it with what the service tells.
    const expected = texts.map((text) => text.normalize("NFC"));
    expect(one).toEqual(expected);
    expect(other).toEqual(expected);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test("what cannot be seen, or would turn the direction of writing, is written out", () => {
  for (const quoted of [hcl, typescript]) {
    expect(quoted("a\u202eb\u200b\u0007")).toMatch(/^"a\\u[{]?202e[}]?b\\u[{]?200b[}]?\\u0007"$/);
  }
});
