/** Every example, and what the pages show, run as a reader would run it. */
import { cp, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { succeed } from "../support/program";
import { openWorkspace } from "../support/workspace";
import { example, organization, root, withTenant } from "./support/deployed";

test("examples/quickstart deploys, changes, and plans no changes after that", () =>
  withTenant(async ({ emulator, deploy }) => {
    for (const QUICKSTART of ["before", "after"]) {
      await deploy(example("quickstart/edits.ts"), "quickstart", { QUICKSTART });
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
    await cp(example("hcl/main.tf"), path.join(workspace.directory, "main.tf"));
    await writeFile(path.join(workspace.directory, "terraform.tfvars"), `organization_id = "${id}"`);
    await workspace.plan();
    const { stdout } = await workspace.terraform("show", "-json", "plan");
    await writeFile(path.join(workspace.directory, "plan.json"), stdout);
    const test = [path.join(root, "dist/cli.js"), "review", "plan.json", "--only", "expectations"];
    expect(await succeed(process.execPath, test, { cwd: workspace.directory })).toContain("0 broken, 0 undecided");
    expect(await workspace.apply()).toContain("Keep known scanners out of everything");
    expect((await workspace.plan()).changes).toEqual([]);
  } finally {
    await workspace.close();
  }
});

test("covers every folder of examples", async () => {
  expect((await readdir(example())).filter((name) => name !== "README.md").toSorted()).toEqual([
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
