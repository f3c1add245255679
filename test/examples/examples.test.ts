/** Every example, and what the pages show, run as a reader would run it. */
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { createEmulator, type Emulator } from "../../src/emulator/emulator";
import { succeed } from "../support/program";
import { openWorkspace } from "../support/workspace";

const root = path.join(__dirname, "../..");
const organization = "org_quickstart000001";

async function withTenant(use: (emulator: Emulator, env: NodeJS.ProcessEnv, directory: string) => Promise<void>) {
  // Inside the checkout, so that "tenantform" and "cdktf" are found as in a user's project.
  await mkdir(path.join(root, "cdktf.out"), { recursive: true });
  const directory = await mkdtemp(path.join(root, "cdktf.out/example-"));
  const emulator = createEmulator({ seed: { organizations: [{ id: organization, name: "acme" }] } });
  const { url, close } = await emulator.listen();
  const env = {
    TENANT_ENDPOINT: url,
    TENANT_CLIENT_ID: emulator.clientId,
    TENANT_CLIENT_SECRET: emulator.clientSecret,
  };
  try {
    await use(emulator, env, directory);
  } finally {
    await close();
    await rm(directory, { recursive: true, force: true });
  }
}

const tsx = (file: string, cwd: string, env: NodeJS.ProcessEnv = {}) =>
  succeed(process.execPath, ["--import", require.resolve("tsx"), file], { cwd, env });

test("examples/quickstart deploys, changes, and plans no changes after that", () =>
  withTenant(async (emulator, env, directory) => {
    for (const stage of ["before", "after"]) {
      await tsx(path.join(root, "examples/quickstart/edits.ts"), directory, { ...env, QUICKSTART: stage });
      const cwd = path.join(directory, "cdktf.out/stacks/quickstart");
      await succeed("terraform", ["init", "-no-color"], { cwd });
      await succeed("terraform", ["apply", "-auto-approve", "-no-color"], { cwd, env });
      expect(await succeed("terraform", ["plan", "-no-color"], { cwd, env })).toContain("No changes.");
    }
    expect(emulator.store.networkAcls.size).toBe(2);
    expect(emulator.store.rateLimitPolicies.size).toBe(1);
    const members = Array.from(emulator.store.members(organization)!, ([user]) => user).toSorted();
    expect(members).toEqual(["auth0|ada", "auth0|grace", "auth0|margaret"]);
  }));

test("examples/hcl fulfils its own expectations, applies, and prints the order of evaluation", async () => {
  const workspace = await openWorkspace();
  try {
    const id = workspace.emulator.store.addOrganization({ name: "acme" }).id;
    await cp(path.join(root, "examples/hcl/main.tf"), path.join(workspace.directory, "main.tf"));
    await writeFile(path.join(workspace.directory, "terraform.tfvars"), `organization_id = "${id}"`);
    await workspace.plan();
    const { stdout } = await workspace.terraform("show", "-json", "plan");
    await writeFile(path.join(workspace.directory, "plan.json"), stdout);
    const test = [path.join(root, "dist/cli.js"), "test", "plan.json"];
    expect(await succeed(process.execPath, test, { cwd: workspace.directory })).toContain("0 broken, 0 undecided");
    expect(await workspace.apply()).toContain("Keep known scanners out of everything");
    expect((await workspace.plan()).changes).toEqual([]);
  } finally {
    await workspace.close();
  }
});

test("covers every folder of examples", async () => {
  expect((await readdir(path.join(root, "examples"))).filter((name) => name !== "README.md").toSorted()).toEqual([
    "data-sources",
    "expectations",
    "fleet",
    "hcl",
    "provider",
    "quickstart",
    "recipes",
    "resources",
    "review",
    "signed-requests",
    "start",
  ]);
});
