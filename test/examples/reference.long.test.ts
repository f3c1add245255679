/** The examples of the reference pages apply, plan no changes, and import. */
import { readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { tenantProvider } from "../../src/resources/provider";
import { openWorkspace, type Workspace } from "../support/workspace";

const root = path.join(__dirname, "../..");
const examples = path.join(root, "examples");
const material = "AwoRGB8mLTQ7QklQV15lbHN6gYiPlp2kq7K5wMfO1dw=";
const organization = "org_9ybsU1dN2dKfDkBi";

let workspace: Workspace;
beforeEach(async () => {
  workspace = await openWorkspace({
    flags: ["tenant_acl_hmac_signature"],
    seed: {
      organizations: [{ id: organization, name: "acme" }],
      rate_limit_policies: [],
      network_acl_keys: [{ name: "edge-2026", value: material }],
    },
  });
  await writeFile(path.join(workspace.directory, "terraform.tfvars"), `edge_key = "${material}"`);
});
afterEach(() => workspace.close());

const provider = tenantProvider("0.0.0-test", {});
const typesOf = (parts: object) =>
  Object.keys(parts)
    .map((name) => `tenant_${name}`)
    .toSorted();
const resources = typesOf(provider.resources);
const dataSources = typesOf(provider.dataSources);

test("covers every folder", async () => {
  expect((await readdir(path.join(examples, "resources"))).toSorted()).toEqual(resources);
  expect((await readdir(path.join(examples, "data-sources"))).toSorted()).toEqual(dataSources);
});

const text = (...parts: string[]) => readFile(path.join(examples, ...parts), "utf8");

test.each(resources)("%s: applies, plans no changes, and imports", async (type) => {
  const resource = await text("resources", type, "resource.tf");
  await workspace.apply(resource);
  expect((await workspace.plan()).changes).toEqual([]);

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
