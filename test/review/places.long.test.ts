/** Finds file and line of each resource in the configuration that real Terraform planned. */
import { execFileSync } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { parsePlan } from "../../src/review/input/plan";
import { withPlaces } from "../../src/review/input/places";
import { fromRoot, shownFile } from "../../src/review/input/root";
import { run } from "../support/program";
import { openWorkspace, type Workspace } from "../support/workspace";

const cli = path.join(__dirname, "../../dist/cli.js");

let workspace: Workspace;
beforeEach(async () => (workspace = await openWorkspace()));

const at = (...names: string[]) => path.join(workspace.directory, ...names);

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(at(file)), { recursive: true });
    await writeFile(at(file), text);
  }
}

const providers = 'terraform {\n  required_providers {\n    tenant = { source = "tenantform/tenant" }\n  }\n}\n';
const variable = 'variable "priority" {}\n';

/** The rest of a resource block after its first line. */
const network = (priority: number | string, more = "") =>
  `  description = "Any"\n  priority = ${priority}\n${more}` +
  '  rule {\n    action { block = true }\n    match { asns = [64500] }\n    scope = "tenant"\n  }\n}\n';
const one = `resource "tenant_network_acl" "one" {\n${network(1)}`;

/** Plans the configuration in the folder, and writes the plan as JSON. */
async function plan(folder: string, file: string): Promise<void> {
  for (const args of [["init"], ["plan", "-out=saved"]]) {
    const { code, stdout, stderr } = await workspace.terraform(`-chdir=${folder}`, ...args);
    if (code !== 0) throw new Error(stdout + stderr);
  }
  await put({ [file]: (await workspace.terraform(`-chdir=${folder}`, "show", "-json", "saved")).stdout });
}

/** Address -> `file:line`, with names relative to the folder of the test. */
async function places(file: string, folders: readonly string[]): Promise<Record<string, string>> {
  const read = parsePlan(await readFile(at(file), "utf8"), file);
  const { places: found = [] } = withPlaces(read, folders, at("."));
  return Object.fromEntries([...found].map(([address, place]) => [address, `${place.file}:${place.line}`]));
}

test("finds resources with count and for_each, in modules, and behind the traps of the syntax", async () => {
  const traps =
    '# resource "tenant_network_acl" "one" {\n/*\nresource "tenant_network_acl" "one" {}\n*/\n' +
    'locals {\n  text = <<-EOT\n    resource "tenant_network_acl" "one" {\n    EOT\n}\n';
  const json = { description: "Any", priority: "${var.priority}", rule: { action: { block: true }, scope: "tenant" } };
  const four = { ...json, rule: { ...json.rule, match: { asns: [1] } } };
  await put({
    "stack/main.tf": `\uFEFF${providers}${traps}${one}`.replaceAll("\n", "\r\n"),
    "stack/ünï.tf": `resource tenant_network_acl two {\n${network("2 + count.index", "  count = 2\n")}`,
    "stack/calls.tf":
      'module "inner" {\n  source = "./modules/a"\n  for_each = { "x.y[\\"0\\"]" = 10 }\n  priority = each.value\n}\n' +
      'module "beside" {\n  source   = "../beside"\n  priority = 30\n}\n',
    "stack/modules/a/main.tf": `${providers}${variable}module "deep" {\n  source = "./deep"\n  priority = var.priority\n}\n`,
    "stack/modules/a/deep/acl.tf": `${providers}${variable}\nresource "tenant_network_acl" "three" {\n${network("each.value", '  for_each = { "a.b" = var.priority }\n')}`,
    "beside/main.tf": providers,
    "beside/acl.tf.json": `{\n"variable": {"priority": {}},\n"resource": {"tenant_network_acl": {\n"four": ${JSON.stringify(four)}}}}`,
  });
  await plan("stack", "stack/plan.json");
  const expected = {
    "tenant_network_acl.one": "stack/main.tf:15",
    "tenant_network_acl.two": "stack/ünï.tf:1",
    "module.inner.module.deep.tenant_network_acl.three": "stack/modules/a/deep/acl.tf:8",
    "module.beside.tenant_network_acl.four": "beside/acl.tf.json:4",
  };
  expect(await places("stack/plan.json", ["stack"])).toEqual(expected);
  // The plan is outside the configuration, which is the working directory.
  expect(await places("stack/plan.json", ["beside", "stack"])).toEqual(expected);
  expect(await places("stack/plan.json", ["beside", "."])).toEqual({});
});

test("names the call of a module that Terraform downloaded", async () => {
  await put({
    "module/main.tf": `${providers}${variable}resource "tenant_network_acl" "inner" {\n${network("var.priority")}`,
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: at("module") });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message=Add");
  await put({
    "stack/main.tf": `${providers}\nmodule "far" {\n  source = "git::file://${at("module")}"\n  priority = 4\n}\n`,
  });
  await plan("stack", "plan.json");
  expect(await places("plan.json", ["stack"])).toEqual({ "module.far.tenant_network_acl.inner": "stack/main.tf:7" });
});

test("leaves out a resource that two files declare, and ignores override files", async () => {
  await put({
    "stack/main.tf": providers + one,
    "stack/override.tf": 'resource "tenant_network_acl" "one" {\n  description = "Other"\n}\n',
    "stack/.hidden.tf": one,
  });
  await plan("stack", "plan.json");
  expect(await places("plan.json", ["stack"])).toEqual({ "tenant_network_acl.one": "stack/main.tf:6" });
  // OpenTofu reads this file in place of main.tf.
  await put({ "stack/main.tofu": one });
  expect(await places("plan.json", ["stack"])).toEqual({});
});

test("names the removed block of a resource that the configuration no longer has", async () => {
  const two = `resource "tenant_network_acl" "two" {\n${network(2)}`;
  const json = { removed: [{ from: "tenant_network_acl.three", lifecycle: { destroy: false } }] };
  await put({ "stack/main.tf": providers + one + two + two.replace('"two"', '"three"').replace("= 2", "= 3") });
  await plan("stack", "plan.json");
  const { code, stderr } = await workspace.terraform("-chdir=stack", "apply", "saved");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  await put({
    "stack/main.tf": `${providers}\nremoved {\n  from = tenant_network_acl.two\n  lifecycle {\n    destroy = true\n  }\n}\n${one}`,
    "stack/old.tf.json": JSON.stringify(json, undefined, 2),
  });
  await plan("stack", "plan.json");
  expect(await places("plan.json", ["stack"])).toEqual({
    "tenant_network_acl.one": "stack/main.tf:13",
    "tenant_network_acl.two": "stack/main.tf:7",
    "tenant_network_acl.three": "stack/old.tf.json:2",
  });
});

test("reads no pipe, no device and no file without an end, and finds the other files", async () => {
  await put({ "stack/main.tf": providers + one });
  await plan("stack", "plan.json");
  execFileSync("mkfifo", [at("stack/pipe.tf")]);
  await symlink("/dev/zero", at("stack/zero.tf"));
  await symlink(".", at("stack/folder.tf"));
  await put({ "stack/large.tf": one + " ".repeat(3 * 1024 * 1024), "stack/broken.tf": 'resource "a" {' });
  await put({ "stack/deep.tf.json": "[".repeat(1_000_000) });
  expect(await places("plan.json", ["stack"])).toEqual({ "tenant_network_acl.one": "stack/main.tf:6" });
});

test("takes the line of the program from a CDK stack only if the program has this file", async () => {
  const address = "tenant_network_acl.one";
  const plain = { configuration: { root_module: { resources: [{ address }] } } };
  await put({
    "app/plan.json": JSON.stringify({ format_version: "1.2", planned_values: {}, ...plain }),
    "app/src/main.ts": "",
    "outside.ts": "",
  });
  const found = async (origin: unknown, folder = "app/cdktf.out/stacks/edge") => {
    const comment = JSON.stringify({ metadata: {}, tenantform: { at: origin } });
    await put({ [`${folder}/cdk.tf.json`]: `{"resource": {"tenant_network_acl": {\n"one": {"//": ${comment}}}}}` });
    return (await places("app/plan.json", [folder]))[address];
  };
  expect(await found("src/main.ts:41")).toBe("app/src/main.ts:41");
  // Another output folder: the program is in the working directory.
  expect(await found("outside.ts:3", "out/stacks/edge")).toBe("outside.ts:3");
  const others = ["lost.ts:1", "src:1", "../outside.ts:1", "src/main.ts", "src/main.ts:0", "a\0b:1"];
  for (const origin of [...others, at("outside.ts:1"), 7])
    expect(await found(origin)).toBe("app/cdktf.out/stacks/edge/cdk.tf.json:2");
});

describe("the review", () => {
  const review = async (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) => {
    const { stdout, stderr } = await run(process.execPath, [cli, "review", ...args], { cwd: at(cwd), env });
    expect(stderr).toBe("");
    return stdout;
  };
  const sarifPlaces = (text: string) =>
    (JSON.parse(text) as { runs: { results: { locations: { physicalLocation: object }[] }[] }[] }).runs[0]!.results.map(
      ({ locations }) => locations[0]!.physicalLocation,
    );
  const placed = (uri: string) => ({ artifactLocation: { uri, uriBaseId: "%SRCROOT%" }, region: { startLine: 6 } });
  const guard = 'provider "tenant" {\n  lockout_guard = "warn"\n}\n';
  const everyone = one.replace("asns = [64500]", 'ipv4_cidrs = ["0.0.0.0/0"]') + guard;

  test("names files from the repository in SARIF, and from the workspace in annotations", async () => {
    await put({ "ws/repo/.git/HEAD": "", "ws/repo/infra/a, b: 100%.tf": providers + everyone });
    await plan("ws/repo/infra", "ws/repo/infra/plan.json");
    const location = placed("infra/a%2C%20b%3A%20100%25.tf");
    for (const cwd of ["ws/repo", "ws/repo/infra"]) {
      const file = path.relative(at(cwd), at("ws/repo/infra/plan.json"));
      const sarif = await review([file, "--format", "sarif"], cwd);
      expect(sarifPlaces(sarif)).toContainEqual(location);
    }
    const annotations = (env?: NodeJS.ProcessEnv) =>
      review(["plan.json", "--format", "annotations"], "ws/repo/infra", env);
    const named = (file: string) => expect.stringMatching(new RegExp(`^::error file=${file},line=6,title=TNF-`, "m"));
    expect(await annotations({ GITHUB_WORKSPACE: at("ws") })).toEqual(named("repo/infra/a%2C b%3A 100%25.tf"));
    for (const workspaceFolder of [at("ws/other"), ""]) {
      expect(await annotations({ GITHUB_WORKSPACE: workspaceFolder })).toEqual(named("infra/a%2C b%3A 100%25.tf"));
    }
  });

  test("cannot be given a command, markup or a control character in the name of a file", async () => {
    const name = "\u202ex\n::error::y\r%0A::`<img src=z>@me.tf";
    await put({ ".git/HEAD": "", [name]: providers + everyone });
    await plan(".", "plan.json");
    const annotations = await review(["plan.json", "--format", "annotations"], ".");
    const escaped = "\\u202ex\\n%3A%3Aerror%3A%3Ay\\u000d%250A%3A%3A`<img src=z>@me.tf";
    expect(annotations).toContain(`::error file=${escaped},line=6,title=TNF-ACL-LOCKOUT (critical)::`);
    const uri = "%E2%80%AEx%0A%3A%3Aerror%3A%3Ay%0D%250A%3A%3A%60%3Cimg%20src%3Dz%3E%40me.tf";
    expect(sarifPlaces(await review(["plan.json", "--format", "sarif"], "."))[0]).toEqual(placed(uri));
    for (const format of ["annotations", "text", "markdown", "html", "json", "sarif"]) {
      const text = await review(["plan.json", "--format", format], ".");
      expect(text).toMatch(/me\.tf/);
      expect(text).not.toMatch(/^\s*::error::y|\r|\u202e/m);
    }
    expect(await review(["plan.json", "--format", "html"], ".")).not.toContain("<img");
    const markdown = await review(["plan.json", "--format", "markdown"], ".");
    const outsideCode = markdown.replace(/(`+)(?!`).*?[^`]\1(?!`)/g, "");
    expect(outsideCode).not.toMatch(/<img|(?<!\u200b)@me/);
  });

  test("takes the working directory for a plan from standard input", async () => {
    await put({ ".git/HEAD": "", "stack/main.tf": providers + everyone });
    await plan("stack", "plan.json");
    const script = `cat ../plan.json | '${process.execPath}' '${cli}' review --format sarif`;
    const { stdout } = await run("sh", ["-c", script], { cwd: at("stack") });
    expect(sarifPlaces(stdout)).toContainEqual(placed("stack/main.tf"));
  });
});

describe("a dynamic block of protected requests, which the plan leaves out", () => {
  const dynamic =
    '  dynamic "protected_request" {\n    for_each = ["203.0.113.7"]\n    content { ip = protected_request.value }\n  }\n';
  const effects = async (...args: string[]) => {
    const all = [cli, "review", "plan.json", "--format", "json", ...args];
    const { stdout, stderr } = await run(process.execPath, all, { cwd: at("stack") });
    expect(stderr).toBe("");
    const { effects: found } = JSON.parse(stdout) as { effects: { code: string; level: string; text: string }[] };
    return found.filter(({ code }) => code === "TNF-GUARD-UNKNOWN").map(({ level, text }) => [level, text]);
  };
  const unknown = (key: string) => [
    "medium",
    expect.stringContaining(`The provider configuration ${key} has a dynamic block for \`protected_request\``),
  ];

  test("is found with an alias, in a module, and in JSON", async () => {
    const inner = `resource "tenant_network_acl" "two" {\n${network(2)}`;
    await put({
      "stack/main.tf": `${providers}${one}module "a" {\n  source = "./a"\n}\n`,
      "stack/alias.tf.json": JSON.stringify({
        provider: { tenant: [{}, { alias: "eu", dynamic: { protected_request: { for_each: [], content: {} } } }] },
      }),
      "stack/a/main.tf": `${providers}provider "tenant" {\n  alias = "us"\n${dynamic}}\n${inner.replace("rule", "provider = tenant.us\n  rule")}`,
    });
    await plan("stack", "stack/plan.json");
    expect(await effects()).toEqual([unknown("module.a:tenant.us"), unknown("tenant.eu")]);
  });
});

test("names a file outside of the working directory from its repository, also for SARIF", async () => {
  const top = at("top");
  const here = path.join(top, "repo/cdktf.out/stacks/tenant");
  await mkdir(here, { recursive: true });
  const [inside, outside] = [path.join(top, "repo/tenant/acls.ts"), path.join(top, "other.ts")];
  expect(shownFile(inside, here)?.file).toBe("../../../tenant/acls.ts");
  await mkdir(path.join(top, "repo/.git"));
  const shown = shownFile(inside, here)!;
  expect(shown.file).toBe("tenant/acls.ts");
  expect(fromRoot(path.join(top, "repo"), shown)).toBe("tenant/acls.ts");
  expect(fromRoot(top, shown)).toBe("repo/tenant/acls.ts");
  expect(shownFile(path.join(here, "main.tf"), here)).toEqual({ file: "main.tf" });
  expect(shownFile(outside, here)).toEqual({ file: "../../../../other.ts" });
});
