/** Programs, unit tests and snippets of examples and guides, run as a reader would run them. */
import { cp, readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { readBase } from "../../src/review/input/base-branch";
import { readExpectations } from "../judge/impact/support/expectations";
import { tenantProvider } from "../../src/provider/resources/provider";
import type { Seed } from "../../src/emulator/emulator";
import { eachTest } from "../support/each-test";
import * as hcl from "../support/hcl";
import { succeed } from "../support/program";
import { openWorkspace } from "../support/workspace";
import { linkPackages, newFolderInside, root } from "../support/folder";
import { example, guide, jestIn, organization, tsx, withTenant } from "./support/deployed";

const plans: Record<string, string> = {
  "canonical-domain": "1 to add",
  closed: "3 to add",
  countries: "2 to add",
  members: "1 to add",
  proxy: "1 to add",
  "third-parties": "2 to add",
  "watch-first": "1 to add",
};

test("covers every recipe, and docs/guides/recipes.md links to each", async () => {
  const files = (await readdir(example("recipes"))).filter((name) => name.endsWith(".ts"));
  expect(files.map((name) => name.replace(".ts", "")).toSorted()).toEqual(Object.keys(plans));
  const page = await guide("recipes.md");
  expect(files.filter((name) => !page.includes(`/examples/recipes/${name})`))).toEqual([]);
});

test.each(Object.entries(plans))("recipe %s deploys, and plans no changes after that: %s", async (name, planned) => {
  const workspace = await openWorkspace({
    flags: ["tenant_acl_match_all"],
    seed: { organizations: [{ id: organization, name: "acme" }] },
  });
  const folder = newFolderInside();
  expect(await tsx(example(`recipes/${name}.ts`), folder)).toBe("");
  const text = await readFile(path.join(folder, "cdktf.out/stacks/recipe/cdk.tf.json"), "utf8");
  // Only `init`, which the program in the guide runs, accepts a backend.
  const { terraform, ...stack } = JSON.parse(text);
  const { required_providers } = terraform;
  await writeFile(
    path.join(workspace.directory, "recipe.tf.json"),
    JSON.stringify({ ...stack, terraform: { required_providers } }),
  );
  expect(await workspace.apply()).toContain(`Plan: ${planned}, 0 to change, 0 to destroy.`);
  await workspace.settled();
});

test("the program in the guide to the constructs finds what the tenant has, and applies what it adds", async () => {
  const file = path.join(newFolderInside(), "main.ts");
  const [, program] = /^## Look up, and add$[^]*?```ts\n([^]*?)```/m.exec(await guide("constructs.md"))!;
  await writeFile(file, program!);
  const rule = { action: { allow: true }, match: { ipv4_cidrs: ["203.0.113.0/24"] }, scope: "authentication" };
  const seed: Seed = {
    network_acls: [{ description: "The office", active: true, priority: 1, rule }],
    network_acl_keys: [
      { name: "edge-2026", alg: "hmac-sha256", value: Buffer.alloc(32, "0123456789").toString("base64") },
    ],
    rate_limit_policies: [{ consumer_selector: "default", configuration: { action: "log", limit: 7 } }],
  };
  await withTenant(
    async ({ emulator: { store }, deploy }) => {
      expect(await deploy(file, "added")).toContain("Plan: 4 to add, 0 to change, 0 to destroy.");
      const acls = Object.fromEntries(store.networkAcls.values().map((acl) => [acl.priority, acl]));
      expect(acls).toMatchObject({ 10: { rule: { match: rule.match } }, 20: { rule: { action: { block: true } } } });
      expect(store.rateLimitPolicies.values()).toMatchObject([{}, { configuration: { action: "block", limit: 7 } }]);
    },
    ["tenant_acl_hmac_signature"],
    seed,
  );
});

test("the test in the guide to the embedded tenant passes", async () => {
  const folder = newFolderInside();
  const [, program] = /^## In tests$[^]*?```ts\n([^]*?)```/m.exec(await guide("embedded-tenant.md"))!;
  await writeFile(path.join(folder, "guide.test.ts"), program!);
  expect(await jestIn(folder)).toContain("3 passed, 3 total");
});

test("examples/expectations: its unit tests pass", async () => {
  expect(await jestIn(example("expectations"))).toContain("4 passed, 4 total");
});

test("examples/expectations: deploys, and plans no changes after that", () =>
  withTenant(async ({ deploy }) => {
    const applied = await deploy(example("expectations/main.ts"), "tenant");
    expect(applied).toContain("5 added, 0 changed, 0 destroyed");
    // The first ACL is planned before the walls that depend on it, so its plan sees the expectations broken as before.
    expect(applied).not.toMatch(/Warning: (Expectation "\w+" is broken|Network ACLs block)/);
  }));

test("examples/hcl fulfils its own expectations, applies, and prints the order of evaluation", async () => {
  const workspace = await openWorkspace();
  const id = workspace.emulator.store.addOrganization({ name: "acme" }).id;
  await cp(example("hcl/main.tf"), path.join(workspace.directory, "main.tf"));
  await writeFile(path.join(workspace.directory, "terraform.tfvars"), `organization_id = "${id}"`);
  expect(await workspace.terraform("plan", "-out=plan")).toMatchObject({ code: 0 });
  const { stdout } = await workspace.terraform("show", "-json", "plan");
  await writeFile(path.join(workspace.directory, "plan.json"), stdout);
  const test = [path.join(root, "dist/cli.js"), "review", "plan.json", "--only", "expectations"];
  expect(await succeed(process.execPath, test, { cwd: workspace.directory })).toContain("0 broken, 0 undecided");
  expect(await workspace.apply()).toContain("Keep known scanners out of everything");
  await workspace.settled();
});

describe("docs/guides/expectations.md", () => {
  let five: string;
  let fiveInTypeScript: string;
  let unitTest: string;
  beforeAll(async () => {
    const text = await guide("expectations.md");
    const snippets = [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)];
    expect(snippets.map(([, language]) => language)).toEqual(["hcl", "ts", "hcl", "sh", "ts", "sh", "text", "yaml"]);
    [five, fiveInTypeScript, unitTest] = [0, 1, 4].map((index) => snippets[index]![2]) as [string, string, string];
  });

  const acl = (name: string, priority: number, action: string, criteria: string, scope: string) =>
    hcl.acl(name, { priority, action, criteria, scope });
  /** The ACLs, the policy and the members that keep the five expectations. */
  const kept = (networks: string, countries: string, limit: number, members: readonly string[]) =>
    'locals {\n networks = ["203.0.113.0/24", "198.51.100.7"]\n}\n' +
    hcl.policy("third", "third_party_clients", limit) +
    hcl.memberSet("org_9ybsU1dN2dKfDkBi", members, "", "administrators") +
    acl("own", 10, "allow", "match {\n ipv4_cidrs = local.networks\n}", "tenant") +
    acl("sanctions", 20, "block", `match {\n geo_country_codes = ${countries}\n}`, "authentication") +
    acl("management", 30, "block", `not_match {\n ipv4_cidrs = ${networks}\n}`, "management");
  const whole = ["local.networks", '["KP", "IR"]', 50, ["auth0|65f0c2a4", "auth0|ada"]] as const;

  test("the five expectations: a configuration that keeps them applies, and one that breaks any of them is refused", async () => {
    const seed = { organizations: [{ id: "org_9ybsU1dN2dKfDkBi", name: "administrators" }] };
    const workspace = await openWorkspace({ seed });
    const guard = 'provider "tenant" {\n  lockout_guard = "off"\n';
    const provider = five.replace('provider "tenant" {\n', guard);
    await workspace.apply(provider + kept(...whole));
    await workspace.settled();

    const broken: readonly [string, string][] = [
      ["sanctions", kept(whole[0], '["KP"]', 50, whole[3])],
      ["our CI", kept(...whole).replace('"203.0.113.0/24", "198.51.100.7"', '"203.0.113.0/24"')],
      ["management", kept('concat(local.networks, ["192.0.2.0/24"])', whole[1], 50, whole[3])],
      ["third parties", kept(whole[0], whole[1], 51, whole[3])],
      ["administrators", kept(whole[0], whole[1], 50, ["auth0|65f0c2a4"])],
    ];
    for (const [name, resources] of broken) {
      await workspace.write(provider + resources);
      const { code, stderr } = await workspace.terraform("plan");
      expect({ name, code }).toEqual({ name, code: 1 });
      expect(stderr).toContain(`Error: Expectation "${name}" is broken`);
    }
  });

  test("the five expectations in TypeScript are the same", async () => {
    const directory = newFolderInside();
    const file = path.join(directory, "five.tf");
    await writeFile(file, five);
    const { expectations } = await readBase(file, { stdin: process.stdin, environment: {} }, "--expect");
    const [inHcl] = expectations;
    await writeFile(path.join(directory, "main.ts"), fiveInTypeScript);
    await tsx("main.ts", directory);
    const stack = await readFile(path.join(directory, "cdktf.out/stacks/tenant/cdk.tf.json"), "utf8");
    const inTypeScript = readExpectations(JSON.parse(stack).provider.tenant[0].expectation, "stack");
    expect(inTypeScript).toHaveLength(5);
    expect(inTypeScript).toEqual(inHcl!.read.map(({ expectation }) => expectation));
  });

  test("the unit test passes", async () => {
    const directory = newFolderInside();
    linkPackages(directory);
    await writeFile(path.join(directory, "stack.test.ts"), unitTest);
    expect(await jestIn(directory)).toContain("1 passed, 1 total");
  });
});

describe("the examples of the reference pages", () => {
  const material = "AwoRGB8mLTQ7QklQV15lbHN6gYiPlp2kq7K5wMfO1dw=";
  const workspace = eachTest(() =>
    openWorkspace({
      flags: ["tenant_acl_hmac_signature"],
      seed: {
        organizations: [{ id: "org_9ybsU1dN2dKfDkBi", name: "acme" }],
        rate_limit_policies: [],
        network_acl_keys: [{ name: "edge-2026", value: material }],
      },
    }),
  );
  beforeEach(() => writeFile(path.join(workspace.directory, "terraform.tfvars"), `edge_key = "${material}"`));

  const provider = tenantProvider("0.0.0-test", {});
  const typesOf = (parts: object) =>
    Object.keys(parts)
      .map((name) => `tenant_${name}`)
      .toSorted();
  const resources = typesOf(provider.resources);
  const dataSources = typesOf(provider.dataSources);

  test("covers every folder", async () => {
    expect((await readdir(example("resources"))).toSorted()).toEqual(resources);
    expect((await readdir(example("data-sources"))).toSorted()).toEqual(dataSources);
  });

  const text = (...parts: string[]) => readFile(example(...parts), "utf8");

  test.each(resources)("%s: applies, plans no changes, and imports", async (type) => {
    const resource = await text("resources", type, "resource.tf");
    await workspace.apply(resource);
    await workspace.settled();

    await workspace.terraform("state", "rm", `${type}.example`);
    await workspace.write(resource + (await text("resources", type, "import.tf")));
    expect((await workspace.plan()).output).toContain("1 to import, 0 to add, 0 to change, 0 to destroy");
    await workspace.apply();
  });

  test.each(dataSources)("%s: reads", async (type) => {
    await workspace.apply(await text("data-sources", type, "data-source.tf"));
    expect((await workspace.plan()).output).toContain("No changes.");
  });

  test("the provider block is valid", async () => {
    // The workspace writes the required providers itself.
    const [, block] = (await text("provider", "provider.tf")).split(/^}\n\n/m);
    await workspace.write(block!);
    expect((await workspace.terraform("validate")).stdout).toContain("Success!");
  });
});
