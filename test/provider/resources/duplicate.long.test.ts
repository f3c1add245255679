/** The plan refuses one object of the tenant at two addresses of one configuration. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import * as hcl from "../../support/hcl";
import { eachTest } from "../../support/each-test";
import { openWorkspace } from "../../support/workspace";

const workspace = eachTest(openWorkspace);

const acl = (name: string, priority: number, action = "block") =>
  hcl.acl(name, { action, priority, match: 'geo_country_codes = ["KP"]' });
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

const a = "tenant_network_acl.a";
const b = "tenant_network_acl.b";

async function made(text: string, address: string): Promise<string> {
  await workspace.apply(text);
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
  // Terraform plans the two in any order.
  const sentence = words.replace(`(${id}) (destroyed) manage`, `(${id}) manage`);
  expect(sentence).toContain(
    `network ACL "a" (${id}) manage the same network ACL ${id}. Each apply of one resource undoes the other`,
  );
  expect(words).toContain("`terraform state rm`");
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
    expectUntouched(await workspace.refused(...apply), id);
    // The remedy of the message works.
    expect((await workspace.terraform("state", "rm", b)).code).toBe(0);
    await workspace.settled();
  });

  test("a deposed entry without private data", async () => {
    await deposed();
    expectUntouched(await workspace.refused(...apply, "-refresh=false", "-parallelism=1"), id);
  });
});

test("refuses two addresses of one ACL in the state, even when one is destroyed, until one is removed from the state", async () => {
  await doubled();
  const found = await workspace.refused("plan");
  for (const part of ['etwork ACL "b" (acl_', 'etwork ACL "a" (acl_', "a removed block (destroy = false)"])
    expect(found).toContain(part);
  expect(await workspace.refused("plan", "-refresh=false")).toContain("Two resources for one network ACL");
  await workspace.write(acl("a", 10));
  const words = await workspace.refused("plan");
  expect(words).toContain("Two resources for one network ACL");
  expect(words).toMatch(/network ACL "a" \(acl_\w+\) \(destroyed\)/i);
  await workspace.write(acl("a", 10) + forgotten(b));
  await workspace.apply();
  await workspace.settled();
  expect(workspace.emulator.store.networkAcls.size).toBe(1);
});

test("allows removing an address from the state and importing its ACL at another in one change", async () => {
  const id = await made(acl("a", 10), a);
  await workspace.write(acl("b", 10) + forgotten(a) + imported(b, id));
  await workspace.apply();
  expect((await workspace.state(b)).id).toBe(id);
});
