/** Runs the built command with wrong arguments. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { run } from "../../support/program";

const cli = path.join(__dirname, "../../../dist/cli.js");
const page = (anchor: string) => `/main/docs/guides/cli.md#${anchor}\n`;

test.each([
  [["review", "--fromat", "json"], "(Did you mean --format?)", "tenantform review --help", "tenantform-review"],
  [["adopt"], "missing required argument 'directory'", "tenantform adopt --help", "tenantform-adopt"],
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
  expect([...all.matchAll(/^(\S.*):$/gm)].map(([, title]) => title)).toEqual([
    "Options",
    "Start",
    "Review",
    "Provider",
    "Try",
    "Examples",
  ]);
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
