/** Reads the subcommand of Terraform and its parallelism from a command line. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { buildSync } from "esbuild";
import { commandIn, sendsCalls } from "../../src/plugin/command";

test.each<[string, object]>([
  ["terraform plan", { name: "plan", parallelism: 10 }],
  ["terraform -chdir=stacks/a plan -out=plan", { name: "plan", parallelism: 10 }],
  ["/usr/bin/tofu apply -parallelism=1", { name: "apply", parallelism: 1 }],
  ["terraform apply --parallelism=3 -auto-approve", { name: "apply", parallelism: 3 }],
  ["terraform apply -parallelism 2", { name: "apply", parallelism: 2, planFile: "2" }],
  ["terraform apply -parallelism=4 -parallelism=5", { name: "apply", parallelism: 5 }],
  ["terraform apply -parallelism", { name: "apply", parallelism: 10 }],
  ["terraform apply -parallelism=many", { name: "apply", parallelism: 10 }],
  ["terraform apply -parallelism=0", { name: "apply", parallelism: 10 }],
  ["terraform apply -var=parallelism=1 plan", { name: "apply", parallelism: 10, planFile: "plan" }],
  [
    "terraform -chdir=a apply -input=false my.tfplan -no-color",
    { name: "apply", parallelism: 10, planFile: "my.tfplan" },
  ],
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

test.each<[boolean, string, NodeJS.ProcessEnv?]>([
  [true, "terraform apply"],
  [true, "tofu -chdir=a apply -auto-approve saved.tfplan"],
  [false, "terraform apply -destroy"],
  [false, "terraform apply -refresh=false"],
  [false, "terraform apply --refresh=false"],
  [true, "terraform apply -refresh-only"],
  [false, "terraform apply", { TF_CLI_ARGS: "-no-color -refresh=false" }],
  [false, "terraform apply", { TF_CLI_ARGS_apply: "-destroy" }],
  [false, "terraform plan"],
  [false, "terraform destroy"],
  [false, ""],
])("%s for a run that is certain to send API calls: %s", (sends, line, environment = {}) => {
  expect(sendsCalls(line.split(" "), environment)).toBe(sends);
});

/** Runs a script in a child of a process with this command line. */
function inChild(script: string, ...args: string[]): string {
  const entryPoints = [path.join(__dirname, "../../src/plugin/command.ts")];
  const { outputFiles } = buildSync({ entryPoints, bundle: true, platform: "node", format: "cjs", write: false });
  const child = `${outputFiles[0]!.text}\n${script}`;
  const parent =
    "process.stdout.write(require('node:child_process').execFileSync(process.execPath, ['-e', process.argv[1]]))";
  return spawnSync(process.execPath, ["-e", parent, child, "--", ...args], { encoding: "utf8" }).stdout;
}

test("reads the command line of the parent process", () => {
  const stdout = inChild("console.log(JSON.stringify(module.exports.terraformCommand()));", "plan", "-parallelism=7");
  expect(JSON.parse(stdout)).toMatchObject({ parallelism: 7 });
});

test("identifies the parent process by its id and its start, and not on Windows", () => {
  const script = `
    const read = (platform) => {
      Object.defineProperty(process, "platform", { value: platform });
      return module.exports.parentProcess();
    };
    console.log(JSON.stringify({ ppid: process.ppid, found: ["linux", "linux", "darwin", "win32"].map(read) }));`;
  const { ppid, found } = JSON.parse(inChild(script)) as { ppid: number; found: string[] };
  expect(found).toEqual([
    expect.stringMatching(new RegExp(`^${ppid} \\d+$`)),
    found[0],
    expect.stringMatching(new RegExp(`^${ppid} .*\\d\\d:\\d\\d:\\d\\d`)),
    null,
  ]);
});
