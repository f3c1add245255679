/** Notes on members appear in the plan and never reach the tenant. */
import { openWorkspace, unwrapped, type Workspace } from "../../support/workspace";

let workspace: Workspace;
let organization: string;
beforeEach(async () => {
  workspace = await openWorkspace();
  organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
});
afterEach(() => workspace.close());

const address = "tenant_organization_member_set.staff";
const set = (members: string, rest = "") => `
resource "tenant_organization_member_set" "staff" {
  organization_id = ${JSON.stringify(organization)}
  ${members}
  ${rest}
}
`;
const noted = (notes: object, rest = "") =>
  set(
    `members_with_notes = {\n${Object.entries(notes)
      .map(([id, note]) => `${JSON.stringify(id)} = ${JSON.stringify(note)}`)
      .join("\n")}\n}`,
    rest,
  );
const listed = (ids: string[], rest = "") => set(`members = ${JSON.stringify(ids)}`, rest);
const present = () => Array.from(workspace.emulator.store.members(organization)!, ([user]) => user).toSorted();
const refusal = async (hcl: string) => {
  await workspace.write(hcl);
  const { code, stderr } = await workspace.terraform("plan");
  expect(code).toBe(1);
  expect(stderr.match(/Error: /g)).toHaveLength(1);
  return unwrapped(stderr);
};

const ada = { "auth0|ada": "Ada Lovelace, legal" };
const grace = { "auth0|grace": "Grace Hopper, fleet" };
const linus = { "auth0|linus": "Linus Torvalds" };

test("shows the notes of members that change and the organization, and no other notes", async () => {
  await workspace.apply(noted({ ...ada, ...grace }));
  expect(present()).toEqual(["auth0|ada", "auth0|grace"]);
  await workspace.write(noted({ ...ada, ...linus }));
  const { output, changes } = await workspace.plan();
  expect(output).toMatch(/- "auth0\|grace" = "Grace Hopper, fleet" -> null/);
  expect(output).toMatch(/\+ "auth0\|linus" = "Linus Torvalds"/);
  expect(output).toMatch(new RegExp(`id +=? "${organization}"`));
  expect(output).not.toContain("Ada Lovelace");
  expect(changes).toMatchObject([{ change: { actions: ["update"] } }]);
  await workspace.apply();
  expect(present()).toEqual(["auth0|ada", "auth0|linus"]);
  expect((await workspace.plan()).changes).toEqual([]);
});

test("writes nothing to the tenant when a note changes or members replaces members_with_notes", async () => {
  await workspace.apply(noted({ ...ada, ...grace }));
  workspace.served();
  const forms = [
    noted({ ...ada, "auth0|grace": "Rear admiral" }),
    listed(["auth0|ada", "auth0|grace"]),
    noted({ ...ada, ...grace }),
  ];
  for (const hcl of forms) await workspace.apply(hcl);
  expect(workspace.served().filter((line) => !line.startsWith("GET"))).toEqual([]);
  expect((await workspace.plan()).changes).toEqual([]);
});

test("shows a member that was added outside Terraform with an empty note, and the apply removes the member", async () => {
  await workspace.apply(noted(ada));
  workspace.emulator.store.addMembers(organization, ["auth0|stranger"]);
  const { drift, changes } = await workspace.plan();
  expect(drift).toMatchObject([{ change: { after: { members_with_notes: { ...ada, "auth0|stranger": "" } } } }]);
  expect(changes).toMatchObject([{ change: { actions: ["update"] } }]);
  await workspace.apply();
  expect(present()).toEqual(["auth0|ada"]);
});

test("imports a set without notes, and adds the notes without a write to the tenant", async () => {
  workspace.emulator.store.addMembers(organization, ["auth0|ada"]);
  await workspace.write(noted(ada));
  expect((await workspace.terraform("import", address, organization)).code).toBe(0);
  expect(await workspace.state(address)).toMatchObject({ id: organization, members: ["auth0|ada"] });
  workspace.served();
  await workspace.apply();
  expect(workspace.served().filter((line) => !line.startsWith("GET"))).toEqual([]);
  expect((await workspace.state(address)).members_with_notes).toEqual(ada);
});

test("names the members that leave when a note is unknown until the apply", async () => {
  await workspace.apply(noted(ada));
  await workspace.write(`
    resource "terraform_data" "name" { input = "Grace" }
    ${set('members_with_notes = { "auth0|grace" = terraform_data.name.output }', "max_removals = 0")}
  `);
  const { code, stderr } = await workspace.terraform("plan");
  expect(code).toBe(1);
  expect(unwrapped(stderr)).toContain(`Organization ${organization} would lose 1 of 1 member: auth0|ada`);
});

test.each([
  ["both forms", 'members = []\n members_with_notes = { "auth0|a" = "" }', "are both given"],
  ["neither form", "", "Neither `members` nor `members_with_notes` is given"],
  [
    "a note that is null",
    'members_with_notes = { "auth0|a" = null }',
    '`members_with_notes["auth0|a"]` is null: give a value',
  ],
  ["an empty user id", 'members_with_notes = { "" = "x" }', '`members_with_notes` has the key "": give user ids'],
])("refuses %s", async (_what, members, words) => {
  expect(await refusal(set(members))).toContain(words);
});
