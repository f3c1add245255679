/** The subcommand of Terraform, read from a command line. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { buildSync } from "esbuild";
import { commandIn } from "../../src/plugin/command";

test.each<[string, string | undefined]>([
  ["terraform plan", "plan"],
  ["terraform -chdir=stacks/a plan -out=plan", "plan"],
  ["/usr/bin/tofu apply -parallelism=1", "apply"],
  ["terraform -help", undefined],
  ["terraform", undefined],
  ["", undefined],
])("%s", (line, command) => {
  expect(commandIn(line.split(" "))).toBe(command);
});

test("comes from the parent process", () => {
  const entryPoints = [path.join(__dirname, "../../src/plugin/command.ts")];
  const { outputFiles } = buildSync({ entryPoints, bundle: true, platform: "node", format: "cjs", write: false });
  const child = `${outputFiles[0]!.text}\nconsole.log(module.exports.terraformCommand());`;
  const parent =
    "process.stdout.write(require('node:child_process').execFileSync(process.execPath, ['-e', process.argv[1]]))";
  const { stdout } = spawnSync(process.execPath, ["-e", parent, child, "--", "plan"], { encoding: "utf8" });
  expect(stdout).toMatch(/^\w+\n$/);
  expect(stdout).not.toBe("undefined\n");
});
