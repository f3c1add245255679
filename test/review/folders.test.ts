/** Reviews exactly the stacks that the manifest of cdktf.out lists. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { review } from "../../src/review/commands/command";
import { readPlans, type Edge } from "../../src/review/input/input";
import { tenantsIn } from "../../src/review/input/tenants";
import { printed } from "./support/command";
import { acl, allow, block, kept } from "./support/objects";
import { change, codesOf, planText, reviewTenant } from "./support/plan";

const closed = acl(10, { action: block, match: { geo_country_codes: ["KP"] } }, { id: "acl_kp" });
const opened = acl(11, { action: allow, match: { geo_country_codes: ["KP"] } }, { id: "acl_kp" });
const address = "tenant_network_acl.korea";
const staying = planText([kept(address, closed)]);
const opening = planText([change(address, closed, opened)]);
const edge = { stdin: [] as unknown as AsyncIterable<string>, environment: {} };

let folder: string;
beforeEach(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-folders-"))));
afterEach(() => rm(folder, { recursive: true }));

type Files = Readonly<Record<string, string>>;

async function write(files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}
const listing = (stacks: Readonly<Record<string, unknown>>) => ({
  "out/manifest.json": JSON.stringify({ version: "0.21.0", stacks }),
});
const stacks = (...names: readonly string[]) =>
  listing(Object.fromEntries(names.map((name) => [name, { name, workingDirectory: `stacks/${name}` }])));
const plansIn = (name = "out") => readPlans([path.join(folder, name)], edge);

async function reviewed() {
  const tenants = tenantsIn(await plansIn());
  expect(tenants).toHaveLength(1);
  const { whole, parts } = reviewTenant(tenants[0]!, {});
  return { proven: whole.acls.proven, codes: codesOf(whole), parts };
}

describe("at a terminal, without the name of a plan", () => {
  const terminal = { ...edge, stdin: Object.assign([], { isTTY: true }) as unknown as Edge["stdin"] };
  const start = process.cwd();
  beforeEach(() => process.chdir(folder));
  afterEach(() => process.chdir(start));

  test("reads the plan of the folder, else those of cdktf.out, else says what to run", async () => {
    await expect(readPlans([], terminal)).rejects.toThrow(
      "This folder has no plan: run `terraform plan -out=plan` or `cdktf diff` first, or name a plan.",
    );
    await write({ "cdktf.out/stacks/base/plan": staying });
    expect((await readPlans([], terminal)).map(({ name }) => name)).toEqual(["base"]);
    await write({ plan: staying });
    expect((await readPlans([], terminal)).map(({ name }) => name)).toEqual([path.basename(folder)]);
  });

  test("says where the plan of a stack is, if it is not where somebody looks", async () => {
    await write({ "cdktf.out/stacks/tenant/plan": staying, ...stacks("edge"), "out/stacks/edge/main.tf": "module {}" });
    const said = async (name: string) => (await printed((own) => review([name], {}, "0.0.0", own))).stderr;
    expect(await said("plan")).toMatch(/^plan does not exist: give cdktf\.out\/stacks\/tenant\/plan\. /);
    expect(await said(".")).toMatch(/^\. has no plan: give cdktf\.out\/stacks\/tenant\/plan\. /);
    expect(await said("out")).toContain("`terraform plan -out=plan` in out/stacks/edge, first.");
  });
});

const none: readonly string[] = [];
const both = ["TNF-DUPLICATE", "TNF-DUPLICATE"];
const tenantJson = JSON.stringify({ resource: { tenant_network_acl: {} } });
const edgeStack = (files: Files) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`out/stacks/edge/${name}`, text]));

test.each<[string, Files, readonly string[]]>([
  ["no other stack", { ...stacks("base"), "out/stacks/old/plan": opening, "out/plan": opening }, none],
  ["every stack of the manifest", { ...stacks("base", "edge"), "out/stacks/edge/plan.json": opening }, both],
  ["all folders if there is no manifest", { "out/stacks/edge/plan": opening }, both],
  [
    "a stack that the manifest lists twice once",
    listing({ base: { workingDirectory: "stacks/base" }, again: { workingDirectory: "stacks/./base/" } }),
    none,
  ],
  [
    "nothing of a stack without objects of a tenant",
    { ...stacks("base", "edge"), ...edgeStack({ "cdk.tf.json": '{"resource": {"aws_s3_bucket": {}}}' }) },
    none,
  ],
  ...Object.entries<Files>({
    "": { "cdk.tf.json": tenantJson },
    " with escapes": { "cdk.tf.json": '{"resource": {"\\u0074enant_network_acl": {}}}' },
    " in HCL with escapes": { "cdk.tf": 'resource "\\u0074enant_network_acl" "x" {}' },
    " in a file next to it": { "cdk.tf.json": "{}", "more.tf": 'resource "tenant_network_acl" "x" {}' },
    " in a file that cannot be read": { "cdk.tf.json": "{" },
  }).map(([where, files]): [string, Files, readonly string[]] => [
    `that a listed stack which names a tenant${where} has no plan`,
    { ...stacks("base", "edge"), ...edgeStack(files) },
    ["TNF-STACK-UNPLANNED"],
  ]),
])("reads %s", async (_what, files, codes) => {
  await write({ "out/stacks/base/plan": staying, ...files });
  const found = await reviewed();
  expect([
    found.proven,
    found.codes.filter(
      (code) => /DUPLICATE|UNPLANNED|ACL/.test(code) && code !== "TNF-ACL-WIDENED" && code !== "TNF-ACL-OPENED",
    ),
  ]).toEqual([codes.length === 0, codes]);
});

test("reports a stack without a plan once for several plans of one tenant, in each part", async () => {
  await write({ ...stacks("a", "b", "c"), "out/stacks/a/plan": staying, "out/stacks/b/plan": planText([]) });
  const { codes, parts } = await reviewed();
  expect(codes).toEqual(["TNF-STACK-UNPLANNED"]);
  expect(parts.map(({ acls, effects }) => [acls.proven, effects.length])).toEqual([
    [false, 1],
    [false, 0],
  ]);
});

test("reads a folder that is itself a link", async () => {
  await write({ ...stacks("base"), "out/stacks/base/plan": staying });
  await symlink(path.join(folder, "out"), path.join(folder, "linked"));
  expect(await plansIn("linked")).toHaveLength(1);
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
    await expect(plansIn()).rejects.toThrow("only stacks below it are read");
  });

  test.each([
    ["a folder", "stacks/base", "outside"],
    ["a plan", "stacks/base/plan", "outside/plan"],
  ])("with a link in place of %s", async (_, link, target) => {
    await write({ ...stacks("base"), "outside/plan": opening, "out/stacks/other/plan": staying });
    await mkdir(path.dirname(path.join(folder, "out", link)), { recursive: true });
    await symlink(path.join(folder, target), path.join(folder, "out", link));
    await expect(plansIn()).rejects.toThrow("only stacks below it are read");
  });

  test.each([
    ["that is no JSON", "{", "run `cdktf synth`"],
    ["that is null", "null", "run `cdktf synth`"],
    ["whose stacks are a list", JSON.stringify({ stacks: [] }), "run `cdktf synth`"],
    ["whose stack is null", JSON.stringify({ stacks: { base: null } }), "run `cdktf synth`"],
    ["whose stack has no folder", JSON.stringify({ stacks: { base: { workingDirectory: 1 } } }), "run `cdktf synth`"],
    ["that lists no stack", JSON.stringify({ stacks: {} }), "has no plan"],
  ])("%s", async (_, text, words) => {
    await write({ "out/manifest.json": text, "out/stacks/base/plan": staying });
    await expect(plansIn()).rejects.toThrow(words);
  });
});
