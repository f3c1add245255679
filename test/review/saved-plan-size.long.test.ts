/** Refuses saved plans that inflate too far, before Terraform starts and inflates them in memory. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { craft, zeros, type Part } from "../archive/support/zip";
import { run, succeed } from "../support/program";

const cli = path.join(__dirname, "../../dist/cli.js");
const mega = 1024 * 1024;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-test-"));
  const script = `#!/bin/sh\n[ "$1" = version ] && exec echo Terraform v1.11.4\ntouch started\ncat shown.json\n`;
  await writeFile(path.join(folder, "terraform"), script, { mode: 0o755 });
  await writeFile(path.join(folder, "shown.json"), '{"format_version":"1.2","resource_changes":[],"complete":true}');
});
afterEach(() => rm(folder, { recursive: true }));

/** Whether Terraform was started to show the plan, and the output of the command. */
async function reviewed(plan: Buffer, command = "review") {
  await writeFile(path.join(folder, "saved"), plan);
  const env = { TENANTFORM_TERRAFORM: path.join(folder, "terraform") };
  const { code, stdout, stderr } = await run(process.execPath, [cli, command, "saved"], { cwd: folder, env });
  return { started: existsSync(path.join(folder, "started")), code, stdout, stderr };
}

const goes = { name: "tfplan", content: "plan", flags: 8 };

test("passes a plan with true sizes to Terraform", async () => {
  const plan = craft([goes, { name: ".terraform.lock.hcl", content: "", flags: 8 }]);
  expect(await reviewed(plan)).toMatchObject({ started: true, code: 0, stderr: "" });
});

test("passes a truncated plan to Terraform, which reports the error", async () => {
  expect(await reviewed(craft([goes]).subarray(0, -30))).toMatchObject({ started: true });
});

const bombs: [string, readonly Part[], RegExp][] = [
  [
    "with an entry of 300 MB",
    [goes, zeros(300 * mega)],
    /inflate to 314572804 bytes, and 134217728 are allowed at most/,
  ],
  [
    "with many entries that are large together",
    [1, 2, 3, 4].map((index) => ({ ...zeros(40 * mega), name: `tfconfig/${index}` })),
    /inflate to 167772160 bytes/,
  ],
  [
    "that declares less than it holds",
    [goes, { ...zeros(300 * mega), size: 10 }],
    /"zeros" does not match the directory/,
  ],
  ["with two plans in it", [goes, goes], /entry "tfplan" appears twice/],
];

test.each(bombs)("refuses a plan in one line %s", async (_, parts, why) => {
  const plan = craft(parts);
  expect(plan.length).toBeLessThan(mega);
  for (const command of ["review", "explain"]) {
    const { started, code, stdout, stderr } = await reviewed(plan, command);
    expect({ started, code, stdout }).toEqual({ started: false, code: 2, stdout: "" });
    expect(stderr).toMatch(/^saved is not a saved plan that Terraform wrote: .*\. Create the plan again with .*\n$/);
    expect(stderr).toMatch(why);
  }
});

test("reads a plan that Terraform itself wrote", async () => {
  const file = path.join(folder, "main.tf");
  await writeFile(file, 'resource "terraform_data" "a" {\n  input = "x"\n}\n');
  for (const args of [["init"], ["plan", "-out=saved"]]) await succeed("terraform", args, { cwd: folder });
  const { code, stdout, stderr } = await run(process.execPath, [cli, "review", "saved"], { cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).not.toBe("");
  expect((await readFile(path.join(folder, "saved"))).subarray(0, 2).toString()).toBe("PK");
});
