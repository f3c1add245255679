/** Says that a configuration changed after its plan was made. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { craft } from "../archive/support/zip";
import { run, succeed } from "../support/program";

const cli = path.join(__dirname, "../../dist/cli.js");

let folder: string;
beforeEach(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-outdated-"))));
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, text: string) => writeFile(path.join(folder, name), text);

async function review(env: NodeJS.ProcessEnv, args: readonly string[] = ["review", "plan"]) {
  const { code, stdout, stderr } = await run(process.execPath, [cli, ...args], { cwd: folder, env });
  return { code, text: stdout + stderr };
}

test("a plan of Terraform is out of date after an edit, and not before", async () => {
  await write("main.tf", 'resource "terraform_data" "one" {}\n');
  await succeed("terraform", ["init"], { cwd: folder });
  await succeed("terraform", ["plan", "-out=plan"], { cwd: folder });
  expect((await review({})).text).not.toContain("out of date");
  await write("main.tf", 'resource "terraform_data" "two" {}\n');
  const { code, text } = await review({}, ["review", "plan", "--fail-on", "medium"]);
  expect([code, text]).toEqual([
    3,
    expect.stringContaining("The plan is out of date: main.tf changed after it was made."),
  ]);
  expect(text).toContain("TNF-PLAN-OUTDATED");
});

const own = 'terraform {\n  backend "local" {\n    path = "own.tfstate"\n  }\n}\n';

test.each<[string, string, string | undefined]>([
  ["terraform.tfstate", "", undefined],
  ["own.tfstate", own, undefined],
  ["terraform.tfstate", "", "other"],
])("a plan that was applied already is named as such, with the state %s", async (name, config, workspace) => {
  const applied = "The plan was applied already, or another apply came first: ";
  await write("main.tf", `${config}resource "terraform_data" "one" {}\n`);
  await succeed("terraform", ["init"], { cwd: folder });
  if (workspace !== undefined) await succeed("terraform", ["workspace", "new", workspace], { cwd: folder });
  await succeed("terraform", ["plan", "-out=plan"], { cwd: folder });
  expect((await review({})).text).not.toContain(applied);
  await succeed("terraform", ["apply", "plan"], { cwd: folder });
  expect((await review({})).text).toContain(`${applied}${name} has serial 1, and the plan is for serial 0`);
  await succeed("terraform", ["plan", "-destroy", "-out=plan"], { cwd: folder });
  expect((await review({})).text).not.toContain(applied);
  await succeed("terraform", ["apply", "plan"], { cwd: folder });
  expect((await review({})).text).toContain(`${applied}${name} has serial`);
});

test("a plan for another workspace is not compared with the state of this one", async () => {
  await write("main.tf", 'resource "terraform_data" "one" {}\n');
  await succeed("terraform", ["init"], { cwd: folder });
  await succeed("terraform", ["apply", "-auto-approve"], { cwd: folder });
  const env = { ...process.env, TF_WORKSPACE: "other" };
  await succeed("terraform", ["plan", "-out=plan"], { cwd: folder, env });
  expect((await review({})).text).not.toContain("applied already");
});

describe("a plan with main.tf and more.tf", () => {
  beforeEach(async () => {
    await mkdir(path.join(folder, "bin"));
    const script = '#!/bin/sh\n[ "$1" = version ] && exec echo Terraform v1.11.4\ncat "$(dirname "$0")/shown.json"\n';
    await writeFile(path.join(folder, "bin/terraform"), script, { mode: 0o755 });
    await write("bin/shown.json", '{"format_version":"1.2","resource_changes":[],"complete":true}');
    const files = { "tfconfig/m-/main.tf": "# one\n", "tfconfig/m-/more.tf": "# two\n", "tfconfig/m-sub/main.tf": "" };
    const parts = Object.entries({ tfplan: "plan", ...files }).map(([name, content]) => ({ name, content, flags: 8 }));
    await writeFile(path.join(folder, "plan"), craft(parts));
  });

  const reviewed = async (command = "review") => {
    const env = { TENANTFORM_TERRAFORM: path.join(folder, "bin/terraform") };
    return /out of date: (.*) changed/.exec((await review(env, [command, "plan"])).text)?.[1];
  };

  test.each<[string, Record<string, string>, string | undefined]>([
    ["the same files", { "main.tf": "# one\n", "more.tf": "# two\n" }, undefined],
    ["an edited file", { "main.tf": "# 1\n", "more.tf": "# two\n" }, "main.tf"],
    ["a deleted file", { "main.tf": "# one\n" }, "more.tf"],
    ["a new file", { "main.tf": "# one\n", "more.tf": "# two\n", "new.tf.json": "{}" }, "new.tf.json"],
    ["several changes", { "main.tf": "# 1\n", "new.tf": "", "other.tf": "" }, "main.tf and 3 more files"],
    [
      "files that Terraform ignores",
      { "main.tf": "# one\n", "more.tf": "# two\n", ".#x.tf": "", "a.tf~": "" },
      undefined,
    ],
    [
      "a file that OpenTofu reads instead",
      { "main.tf": "# one\n", "more.tf": "# two\n", "x.tf": "", "x.tofu": "" },
      undefined,
    ],
    ["no file of the plan, as in a folder for plans", { "other.tf": "" }, undefined],
  ])("next to %s", async (_what, files, named) => {
    for (const [name, text] of Object.entries(files)) await write(name, text);
    expect(await reviewed()).toBe(named);
    expect(await reviewed("explain")).toBe(named);
  });
});
