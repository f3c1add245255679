/** Reviews exactly the stacks that the manifest of cdktf.out lists. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { readPlans, type Edge } from "../../src/review/input/input";
import { reviewTenant, tenantsIn } from "../../src/review/tenants";
import { run } from "../support/program";
import { acl, allow, block, change, planText } from "./support/plan";

const closed = acl(10, { action: block, match: { geo_country_codes: ["KP"] } }, { id: "acl_kp" });
const opened = acl(11, { action: allow, match: { geo_country_codes: ["KP"] } }, { id: "acl_kp" });
const at = "tenant_network_acl.korea";
const staying = planText([change(at, closed, closed)]);
const opening = planText([change(at, closed, opened)]);
const edge = { stdin: [] as unknown as AsyncIterable<string>, environment: {} };

let folder: string;
beforeEach(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-folders-"))));
afterEach(() => rm(folder, { recursive: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}
const listing = (stacks: Readonly<Record<string, unknown>>) => ({
  "out/manifest.json": JSON.stringify({ version: "0.21.0", stacks }),
});
const stack = (name: string) => ({ [name]: { name, workingDirectory: `stacks/${name}` } });

async function reviewed() {
  const tenants = tenantsIn(await readPlans([path.join(folder, "out")], edge));
  expect(tenants).toHaveLength(1);
  const { whole, parts } = reviewTenant(tenants[0]!, {});
  return { proven: whole.acls.proven, codes: whole.effects.map(({ code }) => code), whole, parts };
}

describe("at a terminal, without the name of a plan", () => {
  const terminal = { ...edge, stdin: Object.assign([], { isTTY: true }) as unknown as Edge["stdin"] };
  const start = process.cwd();
  beforeEach(() => process.chdir(folder));
  afterEach(() => process.chdir(start));

  test("reads the plan of the folder", async () => {
    await write({ plan: staying, "cdktf.out/stacks/base/plan": opening });
    expect((await readPlans([], terminal)).map(({ name }) => name)).toEqual([path.basename(folder)]);
  });

  test("reads the plans of cdktf.out", async () => {
    await write({ "cdktf.out/stacks/base/plan": staying });
    expect((await readPlans([], terminal)).map(({ name }) => name)).toEqual(["base"]);
  });

  test("says what to run if there is none", async () => {
    await expect(readPlans([], terminal)).rejects.toThrow(
      "This folder has no plan: run `terraform plan -out=plan` or `cdktf diff` first, or name a plan.",
    );
  });
});

test("reads no stack that the manifest does not list", async () => {
  await write({ ...listing(stack("base")), "out/stacks/base/plan": staying, "out/stacks/old/plan": opening });
  await write({ "out/plan": opening });
  const { proven, codes } = await reviewed();
  expect([proven, codes]).toEqual([true, []]);
});

test("says where the plan of a stack is, if it is not where somebody looks", async () => {
  const cli = path.join(__dirname, "../../dist/cli.js");
  const review = async (name: string) => (await run(process.execPath, [cli, "review", name], { cwd: folder })).stderr;
  await write({
    "cdktf.out/stacks/tenant/plan": staying,
    "out/stacks/edge/cdk.tf.json": '{"resource":{"tenant_x":{}}}',
  });
  await write(listing(stack("edge")));
  expect(await review("plan")).toMatch(/^plan does not exist: give cdktf\.out\/stacks\/tenant\/plan\. /);
  expect(await review("out")).toContain("`terraform plan -out=plan` in out/stacks/edge, first.");
});

test("reads every stack that the manifest lists", async () => {
  await write({ ...listing({ ...stack("base"), ...stack("edge") }) });
  await write({ "out/stacks/base/plan": staying, "out/stacks/edge/plan.json": opening });
  const { proven, codes } = await reviewed();
  expect([proven, codes.filter((code) => code === "TNF-DUPLICATE")]).toEqual([
    false,
    ["TNF-DUPLICATE", "TNF-DUPLICATE"],
  ]);
});

test("reads all folders if there is no manifest", async () => {
  await write({ "out/stacks/base/plan": staying, "out/stacks/edge/plan": opening });
  expect((await readPlans([path.join(folder, "out")], edge)).map(({ name }) => name)).toEqual(["base", "edge"]);
});

test("says that a listed stack has no plan, and proves nothing", async () => {
  await write({ ...listing({ ...stack("base"), ...stack("edge") }), "out/stacks/base/plan": staying });
  await write({ "out/stacks/edge/cdk.tf.json": JSON.stringify({ resource: { tenant_network_acl: {} } }) });
  const { proven, codes, whole } = await reviewed();
  expect([proven, codes]).toEqual([false, ["TNF-STACK-UNPLANNED"]]);
  expect(whole.effects[0]!.text).toContain("Stack edge has no plan");
  const cli = path.join(__dirname, "../../dist/cli.js");
  const args = [cli, "review", "out", "--format", "text", "--fail-on", "medium"];
  const { code, stdout } = await run(process.execPath, args, { cwd: folder });
  expect([code, stdout]).toEqual([3, expect.stringContaining("No effect was found. Stack edge has no plan")]);
  expect(stdout).not.toContain("Proven complete");
});

test.each<[string, Record<string, string>]>([
  ["with escapes", { "cdk.tf.json": '{"resource": {"\\u0074enant_network_acl": {}}}' }],
  ["in HCL with escapes", { "cdk.tf": 'resource "\\u0074enant_network_acl" "x" {}' }],
  ["in a file next to it", { "cdk.tf.json": "{}", "more.tf": 'resource "tenant_network_acl" "x" {}' }],
  ["in a file that cannot be read", { "cdk.tf.json": "{" }],
])("reports a stack without a plan that names a tenant %s", async (_where, files) => {
  await write({ ...listing({ ...stack("base"), ...stack("edge") }), "out/stacks/base/plan": staying });
  await write(Object.fromEntries(Object.entries(files).map(([name, text]) => [`out/stacks/edge/${name}`, text])));
  expect(await reviewed()).toMatchObject({ proven: false, codes: ["TNF-STACK-UNPLANNED"] });
});

test("reports it once for several plans of one tenant, in each part", async () => {
  await write({ ...listing({ ...stack("a"), ...stack("b"), ...stack("c") }), "out/stacks/a/plan": staying });
  await write({ "out/stacks/b/plan": planText([]) });
  const { codes, parts } = await reviewed();
  expect(codes).toEqual(["TNF-STACK-UNPLANNED"]);
  expect(parts.map(({ acls, effects }) => [acls.proven, effects.length])).toEqual([
    [false, 1],
    [false, 0],
  ]);
});

test("ignores a stack without a plan that has no objects of a tenant", async () => {
  await write({ ...listing({ ...stack("base"), ...stack("aws") }), "out/stacks/base/plan": staying });
  await write({ "out/stacks/aws/cdk.tf.json": JSON.stringify({ resource: { aws_s3_bucket: {} } }) });
  expect((await reviewed()).codes).toEqual([]);
});

test("reads a stack that the manifest lists twice once", async () => {
  const twice = { base: { workingDirectory: "stacks/base" }, again: { workingDirectory: "stacks/./base/" } };
  await write({ ...listing(twice), "out/stacks/base/plan": staying });
  expect((await reviewed()).codes).toEqual([]);
});

describe("refuses a manifest", () => {
  test.each([
    ["an absolute folder", (outside: string) => outside],
    ["a folder above", () => "../outside"],
    ["a folder above by a detour", () => "stacks/../../outside"],
    ["the folder itself", () => "stacks/.."],
    ["a folder of Windows", () => "C:\\outside"],
  ])("with %s", async (_, directory) => {
    await write({ "outside/plan": opening, "out/stacks/base/plan": staying });
    await write(listing({ base: { workingDirectory: directory(path.join(folder, "outside")) } }));
    await expect(readPlans([path.join(folder, "out")], edge)).rejects.toThrow("only stacks below it are read");
  });

  test.each([
    ["a folder", "stacks/base", "outside"],
    ["a plan", "stacks/base/plan", "outside/plan"],
  ])("with a link in place of %s", async (_, link, target) => {
    await write({ ...listing(stack("base")), "outside/plan": opening, "out/stacks/other/plan": staying });
    await mkdir(path.dirname(path.join(folder, "out", link)), { recursive: true });
    await symlink(path.join(folder, target), path.join(folder, "out", link));
    await expect(readPlans([path.join(folder, "out")], edge)).rejects.toThrow("only stacks below it are read");
  });

  test.each([
    ["that is no JSON", "{"],
    ["that is null", "null"],
    ["without stacks", "{}"],
    ["whose stacks are a list", JSON.stringify({ stacks: [] })],
    ["whose stack is null", JSON.stringify({ stacks: { base: null } })],
    ["whose stack has no folder", JSON.stringify({ stacks: { base: { workingDirectory: 1 } } })],
  ])("%s", async (_, text) => {
    await write({ "out/manifest.json": text, "out/stacks/base/plan": staying });
    await expect(readPlans([path.join(folder, "out")], edge)).rejects.toThrow("run `cdktf synth`");
  });

  test("that lists no stack", async () => {
    await write({ ...listing({}), "out/stacks/base/plan": staying });
    await expect(readPlans([path.join(folder, "out")], edge)).rejects.toThrow("has no plan");
  });
});

test("reads a folder that is itself a link", async () => {
  await write({ ...listing(stack("base")), "out/stacks/base/plan": staying });
  await symlink(path.join(folder, "out"), path.join(folder, "linked"));
  expect(await readPlans([path.join(folder, "linked")], edge)).toHaveLength(1);
});
