/** The built command with wrong arguments; which Terraform the tests use, and how its output is read. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Message, noTerraform, run as runTerraform, terraforms } from "../../src/terraform";
import { newFolder } from "../support/folder";
import { run } from "../support/program";

const cli = path.join(__dirname, "../../dist/cli.js");
const page = (anchor: string) => `/main/docs/guides/cli.md#${anchor}\n`;

test.each([
  [["review", "--fromat", "json"], "(Did you mean --format?)", "tenantform review --help", "tenantform-review"],
  [["adopt"], "missing required argument 'directory'", "tenantform adopt --help", "tenantform-adopt"],
  [["review", "p", "--tag", ""], "'--tag <name>' is empty", "tenantform review --help", "tenantform-review"],
  [["init", " "], "an argument of 'init' is empty", "tenantform init --help", "tenantform-init"],
  [["explain", "p", "--ip", "::1", "--ip", "::2"], "is given twice", "tenantform explain --help", "tenantform-explain"],
  [["reviw\u001b[31m"], "unknown command 'reviw\\u001b[31m'", "tenantform --help", "commands"],
])("the error of %p names the help of the command, and ends with the link to its page", async (...row) => {
  const [args, words, help, anchor] = row;
  const { code, stdout, stderr } = await run(process.execPath, [cli, ...args], { cwd: __dirname });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(words);
  expect(stderr).toContain(help);
  expect(stderr.endsWith(page(anchor))).toBe(true);
});

const helpOf = async (...args: string[]) =>
  (await run(process.execPath, [cli, ...args, "--help"], { cwd: __dirname })).stdout;

test("the help has groups and examples, fits into 80 columns, and names the exit codes of its own command only", async () => {
  const all = await helpOf();
  const titles = [...all.matchAll(/^(\S.*):$/gm)].map(([, title]) => title);
  expect(titles).toEqual(["Options", "Start", "Review", "Provider", "Try", "Examples"]);
  const commands = [...all.matchAll(/^  ([a-z]+) {3,}/gm)].map(([, name]) => name!);
  expect(commands).toHaveLength(7);
  const codes: Record<string, string> = {};
  for (const command of commands) {
    const help = await helpOf(command);
    expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
    codes[command] = [...help.split("Exit codes:")[1]!.matchAll(/^  (\d):/gm)].map(([, code]) => code).join(" ");
  }
  expect(all.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(codes).toEqual({
    ...Object.fromEntries(commands.map((command) => [command, "0 2"])),
    ...Object.fromEntries(["adopt"].map((command) => [command, "0 1 2"])),
    review: "0 2 3 4",
  });
});

test.each([
  ["review", "--rules", "list"],
  ["review", "--help"],
  ["review", "missing.json"],
])("%s %s is silent if nobody reads its output", async (...args) => {
  const child = spawn(process.execPath, [cli, ...args], { cwd: __dirname });
  child.stdout.destroy();
  let said = "";
  child.stderr.on("data", (part: Buffer) => (said += part.toString()));
  const [code] = (await once(child, "close")) as [number];
  expect([code, said]).toEqual(
    args.includes("missing.json") ? [2, expect.stringContaining("does not exist")] : [0, ""],
  );
});

describe("Terraform", () => {
  let folder: string;
  beforeEach(() => void (folder = newFolder()));

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
    const ended = await runTerraform(session, ["plan"], (message) => messages.push(message));
    expect(ended).toEqual({ code: 3, output: "{ broken\nplain\n", errors: "trouble\n" });
    expect(messages).toEqual([{ type: "version" }]);
    expect((await runTerraform(session, ["show"])).output).toBe('{"type":"version"}\n{ broken\nplain\n');
  });
});
