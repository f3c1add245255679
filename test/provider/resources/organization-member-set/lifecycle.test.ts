/** Real Terraform changes member sets: several of one organization, failures halfway, and members that the tenant changes itself. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { eachTest } from "../../../support/each-test";
import { openWorkspace, unwrapped } from "../../../support/workspace";

const workspace = eachTest(() => openWorkspace());
let organization: string;
let partner: string;
beforeEach(() => {
  const { store } = workspace.emulator;
  [organization, partner] = ["acme", "partner"].map((name) => store.addOrganization({ name }).id) as [string, string];
});

const staff = "tenant_organization_member_set.staff";
const membersOf = (id: string) => Array.from(workspace.emulator.store.members(id)!, ([user]) => user).toSorted();
const present = () => membersOf(organization);
const users = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `auth0|user-${from + index}`);

const withBody = (body: string, id = organization) => `
resource "tenant_organization_member_set" "staff" {
  organization_id = ${JSON.stringify(id)}
  ${body}
}
`;
const set = (members: string[], rest = "", id = organization) =>
  withBody(`members = ${JSON.stringify(members)}\n  ${rest}`, id);

type Sets = Readonly<Record<string, readonly [members: string, dependsOn?: string]>>;
const together = (sets: Sets) =>
  Object.entries(sets)
    .map(([name, [members, dependsOn]]) => {
      const after = dependsOn ? `depends_on = [tenant_organization_member_set.${dependsOn}]` : "";
      const ids = members.split(" ").map((one) => `auth0|${one}`);
      return set(ids, `exclusive = false\n  ${after}`).replace('"staff"', JSON.stringify(name));
    })
    .join("");

test.each<[string, Sets, Sets, string]>([
  ["moves to a set before", { a: ["ada bob", "b"], b: ["carl"] }, { a: ["ada", "b"], b: ["bob carl"] }, "ada bob carl"],
  ["moves to a set after", { a: ["ada bob"], b: ["carl", "a"] }, { a: ["ada"], b: ["bob carl", "a"] }, "ada bob carl"],
  ["stays in another set", { a: ["ada bob"], b: ["bob carl"] }, { a: ["ada"], b: ["bob carl"] }, "ada bob carl"],
  ["stays in a later set", { a: ["ada bob"], b: ["bob", "a"] }, { a: ["ada"], b: ["bob dan", "a"] }, "ada bob dan"],
  ["is of a set that is destroyed", { a: ["ada bob"], b: ["bob carl"] }, { b: ["bob carl"] }, "bob carl"],
  ["is of a set that is split", { a: ["ada bob"] }, { b: ["ada"], c: ["bob"] }, "ada bob"],
  ["leaves both sets", { a: ["ada bob"], b: ["bob carl"] }, { a: ["ada"], b: ["carl"] }, "ada carl"],
  ["leaves the set that stays", { a: ["ada bob"], b: ["bob carl"] }, { b: ["carl"] }, "carl"],
])("keeps the access of a member of several sets, and no other, who %s", async (_what, before, after, left) => {
  await workspace.apply(together(before));
  await workspace.apply(together(after));
  expect(present()).toEqual(left.split(" ").map((one) => `auth0|${one}`));
  await workspace.settled();
});

test("keeps a member of another set when a set moves to another organization", async () => {
  const other = set(["auth0|bob"], "exclusive = false").replace('"staff"', '"other"');
  await workspace.apply(set(["auth0|ada", "auth0|bob"], "exclusive = false") + other);
  await workspace.apply(set(["auth0|ada"], "exclusive = false", partner) + other);
  expect([present(), membersOf(partner)]).toEqual([["auth0|bob"], ["auth0|ada"]]);
});

test("empties no organization for a set that moves to one that is known only after the apply, unless it may", async () => {
  const moved = set(users(0, 3)).replace(JSON.stringify(organization), "terraform_data.late.output");
  const late = `resource "terraform_data" "late" {\n  input = ${JSON.stringify(partner)}\n}\n`;
  await workspace.apply(set(users(0, 3)));
  await workspace.write(late + moved);
  expect(await workspace.refused("apply", "-auto-approve")).toContain("known only after the apply");
  expect(present()).toEqual(users(0, 3));
  await workspace.apply(set(users(0, 3), 'on_destroy = "keep"'));
  await workspace.apply(late + moved);
  expect([present(), membersOf(partner)]).toEqual([users(0, 3), users(0, 3)]);
});

test("removes a set from the state when its organization is gone, and judges no loss of its members", async () => {
  const second = set(users(1, 2), "allow_empty = true", partner).replace('"staff"', '"others"');
  await workspace.apply(set(users(0, 1)) + second);
  workspace.emulator.store.organizations.drop(organization);
  const { code, stdout, stderr } = await workspace.terraform("plan");
  expect([code, unwrapped(stdout + stderr)]).toEqual([
    1,
    expect.stringMatching(/no longer has the members of organization org_.* No organization found by that id/),
  ]);
  await workspace.write("");
  const { output } = await workspace.plan();
  expect(unwrapped(output)).toContain(`1 of 1 member loses access to ${partner}`);
  expect(unwrapped(output)).not.toContain(`access to ${organization}`);
});

test("adds a member who was removed since the plan before it removes the others", async () => {
  await workspace.apply(set(users(0, 2)));
  await workspace.write(set(users(1, 2)));
  workspace.emulator.store.removeMembers(organization, users(1, 2));
  const { code } = await workspace.terraform("apply", "-auto-approve", "-refresh=false");
  expect([code, present()]).toEqual([0, users(1, 2)]);
});

test("removes a member whose addition had no response", async () => {
  const impatient = `provider "tenant" {\n  max_retry_wait = 0.1\n}\n`;
  await workspace.apply(set(users(0, 1), "exclusive = false"));
  workspace.emulator.faults.add({ method: "POST", path: "/api/v2/organizations/*/members", reset: "after" });
  await workspace.write(impatient + set(users(0, 2), "exclusive = false"));
  expect([await workspace.terraform("apply", "-auto-approve"), present()]).toMatchObject([{ code: 1 }, users(0, 2)]);
  await workspace.apply(set(users(0, 1), "exclusive = false"));
  expect(present()).toEqual(users(0, 1));
});

test("removes a member whose id the tenant spells in another Unicode form", async () => {
  const [composed, decomposed] = ["samlp|acme|\u00e9mile", "samlp|acme|e\u0301mile"];
  workspace.emulator.store.addMembers(organization, [decomposed!]);
  const noted = withBody(`members_with_notes = { ${JSON.stringify(composed)} = "\u00c9mile", "auth0|a" = "" }`);
  await workspace.apply(noted);
  await workspace.settled();
  expect(present()).toEqual(["auth0|a", decomposed]);
  await workspace.apply(set(["auth0|a"]));
  expect(present()).toEqual(["auth0|a"]);
});

test("keeps the members that were added before a failure in the state, and the next apply completes the set", async () => {
  await workspace.apply(set(users(0, 2)));
  workspace.emulator.faults.add({ method: "POST", path: "/api/v2/organizations/*/members", nth: 2, status: 400 });
  await workspace.write(set(users(1, 26)));
  await workspace.refused("apply", "-auto-approve");
  expect((await workspace.state(staff)).members.toSorted()).toEqual(present());
  expect(present()).toContain("auth0|user-0");
  await workspace.apply();
  expect(present()).toEqual(users(1, 26).toSorted());
  await workspace.settled();
});

test.each([[], ["-refresh=false"]])("plans no change for a state without id, with options %p", async (...options) => {
  await workspace.apply(set(users(0, 3)));
  const file = path.join(workspace.directory, "terraform.tfstate");
  const state = JSON.parse(await readFile(file, "utf8"));
  const [instance] = state.resources[0].instances;
  instance.schema_version = 0;
  delete instance.attributes.id;
  delete instance.attributes.members_with_notes;
  await writeFile(file, JSON.stringify({ ...state, serial: state.serial + 1 }));
  const { changes, drift } = await workspace.plan(...options);
  expect({ changes, drift }).toEqual({ changes: [], drift: [] });
});

const noted = (notes: object) => withBody(`members_with_notes = ${JSON.stringify(notes).replaceAll('":', '" =')}`);

test("shows the notes of members that change, and writes no note to the tenant", async () => {
  const [ada, grace] = [{ "auth0|ada": "Ada Lovelace, legal" }, { "auth0|grace": "Grace Hopper, fleet" }];
  await workspace.apply(noted({ ...ada, ...grace }));
  workspace.emulator.requests.length = 0;
  await workspace.apply(noted({ ...ada, "auth0|grace": "Rear admiral" }));
  await workspace.apply(set(["auth0|ada", "auth0|grace"]));
  await workspace.terraform("state", "rm", staff);
  await workspace.write(noted({ ...ada, ...grace }));
  expect((await workspace.terraform("import", staff, organization)).code).toBe(0);
  await workspace.apply();
  expect(workspace.emulator.requests.filter(({ path: at }) => at.startsWith("/api/"))).not.toContainEqual(
    expect.objectContaining({ method: expect.not.stringMatching("GET") }),
  );
  expect((await workspace.state(staff)).members_with_notes).toEqual({ ...ada, ...grace });

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

test("finds an organization by its name, and says which name or scope is missing", async () => {
  const named = (name: string) => `data "tenant_organization" "it" {\n  name = "${name}"\n}\n`;
  await workspace.apply(
    named("acme") + set(users(0, 1)).replace(JSON.stringify(organization), "data.tenant_organization.it.id"),
  );
  expect(present()).toEqual(users(0, 1));
  const failed = async (name: string) => {
    await workspace.write(named(name));
    return workspace.refused("plan");
  };
  const noSuch =
    'no organization whose `name` is "Acme Inc.". Check the value: give the `name`, not the display name or the id.';
  expect(await failed("Acme Inc.")).toContain(noSuch);
  expect(await failed("")).toContain('`name` is "": give the name of the organization');
  const scope = { errorCode: "insufficient_scope", message: "Insufficient scope, expected any of: read:organizations" };
  workspace.emulator.faults.add({ method: "GET", path: "/api/v2/organizations/name/*", status: 403, body: scope });
  expect(await failed("acme")).toContain("expected any of: read:organizations. Grant");
});
