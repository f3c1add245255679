/** Objects and members that end, with Terraform and a clock of the test. */
import { openWorkspace, unwrapped, type Workspace } from "../../support/workspace";

const end = "2030-06-01T12:00:00+02:00";
const boundary = Date.parse(end);
let now = Date.parse("2030-05-01T00:00:00Z");
let workspace: Workspace;
let organization: string;

beforeAll(async () => {
  workspace = await openWorkspace({}, [], () => now);
  organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
});
afterAll(() => workspace.close());

const office = (name: string, priority: number, description: string) => `
resource "tenant_network_acl" "${name}" {
  description = "${description}"
  priority    = ${priority}
  expires_at  = "${end}"
  rule {
    scope = "authentication"
    action { allow = true }
    match { ipv4_cidrs = ["198.51.100.${priority}"] }
  }
}
`;
const team = () => `
resource "tenant_organization_member_set" "team" {
  organization_id = "${organization}"
  members         = ["auth0|ada", "auth0|bob"]
  expires_at      = { "auth0|bob" = "${end}" }
}
`;
const acls = () =>
  [...workspace.emulator.store.networkAcls.values()].map(({ description, active }) => [description, active]);
const members = () => Array.from(workspace.emulator.store.members(organization)!, ([user]) => user).toSorted();

test("a plan from before the end applies as planned, and the next plan ends the object and the member", async () => {
  await workspace.apply(office("office", 10, "Office") + team());
  expect(members()).toEqual(["auth0|ada", "auth0|bob"]);

  now = boundary - 1;
  await workspace.write(office("office", 10, "Old office") + team() + office("late", 20, "Late"));
  const before = await workspace.plan();
  expect(unwrapped(before.output)).toContain("3 network ACLs and memberships expire within 14 days");
  expect(before.changes.map(({ change }) => change.actions)).toEqual([["create"], ["update"]]);

  now = boundary;
  const applied = await workspace.terraform("apply", "-input=false", "plan");
  expect(applied.code).toBe(1);
  expect(applied.stderr.match(/Error: /g)).toEqual(["Error: "]);
  expect(unwrapped(applied.stderr)).toContain(
    `\`expires_at\` is "${end}", but it is 2030-06-01T10:00:00.000Z now: give a later time, or remove the network ACL.`,
  );
  expect(acls()).toEqual([["Old office", true]]);
  expect(members()).toEqual(["auth0|ada", "auth0|bob"]);

  await workspace.write(office("office", 10, "Old office") + team());
  const { output, changes } = await workspace.plan();
  expect(changes).toMatchObject([
    { change: { before: { active: true, expired: false }, after: { active: false, expired: true, expires_at: end } } },
    { change: { after: { members: ["auth0|ada", "auth0|bob"], expired_members: ["auth0|bob"] } } },
  ]);
  expect(unwrapped(output)).toContain("2 network ACLs and memberships expired");
  await workspace.terraform("apply", "-input=false", "plan");
  expect(acls()).toEqual([["Old office", false]]);
  expect(members()).toEqual(["auth0|ada"]);
  const quiet = await workspace.plan();
  expect([quiet.changes, quiet.drift]).toEqual([[], []]);
  expect(quiet.output).not.toContain("Warning");

  // A machine whose clock is a day behind.
  now = boundary - 86_400_000;
  expect((await workspace.plan()).changes).toEqual([]);
  const later = end.replace("06-01", "06-02");
  await workspace.write((office("office", 10, "Old office") + team()).replaceAll(end, later));
  expect((await workspace.plan()).changes).toMatchObject([
    {
      change: { before: { active: false, expired: true }, after: { active: true, expired: false, expires_at: later } },
    },
    { change: { after: { expires_at: { "auth0|bob": later }, expired_members: null } } },
  ]);
});
