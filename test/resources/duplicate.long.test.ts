/** The plan refuses one object of the tenant at two addresses of one configuration. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { eachTest } from "../support/each-test";
import { openWorkspace, unwrapped } from "../support/workspace";

const workspace = eachTest(openWorkspace);

const acl = (name: string, priority: number, action = "block", more = "") => `
resource "tenant_network_acl" "${name}" {
  description = "${name}"
  priority    = ${priority}
  rule {
    action { ${action} = true }
    match { geo_country_codes = ["KP"] }
    scope  = "tenant"
  }
  ${more}
}
`;
const policy = (name: string, selector: string) => `
resource "tenant_rate_limit_policy" "${name}" {
  consumer_selector = "${selector}"
  configuration {
    action = "block"
    limit  = 5
  }
}
`;
const set = (name: string, organization: string, more = "") => `
resource "tenant_organization_member_set" "${name}" {
  organization_id = "${organization}"
  members         = ["auth0|a"]
  ${more}
}
`;
const imported = (address: string, id: string) => `
import {
  to = ${address}
  id = "${id}"
}
`;
const forgotten = (address: string) => `
removed {
  from = ${address}
  lifecycle { destroy = false }
}
`;

async function refused(...args: string[]): Promise<string> {
  const { code, stderr } = await workspace.terraform(...args);
  expect(code).toBe(1);
  return unwrapped(stderr);
}
const a = "tenant_network_acl.a";
const b = "tenant_network_acl.b";

async function made(hcl: string, address: string): Promise<string> {
  await workspace.apply(hcl);
  return (await workspace.state(address)).id as string;
}

/** Both addresses are in the state, as after `terraform import` by hand. */
async function doubled(): Promise<string> {
  const id = await made(acl("a", 10), a);
  await workspace.write(acl("a", 10) + acl("b", 11, "allow"));
  expect((await workspace.terraform("import", b, id)).code).toBe(0);
  return id;
}

interface Stored {
  name: string;
  instances: { private?: string; deposed?: string }[];
}

/** Edits the only resource of the state by hand. `change` returns the resources of the new state. */
async function edited(change: (resource: Stored) => readonly Stored[]): Promise<void> {
  const file = path.join(workspace.directory, "terraform.tfstate");
  const state = JSON.parse(await readFile(file, "utf8"));
  const resources = change(state.resources[0]);
  await writeFile(file, JSON.stringify({ ...state, serial: state.serial + 1, resources }));
}
/** A second entry with the same id and the same private data. */
const copied = () => edited((resource) => [resource, { ...structuredClone(resource), name: "b" }]);
/** A deposed entry of the same id, without private data. */
const deposed = () =>
  edited(({ name, instances: [current], ...rest }) => {
    const { private: _, ...old } = current!;
    return [{ ...rest, name, instances: [current!, { ...old, deposed: "deadbeef" }] }];
  });

/** No change was written, and the tenant still has the ACL. */
function expectUntouched(words: string, id: string): void {
  expect(words).toContain("Two resources for one network ACL");
  expect(words).toContain(`\`id\` is "${id}" in two resources of this configuration`);
  expect(words).toContain("terraform state rm ADDRESS");
  expect(workspace.served().filter((request) => !request.startsWith("GET "))).toEqual([]);
  expect(workspace.emulator.store.networkAcls.values().map((each) => each.id)).toEqual([id]);
}

describe("deletes no ACL that another entry of an edited state manages:", () => {
  const apply = ["apply", "-auto-approve"];
  let id: string;
  beforeEach(async () => {
    id = await made(acl("a", 10), a);
    workspace.served();
  });

  test("a copy with the same private data", async () => {
    await copied();
    expectUntouched(await refused(...apply), id);
    // The remedy of the message works.
    expect((await workspace.terraform("state", "rm", b)).code).toBe(0);
    expect((await workspace.plan()).changes).toEqual([]);
  });

  test.each([[[]], [["-refresh=false", "-parallelism=1"]]])(
    "a deposed entry without private data, %j",
    async (flags) => {
      await deposed();
      expectUntouched(await refused(...apply, ...flags), id);
    },
  );
});

test("removes no member whom a copied entry of the member set still lists", async () => {
  const organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
  for (const flags of [[], ["-refresh=false"]]) {
    await workspace.apply(set("a", organization));
    await copied();
    expect(await refused("apply", "-auto-approve", ...flags)).toContain("Two sets for one organization");
    expect(workspace.emulator.store.members(organization)!.size).toBe(1);
    await workspace.terraform("state", "rm", "tenant_organization_member_set.b");
  }
});

describe("refuses", () => {
  test("two addresses of one ACL in the state, even when one is destroyed, until one is removed from the state", async () => {
    await doubled();
    const found = await refused("plan");
    for (const part of ['"b" with `priority` 11', '"a" with `priority` 10', "removed { from = ADDRESS"])
      expect(found).toContain(part);
    expect(await refused("plan", "-refresh=false")).toContain("Two resources for one network ACL");
    await workspace.write(acl("a", 10));
    const words = await refused("plan");
    expect(words).toContain("Two resources for one network ACL");
    expect(words).toContain("destroys it");
    await workspace.write(acl("a", 10) + forgotten(b));
    await workspace.apply();
    expect((await workspace.plan()).changes).toEqual([]);
    expect(workspace.emulator.store.networkAcls.size).toBe(1);
  });
});

describe("a key that is known only at apply", () => {
  const key = (value: string) => `
resource "terraform_data" "key" {
  input = ${value}
}
`;
  const late = (resource: string, value: string) => resource.replace(value, "terraform_data.key.output");
  const twin = acl("b", 10).replace('description = "b"', 'description = "a"');

  test.each<[string, string, string, string]>([
    ["Two ACLs with the same priority", acl("a", 10), twin, "10"],
    ["Two policies for the same applications", policy("a", "default"), policy("b", "default"), '"default"'],
  ])("makes no second object in the same apply: %s", async (words, one, other, value) => {
    await workspace.write(key(value) + late(one, value) + late(other, value));
    expect(await refused("apply", "-auto-approve")).toContain(words);
    const addresses = (await workspace.terraform("state", "list")).stdout.match(/^tenant_\S+$/gm)!;
    expect(addresses).toHaveLength(1);
    await workspace.write(key(value) + late(addresses[0]!.endsWith(".a") ? one : other, value));
    expect((await workspace.plan()).changes).toEqual([]);
  });

  test("may adopt an unchanged object of the state, and says how to part the two addresses", async () => {
    const id = await made(acl("a", 10), a);
    await workspace.write(acl("a", 10) + key("10") + late(twin, "10"));
    const { stdout } = await workspace.terraform("apply", "-auto-approve");
    expect(unwrapped(stdout)).toContain(
      `If \`terraform state list -id=${id}\` prints two addresses, take one of them out`,
    );
    await workspace.write(acl("a", 10) + key("10"));
    expect(await refused("plan")).toContain("Two resources for one network ACL");
    expect((await workspace.terraform("state", "rm", b)).code).toBe(0);
    expect((await workspace.plan()).changes).toEqual([]);
    expect(workspace.emulator.store.networkAcls.size).toBe(1);
  });
});

describe("allows", () => {
  test("removing an address from the state and importing its ACL at another in one change", async () => {
    const id = await made(acl("a", 10), a);
    await workspace.write(acl("b", 10) + forgotten(a) + imported(b, id));
    await workspace.apply();
    expect((await workspace.state(b)).id).toBe(id);
  });

  test("destroying both addresses", async () => {
    await doubled();
    // A destroy with a refresh first plans the configuration.
    const { code } = await workspace.terraform("destroy", "-auto-approve", "-refresh=false");
    expect(code).toBe(0);
    expect(workspace.emulator.store.networkAcls.size).toBe(0);
  });
});
