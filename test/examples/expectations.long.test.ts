/** examples/expectations and every snippet of docs/guides/expectations.md, as a reader would run them. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { readExpectations } from "../impact/support/expectations";
import { readBase } from "../../src/review/base";
import { run, succeed } from "../support/program";
import { openWorkspace } from "../support/workspace";

const root = path.join(__dirname, "../..");
const example = path.join(root, "examples/expectations");
const organization = "org_quickstart000001";

let directory: string;
beforeEach(async () => {
  // Inside the checkout, so that "tenantform" and "cdktf" are found as in a user's project.
  await mkdir(path.join(root, "cdktf.out"), { recursive: true });
  directory = await mkdtemp(path.join(root, "cdktf.out/expectations-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const node = (...args: string[]) => run(process.execPath, args, { cwd: directory, env: { TMPDIR: directory } });
const tsx = (file: string) => succeed(process.execPath, ["--import", require.resolve("tsx"), file], { cwd: directory });

/** Runs the unit tests of a folder without the settings of this checkout. */
async function jest(folder: string): Promise<string> {
  const configuration = {
    rootDir: folder,
    testEnvironment: "node",
    transform: { "\\.[jt]s$": require.resolve("../support/transform.js") },
    haste: { enableSymlinks: false },
  };
  const { code, stderr } = await node(require.resolve("jest/bin/jest"), "--config", JSON.stringify(configuration));
  if (code !== 0) throw new Error(stderr);
  return stderr;
}

test("examples/expectations: its unit tests pass", async () => {
  expect(await jest(example)).toContain("4 passed, 4 total");
});

test("examples/expectations: deploys, and plans no changes after that", async () => {
  const emulator = createEmulator({ seed: { organizations: [{ id: organization, name: "acme" }] } });
  const { url, close } = await emulator.listen();
  try {
    expect(await tsx(path.join(example, "main.ts"))).toBe("");
    const env = {
      TENANT_ENDPOINT: url,
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
    };
    const cwd = path.join(directory, "cdktf.out/stacks/tenant");
    await succeed("terraform", ["init", "-no-color"], { cwd });
    const applied = await succeed("terraform", ["apply", "-auto-approve", "-no-color"], { cwd, env });
    expect(applied).toContain("5 added, 0 changed, 0 destroyed");
    // The first ACL is planned before the walls that depend on it, so its plan sees the expectations broken as before.
    expect(applied).not.toMatch(/Warning: (Expectation "\w+" is broken|Network ACLs block)/);
    expect(await succeed("terraform", ["plan", "-no-color"], { cwd, env })).toContain("No changes.");
  } finally {
    await close();
  }
});

describe("docs/guides/expectations.md", () => {
  let five: string;
  let fiveInTypeScript: string;
  let unitTest: string;
  beforeAll(async () => {
    const text = await readFile(path.join(root, "docs/guides/expectations.md"), "utf8");
    const snippets = [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)];
    expect(snippets.map(([, language]) => language)).toEqual(["hcl", "ts", "hcl", "sh", "ts", "sh", "text", "yaml"]);
    [five, fiveInTypeScript, unitTest] = [0, 1, 4].map((index) => snippets[index]![2]) as [string, string, string];
  });

  /** The ACLs, the policy and the members that keep the five expectations. */
  const kept = (networks: string, countries: string, limit: number, members: string) => `
    locals {
      networks = ["203.0.113.0/24", "198.51.100.7"]
    }
    resource "tenant_network_acl" "own" {
      description = "own"
      priority    = 10
      rule {
        action {
          allow = true
        }
        match {
          ipv4_cidrs = local.networks
        }
        scope = "tenant"
      }
    }
    resource "tenant_network_acl" "sanctions" {
      description = "sanctions"
      priority    = 20
      rule {
        action {
          block = true
        }
        match {
          geo_country_codes = ${countries}
        }
        scope = "authentication"
      }
    }
    resource "tenant_network_acl" "management" {
      description = "management"
      priority    = 30
      rule {
        action {
          block = true
        }
        not_match {
          ipv4_cidrs = ${networks}
        }
        scope = "management"
      }
    }
    resource "tenant_rate_limit_policy" "third" {
      consumer_selector = "third_party_clients"
      configuration {
        action = "block"
        limit  = ${limit}
      }
    }
    resource "tenant_organization_member_set" "administrators" {
      organization_id = "org_9ybsU1dN2dKfDkBi"
      members         = ${members}
    }
  `;
  const whole = ["local.networks", '["KP", "IR"]', 50, '["auth0|65f0c2a4", "auth0|ada"]'] as const;

  test("the five expectations: a configuration that keeps them applies, and one that breaks any of them is refused", async () => {
    const seed = { organizations: [{ id: "org_9ybsU1dN2dKfDkBi", name: "administrators" }] };
    const workspace = await openWorkspace({ seed });
    try {
      const guard = 'provider "tenant" {\n  lockout_guard = "off"\n';
      const provider = five.replace('provider "tenant" {\n', guard);
      await workspace.apply(provider + kept(...whole));
      expect((await workspace.plan()).changes).toEqual([]);

      const broken: readonly [string, string][] = [
        ["sanctions", kept(whole[0], '["KP"]', 50, whole[3])],
        ["our CI", kept(...whole).replace('"203.0.113.0/24", "198.51.100.7"', '"203.0.113.0/24"')],
        ["management", kept('concat(local.networks, ["192.0.2.0/24"])', whole[1], 50, whole[3])],
        ["third parties", kept(whole[0], whole[1], 51, whole[3])],
        ["administrators", kept(whole[0], whole[1], 50, '["auth0|65f0c2a4"]')],
      ];
      for (const [name, resources] of broken) {
        await workspace.write(provider + resources);
        const { code, stderr } = await workspace.terraform("plan");
        expect({ name, code }).toEqual({ name, code: 1 });
        expect(stderr).toContain(`Error: Expectation "${name}" is broken`);
      }
    } finally {
      await workspace.close();
    }
  });

  test("the five expectations in TypeScript are the same", async () => {
    const file = path.join(directory, "five.tf");
    await writeFile(file, five);
    const { expectations } = await readBase(file, { stdin: process.stdin, environment: {} }, "--expect");
    const [inHcl] = expectations;
    await writeFile(path.join(directory, "main.ts"), fiveInTypeScript);
    await tsx("main.ts");
    const stack = await readFile(path.join(directory, "cdktf.out/stacks/tenant/cdk.tf.json"), "utf8");
    const inTypeScript = readExpectations(JSON.parse(stack).provider.tenant[0].expectation, "stack");
    expect(inTypeScript).toHaveLength(5);
    expect(inTypeScript).toEqual(inHcl!.read.map(({ expectation }) => expectation));
  });

  test("the unit test passes", async () => {
    await mkdir(path.join(directory, "node_modules"));
    await symlink(root, path.join(directory, "node_modules/tenantform"), "junction");
    await writeFile(path.join(directory, "stack.test.ts"), unitTest);
    expect(await jest(directory)).toContain("1 passed, 1 total");
  });
});
