/** Real Terraform creates, updates, imports and destroys member sets. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openWorkspace, unwrapped, type Workspace } from "../../support/workspace";

let workspace: Workspace;
let organization: string;
beforeEach(async () => {
  workspace = await openWorkspace();
  organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
});
afterEach(() => workspace.close());

const address = "tenant_organization_member_set.staff";
const users = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `auth0|user-${from + index}`);
const membersOf = (id: string) => Array.from(workspace.emulator.store.members(id)!, ([user]) => user).toSorted();
const present = () => membersOf(organization);

const set = (members: string[], id = organization, rest = "") => `
resource "tenant_organization_member_set" "staff" {
  organization_id = ${JSON.stringify(id)}
  members         = ${JSON.stringify(members)}
  ${rest}
}
`;

const writes = () =>
  workspace.emulator.requests
    .filter(({ method, path }) => method !== "GET" && !path.startsWith("/oauth"))
    .map(({ method, body }) => [method, (body as { members: string[] }).members.length]);

test("adds 25 members in three API calls, and plans no change afterwards", async () => {
  await workspace.apply(set(users(0, 25)));
  expect(present()).toEqual(users(0, 25).toSorted());
  expect(writes()).toEqual([
    ["POST", 10],
    ["POST", 10],
    ["POST", 5],
  ]);
  expect((await workspace.plan()).changes).toEqual([]);
});

test("adds and removes members in one apply, and removes members that the set does not list", async () => {
  workspace.emulator.store.addMembers(organization, ["auth0|stranger"]);
  await workspace.apply(set(users(0, 12), organization, "remove_existing = true"));
  expect(present()).toEqual(users(0, 12).toSorted());

  workspace.emulator.requests.length = 0;
  await workspace.apply(set(users(6, 24), organization, "remove_existing = true"));
  expect(present()).toEqual(users(6, 24).toSorted());
  expect(writes()).toEqual([
    ["POST", 10],
    ["POST", 2],
    ["DELETE", 6],
  ]);
  expect((await workspace.plan()).changes).toEqual([]);
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
  await workspace.apply(set(users(0, 3), organization, 'on_destroy = "keep"'));
  await workspace.apply(late + moved);
  expect([present(), membersOf(other)]).toEqual([users(0, 3), users(0, 3)]);
});

test("judges no destroy of a set whose organization is gone", async () => {
  const other = workspace.emulator.store.addOrganization({ name: "other" }).id;
  const second = set(users(1, 2), other, "allow_empty = true").replace('"staff"', '"others"');
  await workspace.apply(set(users(0, 1)) + second);
  workspace.emulator.store.organizations.drop(organization);
  for (const rest of [second, ""]) {
    await workspace.write(rest);
    const { output } = await workspace.plan();
    expect(unwrapped(output)).toContain("The object is gone from the tenant");
    expect(unwrapped(output)).not.toContain(`Organization ${organization} would lose`);
    expect(unwrapped(output).includes(`Organization ${other} would lose 1 of 1 member`)).toBe(rest === "");
  }
});

test("shows drift, imports a set, destroys a set, and applies an empty set", async () => {
  await workspace.apply(set(users(0, 3)));
  workspace.emulator.store.addMembers(organization, ["auth0|stranger"]);
  const { drift, changes } = await workspace.plan();
  expect(drift).toMatchObject([{ change: { after: { members: [...users(0, 3), "auth0|stranger"].toSorted() } } }]);
  expect(changes).toMatchObject([{ change: { actions: ["update"] } }]);
  await workspace.apply();

  await workspace.terraform("state", "rm", address);
  expect((await workspace.terraform("import", address, organization)).code).toBe(0);
  expect((await workspace.plan()).changes).toEqual([]);
  await workspace.apply(set(users(0, 3), organization, "allow_empty = true"));
  await workspace.destroy();
  expect(present()).toEqual([]);

  await workspace.apply(set([]));
  expect((await workspace.plan()).changes).toEqual([]);
});

test("moves the members when organization_id changes", async () => {
  await workspace.apply(set(users(0, 3), organization, "allow_empty = true"));
  const other = workspace.emulator.store.addOrganization({ name: "other" }).id;
  await workspace.apply(set(users(0, 3), other, "allow_empty = true"));
  expect(present()).toEqual([]);
  expect(membersOf(other)).toHaveLength(3);
});

test("removes the set from the state when its organization was deleted", async () => {
  await workspace.apply(set(users(0, 3)));
  workspace.emulator.store.organizations.drop(organization);
  const { code, stdout, stderr } = await workspace.terraform("plan");
  expect(code).toBe(1);
  const words = unwrapped(stdout + stderr);
  expect(words).toContain(`no longer has the members of organization ${organization}`);
  expect(words).toContain(`\`organization_id\` is "${organization}": No organization found by that id`);
});

test("reports a missing organization at organization_id", async () => {
  await workspace.write(set(users(0, 3), "org_0123456789abcdef"));
  const { code, stderr } = await workspace.terraform("apply", "-auto-approve");
  expect(code).toBe(1);
  expect(stderr).toMatch(/organization_id = "org_0123456789abcdef"/);
  expect(unwrapped(stderr)).toContain("No organization found");
  expect(stderr.match(/Error: /g)).toHaveLength(1);
});

test("keeps the members that were added before a failure in the state, and the next apply completes the set", async () => {
  await workspace.apply(set(users(0, 2)));
  workspace.emulator.faults.add({ method: "POST", path: "/api/v2/organizations/*/members", nth: 2, status: 400 });
  await workspace.write(set(users(1, 26)));
  const { code } = await workspace.terraform("apply", "-auto-approve");
  expect(code).toBe(1);
  expect((await workspace.state(address)).members.toSorted()).toEqual(present());
  expect(present()).toContain("auth0|user-0");
  expect(present().length).toBeGreaterThan(2);
  expect(present().length).toBeLessThan(26);

  await workspace.apply();
  expect(present()).toEqual(users(1, 26).toSorted());
  expect((await workspace.plan()).changes).toEqual([]);
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
  const { changes, drift, output } = await workspace.plan(...options);
  expect({ changes, drift }).toEqual({ changes: [], drift: [] });
  expect(output).toContain("No changes.");
});

test("the data source reads all 230 members", async () => {
  workspace.emulator.store.addMembers(organization, users(0, 230));
  await workspace.apply(`
    data "tenant_organization_members" "all" {
      organization_id = ${JSON.stringify(organization)}
    }
    output "count" {
      value = length(data.tenant_organization_members.all.members)
    }
  `);
  expect((await workspace.terraform("output", "count")).stdout.trim()).toBe("230");
});
