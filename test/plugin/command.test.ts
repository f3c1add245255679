/** What Terraform is doing, by its command line. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { buildSync } from "esbuild";
import { commandIn } from "../../src/plugin/command";

test.each<[string, string | undefined, number]>([
  ["terraform plan", "plan", 10],
  ["terraform -chdir=stacks/a plan -out=plan", "plan", 10],
  ["/usr/bin/tofu apply -parallelism=1", "apply", 1],
  ["terraform apply --parallelism=3 -auto-approve", "apply", 3],
  ["terraform apply -parallelism 2", "apply", 2],
  ["terraform apply -parallelism=4 -parallelism=5", "apply", 5],
  ["terraform apply -parallelism", "apply", 10],
  ["terraform apply -parallelism=many", "apply", 10],
  ["terraform apply -parallelism=0", "apply", 10],
  ["terraform apply -var=parallelism=1 plan", "apply", 10],
  ["terraform", undefined, 10],
  ["", undefined, 10],
])("%s", (line, name, parallelism) => {
  expect(commandIn(line.split(" "))).toEqual({ name, parallelism });
});

test("arguments from the environment count where the command line is silent, those of its own command last", () => {
  const environment = { TF_CLI_ARGS: "-no-color -parallelism=3", TF_CLI_ARGS_plan: "-parallelism=2" };
  expect(commandIn(["terraform", "plan", "-parallelism=1"], environment).parallelism).toBe(1);
  expect(commandIn(["terraform", "plan"], environment).parallelism).toBe(2);
  expect(commandIn(["terraform", "apply"], environment).parallelism).toBe(3);
});

test("the command line of the process above is read", () => {
  const entryPoints = [path.join(__dirname, "../../src/plugin/command.ts")];
  const { outputFiles } = buildSync({ entryPoints, bundle: true, platform: "node", format: "cjs", write: false });
  const child = `${outputFiles[0]!.text}\nconsole.log(JSON.stringify(module.exports.terraformCommand()));`;
  const parent =
    "process.stdout.write(require('node:child_process').execFileSync(process.execPath, ['-e', process.argv[1]]))";
  const { stdout } = spawnSync(process.execPath, ["-e", parent, child, "--", "plan", "-parallelism=7"], {
    encoding: "utf8",
  });
  expect(JSON.parse(stdout)).toMatchObject({ parallelism: 7 });
});
