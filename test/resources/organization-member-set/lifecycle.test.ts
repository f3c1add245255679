/** Real Terraform creates, changes, imports and destroys member sets. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openWorkspace, unwrapped } from "../../support/workspace";
import { eachTest } from "../../support/each-test";

const workspace = eachTest(openWorkspace);
let organization: string;
beforeEach(() => {
  organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
});

const address = "tenant_organization_member_set.staff";
const users = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `auth0|user-${from + index}`);
const membersOf = (id: string) => Array.from(workspace.emulator.store.members(id)!, ([user]) => user).toSorted();
const present = () => membersOf(organization);

const withBody = (body: string, id = organization) => `
resource "tenant_organization_member_set" "staff" {
  organization_id = ${JSON.stringify(id)}
  ${body}
}
`;
const set = (members: string[], rest = "", id = organization) =>
  withBody(`members = ${JSON.stringify(members)}\n  ${rest}`, id);
const noted = (notes: object) => withBody(`members_with_notes = ${JSON.stringify(notes).replaceAll('":', '" =')}`);

/** The writes since the last call, each with the number of members in its body. */
function writes() {
  const found = workspace.emulator.requests
    .filter(({ method, path }) => method !== "GET" && !path.startsWith("/oauth"))
    .map(({ method, body }) => [method, (body as { members: string[] }).members.length]);
  workspace.emulator.requests.length = 0;
  return found;
}
const isSettled = async () => expect((await workspace.plan()).changes).toEqual([]);

test("adds and removes members in the fewest calls, and removes members that the set does not list", async () => {
  workspace.emulator.store.addMembers(organization, ["auth0|stranger"]);
  await workspace.apply(set(users(0, 12), "remove_existing = true"));
  expect(writes()).toEqual([
    ["POST", 10],
    ["POST", 2],
    ["DELETE", 1],
  ]);
  expect(present()).toEqual(users(0, 12).toSorted());
  await workspace.apply(set(users(6, 24), "remove_existing = true"));
  expect(writes()).toEqual([
    ["POST", 10],
    ["POST", 2],
    ["DELETE", 6],
  ]);
  await isSettled();

  workspace.emulator.store.addMembers(organization, ["auth0|stranger"]);
  const { drift, changes } = await workspace.plan();
  expect(drift).toMatchObject([{ change: { after: { members: expect.arrayContaining(["auth0|stranger"]) } } }]);
  expect(changes).toMatchObject([{ change: { actions: ["update"] } }]);
  await workspace.apply(set(users(6, 24), "allow_empty = true"));
  expect(present()).toEqual(users(6, 24).toSorted());
  await workspace.destroy();
  expect(present()).toEqual([]);
});

test("empties no organization for a set that moves to one that is known only after the apply, unless it may", async () => {
  const other = workspace.emulator.store.addOrganization({ name: "other" }).id;
  const moved = set(users(0, 3)).replace(JSON.stringify(organization), "terraform_data.late.output");
  const late = `resource "terraform_data" "late" {\n  input = ${JSON.stringify(other)}\n}\n`;
  await workspace.apply(set(users(0, 3)));
  await workspace.write(late + moved);
  const { code, stderr } = await workspace.terraform("apply", "-auto-approve");
  expect([code, unwrapped(stderr)]).toEqual([1, expect.stringContaining("known only after the apply")]);
  expect(present()).toEqual(users(0, 3));
  await workspace.apply(set(users(0, 3), 'on_destroy = "keep"'));
  await workspace.apply(late + moved);
  expect([present(), membersOf(other)]).toEqual([users(0, 3), users(0, 3)]);
});

test("moves the members when organization_id changes", async () => {
  await workspace.apply(set(users(0, 3), "allow_empty = true"));
  const other = workspace.emulator.store.addOrganization({ name: "other" }).id;
  await workspace.apply(set(users(0, 3), "allow_empty = true", other));
  expect([present(), membersOf(other)]).toEqual([[], users(0, 3)]);
});

test("leaves members alone that a set with exclusive = false does not list", async () => {
  workspace.emulator.store.addMembers(organization, ["auth0|other"]);
  await workspace.apply(set(["auth0|a", "auth0|b"], "exclusive = false"));
  await isSettled();
  await workspace.apply(set(["auth0|b", "auth0|c"], "exclusive = false"));
  expect(present()).toEqual(["auth0|b", "auth0|c", "auth0|other"]);
  workspace.emulator.store.removeMembers(organization, ["auth0|c"]);
  expect((await workspace.plan()).changes).toMatchObject([{ change: { actions: ["update"] } }]);
  await workspace.destroy();
  expect(present()).toEqual(["auth0|other"]);
});

test("refuses the plan and the destroy of more removals than max_removals", async () => {
  const refused = async (...args: string[]) => {
    const { code, stderr } = await workspace.terraform(...args);
    expect(code).toBe(1);
    return unwrapped(stderr);
  };
  await workspace.apply(set(users(0, 8), "max_removals = 2"));
  expect(await refused("destroy", "-auto-approve")).toContain("All 8 members lose access to");
  await workspace.write(set(users(0, 1), "max_removals = 2"));
  expect(await refused("plan")).toContain("7 of 8 members lose access to");
  expect(present()).toEqual(users(0, 8));
});

test("removes a set from the state when its organization is gone, and judges no loss of its members", async () => {
  const other = workspace.emulator.store.addOrganization({ name: "other" }).id;
  const second = set(users(1, 2), "allow_empty = true", other).replace('"staff"', '"others"');
  await workspace.apply(set(users(0, 1)) + second);
  workspace.emulator.store.organizations.drop(organization);
  const { code, stdout, stderr } = await workspace.terraform("plan");
  expect([code, unwrapped(stdout + stderr)]).toEqual([
    1,
    expect.stringMatching(/no longer has the members of organization org_.* No organization found by that id/),
  ]);
  await workspace.write("");
  const { output } = await workspace.plan();
  expect(unwrapped(output)).toContain(`1 of 1 member loses access to ${other}`);
  expect(unwrapped(output)).not.toContain(`access to ${organization}`);
});

test("keeps the members that were added before a failure in the state, and the next apply completes the set", async () => {
  await workspace.apply(set(users(0, 2)));
  workspace.emulator.faults.add({ method: "POST", path: "/api/v2/organizations/*/members", nth: 2, status: 400 });
  await workspace.write(set(users(1, 26)));
  const { code } = await workspace.terraform("apply", "-auto-approve");
  expect(code).toBe(1);
  expect((await workspace.state(address)).members.toSorted()).toEqual(present());
  expect(present()).toContain("auth0|user-0");
  await workspace.apply();
  expect(present()).toEqual(users(1, 26).toSorted());
  await isSettled();
});

test.each([[], ["-refresh=false"]])("plans no change for a state without id, with options %p", async (...options) => {
  await workspace.apply(set(users(0, 3)));
  const file = join(workspace.directory, "terraform.tfstate");
  const state = JSON.parse(await readFile(file, "utf8"));
  const [instance] = state.resources[0].instances;
  instance.schema_version = 0;
  delete instance.attributes.id;
  delete instance.attributes.members_with_notes;
  await writeFile(file, JSON.stringify({ ...state, serial: state.serial + 1 }));
  const { changes, drift } = await workspace.plan(...options);
  expect({ changes, drift }).toEqual({ changes: [], drift: [] });
});

test("shows the notes of members that change, and writes no note to the tenant", async () => {
  const [ada, grace] = [{ "auth0|ada": "Ada Lovelace, legal" }, { "auth0|grace": "Grace Hopper, fleet" }];
  await workspace.apply(noted({ ...ada, ...grace }));
  writes();
  await workspace.apply(noted({ ...ada, "auth0|grace": "Rear admiral" }));
  await workspace.apply(set(["auth0|ada", "auth0|grace"]));
  await workspace.terraform("state", "rm", address);
  await workspace.write(noted({ ...ada, ...grace }));
  expect((await workspace.terraform("import", address, organization)).code).toBe(0);
  await workspace.apply();
  expect(writes()).toEqual([]);
  expect((await workspace.state(address)).members_with_notes).toEqual({ ...ada, ...grace });

  workspace.emulator.store.addMembers(organization, ["auth0|stranger"]);
  await workspace.write(noted({ ...ada, "auth0|linus": "Linus Torvalds" }));
  const { output, drift } = await workspace.plan();
  expect(drift).toMatchObject([{ change: { after: { members_with_notes: { ...ada, "auth0|stranger": "" } } } }]);
  expect(output).toMatch(/- "auth0\|grace" += "Grace Hopper, fleet" -> null/);
  expect(output).toMatch(/\+ "auth0\|linus" += "Linus Torvalds"/);
  expect(output).not.toContain("Ada Lovelace");
  await workspace.apply();
  expect(present()).toEqual(["auth0|ada", "auth0|linus"]);
});
