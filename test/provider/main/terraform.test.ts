/** Which Terraform the tests use, and how its output is read. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { noTerraform, run, terraforms, type Message } from "../../../src/terraform";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-test-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Programs by name, with their behaviour. */
function programs(scripts: Readonly<Record<string, string>>): void {
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
}

async function found(variables: NodeJS.ProcessEnv = {}, directory?: string): Promise<string[]> {
  const all: string[] = [];
  for await (const { name } of terraforms({ PATH: folder, ...variables }, directory)) all.push(name);
  return all;
}

test("chooses Terraform or OpenTofu if it prints its version, unlike a version manager without a version", async () => {
  expect(await found()).toEqual([]);
  programs({ terraform: '[ "$1" = version ]', tofu: "exit 0" });
  expect(await found()).toEqual(["terraform", "tofu"]);
  programs({ terraform: "echo No version is set >&2; exit 126" });
  expect(await found()).toEqual(["tofu"]);
});

test("lets the working directory choose the version", async () => {
  const stack = path.join(folder, "stack");
  mkdirSync(stack);
  writeFileSync(path.join(stack, ".terraform-version"), "1.11.4");
  programs({ terraform: "[ -f .terraform-version ]" });
  expect([await found({}, folder), await found({}, stack)]).toEqual([[], ["terraform"]]);
  // No program can run inside a file.
  expect(await found({}, path.join(stack, ".terraform-version"))).toEqual([]);
});

test("uses only the named program, and prefers the variable of this package", async () => {
  programs({ terraform: "exit 0", one: "exit 0", other: "exit 0", broken: "exit 1" });
  expect(await found({ TERRAFORM_BINARY_NAME: "one" })).toEqual(["one"]);
  expect(await found({ TERRAFORM_BINARY_NAME: "one", TENANTFORM_TERRAFORM: "other" })).toEqual(["other"]);
  expect(await found({ TERRAFORM_BINARY_NAME: "one", TENANTFORM_TERRAFORM: "" })).toEqual(["one"]);
  expect(await found({ TERRAFORM_BINARY_NAME: "broken" })).toEqual([]);
  expect(noTerraform({ TERRAFORM_BINARY_NAME: "broken" })).toMatch(/^broken does not print its version\. /);
  expect(noTerraform({})).toBe("Neither terraform nor tofu on the PATH prints its version.");
});

test("reads messages, and treats other lines as output, even if they begin like a message", async () => {
  programs({ terraform: `echo '{"type":"version"}'; echo '{ broken'; echo plain; echo trouble >&2; exit 3` });
  const messages: Message[] = [];
  const session = { program: path.join(folder, "terraform"), directory: folder, env: {} };
  const ended = await run(session, ["plan"], (message) => messages.push(message));
  expect(ended).toEqual({ code: 3, output: "{ broken\nplain\n", errors: "trouble\n" });
  expect(messages).toEqual([{ type: "version" }]);
  expect((await run(session, ["show"])).output).toBe('{"type":"version"}\n{ broken\nplain\n');
});
