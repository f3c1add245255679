/** Deploys every recipe to a tenant, and plans no changes after that. */
import { mkdir, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { succeed } from "../support/program";

const root = path.join(__dirname, "../..");
const recipes = path.join(root, "examples/recipes");
const organization = "org_quickstart000001";

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
  const files = (await readdir(recipes)).filter((name) => name.endsWith(".ts"));
  expect(files.map((name) => name.replace(".ts", "")).toSorted()).toEqual(Object.keys(plans));
  const page = await readFile(path.join(root, "docs/guides/recipes.md"), "utf8");
  expect(files.filter((name) => !page.includes(`/examples/recipes/${name})`))).toEqual([]);
});

test.each(Object.entries(plans))("%s: %s", async (name, planned) => {
  // Inside the checkout, so that "tenantform" and "cdktf" are found as in a user's project.
  await mkdir(path.join(root, "cdktf.out"), { recursive: true });
  const directory = await mkdtemp(path.join(root, "cdktf.out/recipe-"));
  const emulator = createEmulator({
    flags: ["tenant_acl_match_all"],
    seed: { organizations: [{ id: organization, name: "acme" }] },
  });
  const { url, close } = await emulator.listen();
  try {
    const env = {
      TENANT_ENDPOINT: url,
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
    };
    const program = ["--import", require.resolve("tsx"), path.join(recipes, `${name}.ts`)];
    const said = await succeed(process.execPath, program, { cwd: directory });
    expect(said).toBe("");
    const cwd = path.join(directory, "cdktf.out/stacks/recipe");
    await succeed("terraform", ["init", "-no-color"], { cwd });
    const applied = await succeed("terraform", ["apply", "-auto-approve", "-no-color"], { cwd, env });
    expect(applied).toContain(`Plan: ${planned}, 0 to change, 0 to destroy.`);
    expect(await succeed("terraform", ["plan", "-no-color"], { cwd, env })).toContain("No changes.");
  } finally {
    await close();
    await rm(directory, { recursive: true, force: true });
  }
});
