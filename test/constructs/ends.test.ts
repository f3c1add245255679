/** Constructs of network ACLs and members that end. */
import { NetworkAcl, OrganizationMemberSet, type OrganizationMemberSetConfig } from "../../src/constructs";
import { openProject, type Project } from "./support/project";

let project: Project;
beforeEach(() => (project = openProject()));
afterEach(() => project.close());

const [past, future] = ["2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"];
const rule = { scope: "authentication", action: { allow: true }, match: { asns: [64496] } };
const team = (config: Omit<OrganizationMemberSetConfig, "organizationId">) => {
  new OrganizationMemberSet(project.stack, "team", { organizationId: "org_1", ...config });
  const complaints = project.complaints();
  if (complaints.length > 0) return complaints;
  const { "//": _metadata, ...written } = JSON.parse((project.app.synth(), project.read("cdk.tf.json"))).resource
    .tenant_organization_member_set.team;
  return written;
};

test("writes members with a note or an end into the attributes of the provider", () => {
  const members = ["auth0|ada", { userId: "auth0|bob", expiresAt: future, note: "Contractor" }];
  expect(team({ members })).toEqual({
    organization_id: "org_1",
    members_with_notes: { "auth0|ada": "", "auth0|bob": "Contractor" },
    expires_at: { "auth0|bob": future },
  });
});

test("writes plain members if none has a note, and keeps other ends", () => {
  const members = ["auth0|ada", { userId: "auth0|bob", expiresAt: future }];
  expect(team({ members, expiresAt: { "auth0|ada": future } })).toEqual({
    organization_id: "org_1",
    members: ["auth0|ada", "auth0|bob"],
    expires_at: { "auth0|ada": future, "auth0|bob": future },
  });
});

test.each<[string, object, RegExp]>([
  [
    "an unknown part of a member",
    { members: [{ userId: "auth0|a", untill: future }] },
    /`members\[0\]\.untill` is unknown/,
  ],
  ["a member who is listed twice", { members: ["auth0|a", { userId: "auth0|a" }] }, /lists "auth0\|a" twice/],
  [
    "a date alone",
    { members: [{ userId: "auth0|a", expiresAt: "2999-01-01" }] },
    /expiresAt.* is "2999-01-01": give a date and a time/,
  ],
  [
    "an end of a member who is not listed",
    { members: [], expiresAt: { "auth0|a": future } },
    /`expiresAt` has "auth0\|a"/,
  ],
])("refuses %s", (_what, config, words) => {
  expect(team(config)).toEqual([expect.stringMatching(words)]);
});

test("refuses active: true with expiresAt", () => {
  new NetworkAcl(project.stack, "acl", { description: "Office", active: true, expiresAt: future, rule });
  expect(project.complaints()).toEqual([
    "stack/acl: `active` is true, but `expiresAt` decides when the ACL stops being active. Remove `active`.",
  ]);
});

test("warns of ends that have passed, and not of others", () => {
  new NetworkAcl(project.stack, "old", { description: "Office", priority: 1, expiresAt: past, rule });
  new NetworkAcl(project.stack, "new", { description: "Plant", priority: 2, expiresAt: future, rule });
  team({ members: [{ userId: "auth0|a", expiresAt: past }, "auth0|b"] });
  expect(project.warnings().map((text) => text.replace(/\d+ days ago/, "… days ago"))).toEqual([
    'stack/old: Network ACL "Office" expired on 1 January 2020, 00:00 UTC, … days ago. The next plan switches it off. Delete it ' +
      "here too, or give a later time. [TNF-STILL-ACTIVE]",
    "stack/team: The membership of auth0|a in org_1 expired on 1 January 2020, 00:00 UTC, … days ago. The next plan removes the " +
      "member. Delete the entry here too, or give a later time. [TNF-STILL-ACTIVE]",
  ]);
});
