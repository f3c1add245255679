/** The ends that a plan leaves: their status, their words, and the ends that a plan does not show. */
import { asPlanned, endsIn, hasEnd, type End } from "../../../src/impact/expiry/ends";
import { expiryFindings } from "../../../src/impact/expiry/findings";
import { consequenceOf, endWords } from "../../../src/impact/expiry/words";
import type { PlannedObject, Values } from "../../../src/impact/model";
import { networkAcl } from "../../../src/kinds/network-acl";
import { organizationMemberSet } from "../../../src/kinds/organization-member-set";
import { rateLimitPolicy } from "../../../src/kinds/rate-limit-policy";
import { planned, values } from "../support/acls";

const end = "2026-12-01T18:00:00Z";
const boundary = Date.parse(end);
const day = 86_400_000;
const unknown = Symbol("not known yet");
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
const only = (object: PlannedObject, now = boundary - day): End => {
  const ends = endsIn([object], now);
  expect(ends).toHaveLength(1);
  return ends[0]!;
};

describe("an object", () => {
  const type = "tenant_network_acl";

  test.each<[string, Pick<PlannedObject, "type" | "after">, boolean]>([
    ["with a time", { type, after: { expires_at: end } }, true],
    ["with a time that is not known yet", { type, after: { expires_at: unknown } }, true],
    ["without a time", { type, after: { expires_at: null } }, false],
    ["without the attribute", { type, after: {} }, false],
    ["that is destroyed", { type }, false],
    ["of a kind without ends", { type: "tenant_rate_limit_policy", after: { expires_at: end } }, false],
    ["of an unknown kind", { type: "aws_acl", after: { expires_at: end } }, false],
  ])("%s may end: %s", (_what, object, expected) => {
    expect(hasEnd(object)).toBe(expected);
    if (!expected) expect(endsIn([{ address: "a", actions: [], ...object }], boundary)).toEqual([]);
  });

  test.each([
    ["later", boundary - 14 * day - 1],
    ["soon", boundary - 14 * day],
    ["soon", boundary - 1],
    ["overdue", boundary],
    ["overdue", boundary + day],
  ])("in force has the status %s", (status, now) => {
    expect(only(planned(ending(), ending()), now).status).toBe(status);
  });

  const off = ending({ active: false });

  test.each<[string, Values | undefined, Values, number]>([
    ["expires", ending(), off, boundary],
    ["over", ending(), off, boundary - 1],
    ["over", off, off, boundary],
    ["over", undefined, off, boundary],
    ["expires", ending({ active: unknown }), off, boundary],
    ["overdue", off, ending({ active: unknown }), boundary],
  ])("has the status %s: %#", (status, before, after, now) => {
    expect(only(planned(before, after), now).status).toBe(status);
  });

  test.each<[string, Values | undefined, boolean]>([
    ["the same time", ending(), false],
    ["another time", ending({ expires_at: "2026-12-02T18:00:00Z" }), true],
    ["no time", ending({ expires_at: null }), true],
    ["no object", undefined, true],
  ])("has a new end if there was %s before: %#", (_what, before, expected) => {
    expect(only(planned(before, ending())).isNew).toBe(expected);
  });

  test.each<[string, Values]>([
    ['Network ACL "Office" (acl_10)', {}],
    ["Network ACL (known after apply) (acl_10)", { description: unknown }],
    ['Network ACL "Office"', { id: unknown }],
    [`Network ACL "${"o".repeat(47)}…" (${"a".repeat(47)}…)`, { description: "o".repeat(49), id: "a".repeat(49) }],
  ])("is called %s", (subject, more) => {
    const found = only(planned(ending(), ending(more)));
    expect(found).toMatchObject({ subject, end, instant: boundary });
    expect(found).not.toHaveProperty("member");
  });

  test("hides only the sensitive one of its description and its time", () => {
    const marked = (afterSensitive: Record<string, boolean>) => only(planned(ending(), ending(), { afterSensitive }));
    expect(marked({ description: true })).toMatchObject({ subject: "Network ACL (sensitive) (acl_10)", end });
    expect(marked({ expires_at: true })).toMatchObject({
      subject: 'Network ACL "Office" (acl_10)',
      end: "(sensitive)",
    });
  });

  test("has no end if its time is no instant", () => {
    expect(endsIn([planned(ending(), ending({ expires_at: "tomorrow" }))], boundary)).toEqual([]);
  });
});

describe("a member", () => {
  const subject = "The membership of auth0|bob in org_1";

  test.each<[string, Values | undefined, Values, number]>([
    ["soon", set(), set(), boundary - 14 * day],
    ["overdue", set(), set(), boundary],
    ["expires", set(), set({ expired_members: ["auth0|bob"] }), boundary],
    ["overdue", set(), set({ expired_members: ["auth0|ada"] }), boundary],
    ["expires", set(), set({ members: ["auth0|ada"] }), boundary],
    ["over", set({ members: [] }), set({ members: [] }), boundary],
    ["overdue", set(), set({ members: unknown }), boundary],
    ["overdue", set(), set({ members: null, members_with_notes: { "auth0|bob": "night shift" } }), boundary],
    ["expires", set(), set({ members: null, members_with_notes: { "auth0|ada": "" } }), boundary],
    ["overdue", set(), set({ members: null, members_with_notes: unknown }), boundary],
    ["overdue", set(), set({ members: null, members_with_notes: null }), boundary],
  ])("has the status %s: %#", (status, before, after, now) => {
    expect(only(team(before, after), now)).toMatchObject({ status, subject, member: "auth0|bob" });
  });

  test.each<[string, Values | undefined, boolean]>([
    ["the same time", set(), false],
    ["another time", set({ until: { "auth0|bob": "2026-12-02T18:00:00Z" } }), true],
    ["a time for another member", set({ until: { "auth0|ada": end } }), true],
    ["no times", set({ until: null }), true],
    ["times that were not known", set({ until: unknown }), true],
    ["no set", undefined, true],
  ])("has a new end if there was %s before: %#", (_what, before, expected) => {
    expect(only(team(before, set())).isNew).toBe(expected);
  });

  test("has a time of its own, and none if the time is no instant", () => {
    const until = { "auth0|ada": "2026-12-03T18:00:00Z", "auth0|bob": end, "auth0|eve": "tomorrow" };
    const found = endsIn([team(undefined, set({ until }))], boundary - day);
    expect(found.map(({ member, end: time }) => [member, time])).toEqual([
      ["auth0|ada", "2026-12-03T18:00:00Z"],
      ["auth0|bob", end],
    ]);
    expect(endsIn([team(set(), set({ until: unknown }))], boundary)).toEqual([]);
  });

  test.each<[string, Values, PlannedObject["afterSensitive"], string]>([
    ["The membership of auth0|bob in (sensitive)", {}, { organization_id: true }, end],
    ["The membership of (sensitive) in org_1", {}, { members: true }, end],
    ["The membership of (sensitive) in org_1", {}, { until: true }, "(sensitive)"],
    [subject, {}, { until: { "auth0|bob": true } }, "(sensitive)"],
    [subject, {}, { until: { "auth0|ada": true } }, end],
    [
      "The membership of auth0|bob in an organization that is not known yet",
      { organization_id: unknown },
      undefined,
      end,
    ],
    [`The membership of auth0|bob in ${"o".repeat(63)}…`, { organization_id: "o".repeat(65) }, undefined, end],
    [
      `The membership of ${"b".repeat(63)}… in org_1`,
      { members: ["b".repeat(65)], until: { ["b".repeat(65)]: end } },
      undefined,
      end,
    ],
  ])("is called %s: %#", (words, more, afterSensitive, time) => {
    const found = only(team(undefined, set(more), { ...(afterSensitive && { afterSensitive }) }));
    expect(found).toMatchObject({ subject: words, end: time });
  });
});

describe("a declared object counts as unchanged", () => {
  test.each([
    ["if its kind has no end", rateLimitPolicy, { expires_at: end }],
    ["without a time", networkAcl, { description: "Office" }],
    ["if its time is null", networkAcl, { expires_at: null }],
    ["if its time is no instant", networkAcl, { expires_at: "tomorrow" }],
    ["if its time is not known yet", networkAcl, { expires_at: unknown }],
    ["if the provider wrote that it expired", networkAcl, { expires_at: end, expired: false }],
    ["if its time has not come", networkAcl, { expires_at: end }, boundary - 1],
    ["if no member's time has come", organizationMemberSet, set(), boundary - 1],
    ["if the provider wrote the expired members", organizationMemberSet, set({ expired_members: [] })],
  ])("%s", (_what, kind, declared: Values, now = boundary + day) => {
    expect(asPlanned(kind, declared, now)).toBe(declared);
  });
});

test("a declared set loses exactly the members whose time has come", () => {
  const until = { "auth0|ada": "2026-12-02T18:00:00Z", "auth0|bob": end };
  const declared = set({ until, expired_members: null });
  expect(asPlanned(organizationMemberSet, declared, boundary)).toEqual({
    ...declared,
    expired_members: ["auth0|bob"],
  });
});

test("a declared ACL is off from its end, also if `expired` is null", () => {
  const declared = ending({ expired: null });
  expect(asPlanned(networkAcl, declared, boundary)).toEqual({ ...declared, active: false, expired: true });
});

describe("a finding", () => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `auth0|${index}`);
  const timed = (count: number) =>
    set({ members: ids(count), until: Object.fromEntries(ids(count).map((id) => [id, end])) });
  const textsOf = (object: PlannedObject, now: number) =>
    expiryFindings(endsIn([object], now), now).map(({ text }) => text);

  test("names 5 members without a count of others", () => {
    const [text] = textsOf(team(undefined, timed(5)), boundary - day);
    expect(text).toMatch(/auth0\|4 in org_1 expires on 1 December 2026, 18:00 UTC, in 1 day\.$/);
  });

  test("counts the others, and treats several members as several", () => {
    const overdue = textsOf(team(timed(7), timed(7)), boundary);
    expect(overdue).toHaveLength(1);
    expect(overdue[0]!.match(/auth0/g)).toHaveLength(5);
    expect(overdue[0]).toMatch(
      / 2 more expired\. This plan leaves them in force\. Plan again with a refresh, and apply\.$/,
    );
    const [removed] = textsOf(team(timed(2), { ...timed(2), expired_members: ids(2) }), boundary);
    expect(removed).toMatch(/just now\. This plan removes the members\. Delete the entries too\.$/);
  });

  test("is made for each status of a set, and has the address and the plan", () => {
    const until = { "auth0|ada": "2026-12-02T18:00:00Z", "auth0|bob": end, "auth0|eve": "2027-12-02T18:00:00Z" };
    const object = team(set({ until }), set({ until }), { plan: "edge" });
    expect(expiryFindings(endsIn([object, { ...object, address: "b" }], boundary), boundary)).toMatchObject([
      { code: "TF-EXPIRES-SOON", level: "info", address: "acl.x", plan: "edge" },
      { code: "TF-OVERDUE", level: "medium", address: "acl.x", plan: "edge" },
      { code: "TF-EXPIRES-SOON", level: "info", address: "b", plan: "edge" },
      { code: "TF-OVERDUE", level: "medium", address: "b", plan: "edge" },
    ]);
  });
});

test("several ACLs that expired are worded together", () => {
  expect(consequenceOf({ status: "expires" }, false)).toEqual([
    "This plan switches the ACLs off. Delete their blocks to remove them from the tenant.",
  ]);
});

test.each(["soon", "later", "over"] as const)("an end with the status %s has no consequence", (status) => {
  expect(consequenceOf({ status }, true)).toEqual([]);
});

test.each([
  ["soon", "expires"],
  ["later", "expires"],
  ["overdue", "expired"],
  ["expires", "expired"],
  ["over", "expired"],
] as const)("an end with the status %s is worded as %s", (status, verb) => {
  const found = { ...only(planned(ending(), ending())), status };
  expect(endWords(found, boundary - day)).toBe(
    `Network ACL "Office" (acl_10) ${verb} on 1 December 2026, 18:00 UTC, in 1 day`,
  );
});
