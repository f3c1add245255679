/** Judges ends of network ACLs and members at a time of the test. */
import { endsIn, asPlanned } from "../../../src/impact/expiry/ends";
import { expiryFindings } from "../../../src/impact/expiry/findings";
import type { PlannedObject, Values } from "../../../src/impact/model";
import { networkAcl } from "../../../src/kinds/network-acl";
import { organizationMemberSet } from "../../../src/kinds/organization-member-set";
import { planned, values } from "../support/acls";

const end = "2026-12-01T18:00:00Z";
const boundary = Date.parse(end);
const day = 86_400_000;
const ending = (more: Values = {}) =>
  values(10, {}, { description: "Office", expires_at: end, expired: false, ...more });
const set = (more: Values = {}): Values => ({
  organization_id: "org_1",
  members: ["auth0|ada", "auth0|bob"],
  until: { "auth0|bob": end },
  ...more,
});
const team = (before: Values | undefined, after: Values, more: Partial<PlannedObject> = {}): PlannedObject => ({
  ...planned(before, after, more),
  type: "tenant_organization_member_set",
});
const judged = (object: PlannedObject, now: number) =>
  expiryFindings(endsIn([object], now), now).map(({ code, level, text }) => `${code} ${level}: ${text}`);

const off = ending({ active: false, expired: true });
const gone = set({ expired_members: ["auth0|bob"] });

test.each<[string, PlannedObject, number, string[]]>([
  [
    "an ACL that ends soon",
    planned(ending(), ending()),
    boundary - 8 * day,
    ['TF-EXPIRES-SOON info: Network ACL "Office" (acl_10) expires on 1 December 2026, 18:00 UTC, in 8 days.'],
  ],
  ["an ACL with more time", planned(ending(), ending()), boundary - 14 * day - 1, []],
  [
    "an ACL that the plan switches off",
    planned(ending(), off),
    boundary + 2 * day,
    [
      'TF-EXPIRED info: Network ACL "Office" (acl_10) expired on 1 December 2026, 18:00 UTC, 2 days ago. This plan switches the ACL ' +
        "off. Delete its block to remove it from the tenant.",
    ],
  ],
  [
    "an ACL that the plan leaves active",
    planned(ending(), ending()),
    boundary,
    [
      'TF-OVERDUE medium: Network ACL "Office" (acl_10) expired on 1 December 2026, 18:00 UTC, just now. This plan leaves it in ' +
        "force. Plan again with a refresh, and apply.",
    ],
  ],
  ["an ACL that is off", planned(off, off), boundary + day, []],
  ["an ACL that the plan destroys", planned(ending(), undefined), boundary + day, []],
  ["an ACL whose end is not known yet", planned(ending(), ending({ expires_at: Symbol("end") })), boundary, []],
  [
    "a member who leaves soon",
    team(set(), set()),
    boundary - 5 * 3_600_000,
    ["TF-EXPIRES-SOON info: The membership of auth0|bob in org_1 expires on 1 December 2026, 18:00 UTC, in 5 hours."],
  ],
  [
    "a member whom the plan removes",
    team(set(), gone),
    boundary,
    [
      "TF-EXPIRED info: The membership of auth0|bob in org_1 expired on 1 December 2026, 18:00 UTC, just now. This plan removes the " +
        "member. Delete the entry too.",
    ],
  ],
  ["a member who has gone", team(gone, gone), boundary + day, []],
  [
    "a sensitive description and time",
    planned(ending(), ending(), { afterSensitive: { description: true, expires_at: true } }),
    boundary - day,
    ["TF-EXPIRES-SOON info: Network ACL (sensitive) (acl_10) expires at a time that is sensitive."],
  ],
  [
    "sensitive members",
    team(set(), set(), { afterSensitive: { members: true } }),
    boundary - day,
    ["TF-EXPIRES-SOON info: The membership of (sensitive) in org_1 expires on 1 December 2026, 18:00 UTC, in 1 day."],
  ],
])("judges %s", (_what, object, now, findings) => expect(judged(object, now)).toEqual(findings));

test("names 5 members of one set, the next end first, and counts the others", () => {
  const ids = Array.from({ length: 8 }, (_, index) => `auth0|${index}`);
  const until = Object.fromEntries(ids.map((id, index) => [id, `2026-12-0${8 - index}T00:00:00Z`]));
  const now = boundary - 7 * day;
  const [found, ...others] = expiryFindings(endsIn([team(undefined, set({ members: ids, until }))], now), now);
  expect(others).toEqual([]);
  expect(found!.text).toMatch(/^The membership of auth0\|7 .*auth0\|3 .* 3 more expire\.$/);
});

test("reads no end from a hostile name or a prototype", () => {
  const hostile = Object.fromEntries([
    ["__proto__", end],
    ["<b>", end],
  ]);
  const object = team(undefined, set({ members: ["__proto__", "<b>"], until: hostile }));
  expect(endsIn([object], boundary).map(({ member, isNew }) => [member, isNew])).toEqual([
    ["__proto__", true],
    ["<b>", true],
  ]);
});

test("an object of a configuration counts as ended from its end", () => {
  const declared = { ...ending(), expired: undefined };
  expect(asPlanned(networkAcl, declared, boundary - 1)).toBe(declared);
  expect(asPlanned(networkAcl, declared, boundary)).toMatchObject({ active: false, expired: true });
  expect(asPlanned(networkAcl, ending(), boundary)).toMatchObject({ active: true, expired: false });
  expect(asPlanned(organizationMemberSet, set(), boundary)).toEqual(gone);
});
