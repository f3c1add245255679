/** Reads the subcommand of Terraform and its parallelism from a command line. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { buildSync } from "esbuild";
import { commandIn } from "../../src/plugin/command";

test.each<[string, object]>([
  ["terraform plan", { name: "plan", parallelism: 10 }],
  ["terraform -chdir=stacks/a plan -out=plan", { name: "plan", parallelism: 10 }],
  ["/usr/bin/tofu apply -parallelism=1", { name: "apply", parallelism: 1 }],
  ["terraform apply --parallelism=3 -auto-approve", { name: "apply", parallelism: 3 }],
  ["terraform apply -parallelism 2", { name: "apply", parallelism: 2 }],
  ["terraform apply -parallelism=4 -parallelism=5", { name: "apply", parallelism: 5 }],
  ["terraform apply -parallelism", { name: "apply", parallelism: 10 }],
  ["terraform apply -parallelism=many", { name: "apply", parallelism: 10 }],
  ["terraform apply -parallelism=0", { name: "apply", parallelism: 10 }],
  ["terraform apply -var=parallelism=1 plan", { name: "apply", parallelism: 10 }],
  ["terraform -help", {}],
  ["terraform", {}],
  ["", {}],
])("%s", (line, command) => {
  expect(commandIn(line.split(" "))).toEqual(command);
});

test("the command line overrides the environment, and the variable of a subcommand overrides the general one", () => {
  const environment = { TF_CLI_ARGS: "-no-color -parallelism=3", TF_CLI_ARGS_plan: "-parallelism=2" };
  expect(commandIn(["terraform", "plan", "-parallelism=1"], environment).parallelism).toBe(1);
  expect(commandIn(["terraform", "plan"], environment).parallelism).toBe(2);
  expect(commandIn(["terraform", "apply"], environment).parallelism).toBe(3);
});

test("reads the command line of the parent process", () => {
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
