/** Runs the built command with wrong arguments. */
import path from "node:path";
import { run } from "../support/program";

const cli = path.join(__dirname, "../../dist/cli.js");
const page = (anchor: string) => `/main/docs/guides/messages.md#${anchor}\n`;

test.each([
  [["review", "--fromat", "json"], "(Did you mean --format?)", "tenantform review --help", "tenantform-review"],
  [["adopt"], "missing required argument 'directory'", "tenantform adopt --help", "tenantform-adopt"],
  [["compare", "one"], "missing required argument 'second'", "tenantform compare --help", "tenantform-compare"],
  [["reviw\u001b[31m"], "unknown command 'reviw\\u001b[31m'", "tenantform --help", "commands"],
])("the error of %p names the help of the command, and ends with the link to its page", async (...row) => {
  const [args, words, help, anchor] = row;
  const { code, stdout, stderr } = await run(process.execPath, [cli, ...args], { cwd: __dirname });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(words);
  expect(stderr).toContain(help);
  expect(stderr.endsWith(page(anchor))).toBe(true);
});
