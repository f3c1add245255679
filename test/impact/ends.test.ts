/** Ends of network ACLs and members at a time of the test: their status, words and effects, and those of declared objects. */
import { worded } from "./support/worded";
import { asPlanned, endsIn, expiryEffects, consequenceOf, endWords } from "../../src/impact/expiry";
import type { PlannedObject, Values } from "../../src/impact/model";
import { networkAcl } from "../../src/kinds/network-acl";
import { organizationMemberSet } from "../../src/kinds/organization-member-set";
import { rateLimitPolicy } from "../../src/kinds/rate-limit-policy";
import { planned, values } from "./support/acls";
import { table } from "./support/table";

const end = "2026-12-01T18:00:00Z";
const boundary = Date.parse(end);
const day = 86_400_000;
const unknown = Symbol("not known yet");
const ending = (more: Values = {}) =>
  values(10, {}, { description: "Office", expires_at: end, expired: false, ...more });
const set = (more: Values = {}): Values => ({
  organization_id: "org_1",
  members: ["auth0|ada", "auth0|bob"],
  expires_at: { "auth0|bob": end },
  ...more,
});
const team = (before: Values | undefined, after: Values, more: Partial<PlannedObject> = {}): PlannedObject => ({
  ...planned(before, after, more),
  type: "tenant_organization_member_set",
});
const gone = set({ expired_members: ["auth0|bob"] });
const off = ending({ active: false, expired: true });

/** All that is known of the ends of an object, and its effects. */
function told(object: PlannedObject, now: number): string[] {
  const all = endsIn([object], now);
  const ends = all.map(({ subject, member, end: time, instant, status, isNew }) => {
    const at = instant === boundary ? "" : ` at ${new Date(instant).toISOString()}`;
    return `${status}${isNew ? " new" : ""} ${member ?? "object"}: ${subject}, ${time}${at}`;
  });
  const effects = expiryEffects(all, now)
    .map(worded)
    .map(
      ({ code, level, address, plan, text }) =>
        `${code} ${level} ${[address, plan].filter(Boolean).join(" ")}: ${text}`,
    );
  return [...ends, ...effects];
}
type Case = [string, PlannedObject, number?];

test("an object with an end", () => {
  const kept = (more?: Values) => planned(ending(), ending(more));
  const marked = (afterSensitive: Record<string, boolean>) => planned(ending(), ending(), { afterSensitive });
  const other = (more: Values) => planned(ending(more), ending());
  const cases: Case[] = [
    ["14 days before", kept(), boundary - 14 * day],
    ["8 days before", kept(), boundary - 8 * day],
    ["on its end", kept(), boundary],
    ["switched off by the plan", planned(ending(), off), boundary + 2 * day],
    ["switched off before the end", planned(ending(), off), boundary - 1],
    ["perhaps on before", planned(ending({ active: unknown }), off), boundary],
    ["perhaps on after", planned(off, ending({ active: unknown })), boundary],
    ["destroyed", planned(ending(), undefined), boundary + day],
    ["created", planned(undefined, ending())],
    ["with another time before", other({ expires_at: "2026-12-02T18:00:00Z" })],
    ["with an unknown description", kept({ description: unknown })],
    ["without a known id", kept({ id: unknown })],
    ["with long names", kept({ description: "o".repeat(49), id: "a".repeat(49) })],
    ["with a sensitive description", marked({ description: true })],
    ["with a sensitive time", marked({ expires_at: true })],
    ["with a time that is no instant", kept({ expires_at: "tomorrow" })],
    ["with an unknown time", kept({ expires_at: unknown }), boundary],
    ["of a kind without ends", { ...kept(), type: "tenant_rate_limit_policy" }],
    ["of an unknown kind", { ...kept(), type: "aws_acl" }],
  ];
  const found = table(cases, (object, now = boundary - day) => told(object, now));
  expect(found).toMatchInlineSnapshot(`
    "
    14 days before: soon object: Network ACL "Office" (acl_10), 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: Network ACL "Office" (acl_10) expires on 1 December 2026, 18:00 UTC, in 14 days.
    8 days before: soon object: Network ACL "Office" (acl_10), 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: Network ACL "Office" (acl_10) expires on 1 December 2026, 18:00 UTC, in 8 days.
    on its end: still active object: Network ACL "Office" (acl_10), 2026-12-01T18:00:00Z | TNF-STILL-ACTIVE medium acl.x: Network ACL "Office" (acl_10) expired on 1 December 2026, 18:00 UTC, just now. This plan leaves it active. Plan again with a refresh, and apply.
    switched off by the plan: expires object: Network ACL "Office" (acl_10), 2026-12-01T18:00:00Z | TNF-EXPIRED info acl.x: Network ACL "Office" (acl_10) expired on 1 December 2026, 18:00 UTC, 2 days ago. This plan switches the ACL off. Delete its block to remove it from the tenant.
    switched off before the end: over object: Network ACL "Office" (acl_10), 2026-12-01T18:00:00Z
    perhaps on before: expires object: Network ACL "Office" (acl_10), 2026-12-01T18:00:00Z | TNF-EXPIRED info acl.x: Network ACL "Office" (acl_10) expired on 1 December 2026, 18:00 UTC, just now. This plan switches the ACL off. Delete its block to remove it from the tenant.
    perhaps on after: still active object: Network ACL "Office" (acl_10), 2026-12-01T18:00:00Z | TNF-STILL-ACTIVE medium acl.x: Network ACL "Office" (acl_10) expired on 1 December 2026, 18:00 UTC, just now. This plan leaves it active. Plan again with a refresh, and apply.
    created: soon new object: Network ACL "Office" (acl_10), 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: Network ACL "Office" (acl_10) expires on 1 December 2026, 18:00 UTC, in 1 day.
    with another time before: soon new object: Network ACL "Office" (acl_10), 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: Network ACL "Office" (acl_10) expires on 1 December 2026, 18:00 UTC, in 1 day.
    with an unknown description: soon object: Network ACL (known after apply) (acl_10), 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: Network ACL (known after apply) (acl_10) expires on 1 December 2026, 18:00 UTC, in 1 day.
    without a known id: soon object: Network ACL "Office", 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: Network ACL "Office" expires on 1 December 2026, 18:00 UTC, in 1 day.
    with long names: soon object: Network ACL "ooooooooooooooooooooooooooooooooooooooooooooooo…" (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…), 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: Network ACL "ooooooooooooooooooooooooooooooooooooooooooooooo…" (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…) expires on 1 December 2026, 18:00 UTC, in 1 day.
    with a sensitive description: soon object: Network ACL (sensitive) (acl_10), 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: Network ACL (sensitive) (acl_10) expires on 1 December 2026, 18:00 UTC, in 1 day.
    with a sensitive time: soon object: Network ACL "Office" (acl_10), (sensitive) | TNF-EXPIRES-SOON info acl.x: Network ACL "Office" (acl_10) expires at a time that is sensitive.
    nothing: destroyed; with a time that is no instant; with an unknown time; of a kind without ends; of an unknown kind
    "
  `);
});

test("a member with an end", () => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `auth0|${index}`);
  const timed = (count: number, timeOf = (_index: number) => end) =>
    set({ members: ids(count), expires_at: Object.fromEntries(ids(count).map((id, at) => [id, timeOf(at)])) });
  const stays = (more?: Values, marks?: PlannedObject["afterSensitive"]) =>
    team(set(), set(more), { ...(marks !== undefined && { afterSensitive: marks }) });
  const was = (more: Values) => team(set(more), set());
  const long = "b".repeat(65);
  const three = { "auth0|ada": "2026-12-02T18:00:00Z", "auth0|bob": end, "auth0|eve": "2027-12-02T18:00:00Z" };
  const noList = (notes: unknown) => ({ members: null, members_with_notes: notes });
  const hostile = Object.fromEntries(["__proto__", "<b>"].map((id) => [id, end]));
  const cases: Case[] = [
    ["14 days before", stays(), boundary - 14 * day],
    ["on its end", stays(), boundary],
    ["removed by the plan", team(set(), gone), boundary],
    ["another removed by the plan", stays({ expired_members: ["auth0|ada"] }), boundary],
    ["no longer listed", stays({ members: ["auth0|ada"] }), boundary],
    ["never listed", team(set({ members: [] }), set({ members: [] })), boundary],
    ["gone before", team(gone, gone), boundary + day],
    ["unknown members", stays({ members: unknown }), boundary],
    ["listed with notes", stays(noList({ "auth0|bob": "night shift" })), boundary],
    ["not listed with notes", stays(noList({ "auth0|ada": "" })), boundary],
    ["no list at all", stays(noList(null)), boundary],
    ["another time before", was({ expires_at: { "auth0|bob": "2026-12-02T18:00:00Z" } })],
    ["no times before", was({ expires_at: null })],
    ["a new set", team(undefined, set())],
    ["unknown times", stays({ expires_at: unknown }), boundary],
    ["times of their own, one of which is no instant", stays({ expires_at: { ...three, "auth0|eve": "tomorrow" } })],
    ["a sensitive organization", stays({}, { organization_id: true })],
    ["sensitive members", stays({}, { members: true })],
    ["sensitive times", stays({}, { expires_at: true })],
    ["a sensitive time", stays({}, { expires_at: { "auth0|bob": true } })],
    ["an unknown organization", stays({ organization_id: unknown })],
    ["a long id", stays({ members: [long], expires_at: { [long]: end } })],
    ["hostile ids", team(undefined, set({ members: ["__proto__", "<b>"], expires_at: hostile })), boundary],
    [
      "three statuses in a plan",
      team(set({ expires_at: three }), set({ expires_at: three }), { plan: "edge" }),
      boundary,
    ],
    ["two members removed", team(timed(2), { ...timed(2), expired_members: ids(2) }), boundary],
  ];
  const found = table(cases, (object, now = boundary - day) => told(object, now));
  expect(found).toMatchInlineSnapshot(`
    "
    14 days before: soon auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: The membership of auth0|bob in org_1 expires on 1 December 2026, 18:00 UTC, in 14 days.
    on its end: still active auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z | TNF-STILL-ACTIVE medium acl.x: The membership of auth0|bob in org_1 expired on 1 December 2026, 18:00 UTC, just now. This plan leaves it active. Plan again with a refresh, and apply.
    removed by the plan: expires auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z | TNF-EXPIRED info acl.x: The membership of auth0|bob in org_1 expired on 1 December 2026, 18:00 UTC, just now. This plan removes the member. Delete the entry too.
    another removed by the plan: still active auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z | TNF-STILL-ACTIVE medium acl.x: The membership of auth0|bob in org_1 expired on 1 December 2026, 18:00 UTC, just now. This plan leaves it active. Plan again with a refresh, and apply.
    no longer listed: expires auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z | TNF-EXPIRED info acl.x: The membership of auth0|bob in org_1 expired on 1 December 2026, 18:00 UTC, just now. This plan removes the member. Delete the entry too.
    never listed: over auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z
    gone before: over auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z
    unknown members: still active auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z | TNF-STILL-ACTIVE medium acl.x: The membership of auth0|bob in org_1 expired on 1 December 2026, 18:00 UTC, just now. This plan leaves it active. Plan again with a refresh, and apply.
    listed with notes: still active auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z | TNF-STILL-ACTIVE medium acl.x: The membership of auth0|bob in org_1 expired on 1 December 2026, 18:00 UTC, just now. This plan leaves it active. Plan again with a refresh, and apply.
    not listed with notes: expires auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z | TNF-EXPIRED info acl.x: The membership of auth0|bob in org_1 expired on 1 December 2026, 18:00 UTC, just now. This plan removes the member. Delete the entry too.
    no list at all: still active auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z | TNF-STILL-ACTIVE medium acl.x: The membership of auth0|bob in org_1 expired on 1 December 2026, 18:00 UTC, just now. This plan leaves it active. Plan again with a refresh, and apply.
    another time before: soon new auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: The membership of auth0|bob in org_1 expires on 1 December 2026, 18:00 UTC, in 1 day.
    no times before: soon new auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: The membership of auth0|bob in org_1 expires on 1 December 2026, 18:00 UTC, in 1 day.
    a new set: soon new auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: The membership of auth0|bob in org_1 expires on 1 December 2026, 18:00 UTC, in 1 day.
    times of their own, one of which is no instant: soon new auth0|ada: The membership of auth0|ada in org_1, 2026-12-02T18:00:00Z at 2026-12-02T18:00:00.000Z | soon auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: The membership of auth0|bob in org_1 expires on 1 December 2026, 18:00 UTC, in 1 day. The membership of auth0|ada in org_1 expires on 2 December 2026, 18:00 UTC, in 2 days.
    a sensitive organization: soon auth0|bob: The membership of auth0|bob in (sensitive), 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: The membership of auth0|bob in (sensitive) expires on 1 December 2026, 18:00 UTC, in 1 day.
    sensitive members: soon auth0|bob: The membership of (sensitive) in org_1, 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: The membership of (sensitive) in org_1 expires on 1 December 2026, 18:00 UTC, in 1 day.
    sensitive times: soon auth0|bob: The membership of (sensitive) in org_1, (sensitive) | TNF-EXPIRES-SOON info acl.x: The membership of (sensitive) in org_1 expires at a time that is sensitive.
    a sensitive time: soon auth0|bob: The membership of auth0|bob in org_1, (sensitive) | TNF-EXPIRES-SOON info acl.x: The membership of auth0|bob in org_1 expires at a time that is sensitive.
    an unknown organization: soon auth0|bob: The membership of auth0|bob in an organization that is not known yet, 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: The membership of auth0|bob in an organization that is not known yet expires on 1 December 2026, 18:00 UTC, in 1 day.
    a long id: soon new bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb: The membership of bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb… in org_1, 2026-12-01T18:00:00Z | TNF-EXPIRES-SOON info acl.x: The membership of bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb… in org_1 expires on 1 December 2026, 18:00 UTC, in 1 day.
    hostile ids: still active new __proto__: The membership of __proto__ in org_1, 2026-12-01T18:00:00Z | still active new <b>: The membership of <b> in org_1, 2026-12-01T18:00:00Z | TNF-STILL-ACTIVE medium acl.x: The membership of __proto__ in org_1 expired on 1 December 2026, 18:00 UTC, just now. The membership of <b> in org_1 expired on 1 December 2026, 18:00 UTC, just now. This plan leaves them active. Plan again with a refresh, and apply.
    three statuses in a plan: soon auth0|ada: The membership of auth0|ada in org_1, 2026-12-02T18:00:00Z at 2026-12-02T18:00:00.000Z | still active auth0|bob: The membership of auth0|bob in org_1, 2026-12-01T18:00:00Z | over auth0|eve: The membership of auth0|eve in org_1, 2027-12-02T18:00:00Z at 2027-12-02T18:00:00.000Z | TNF-EXPIRES-SOON info acl.x edge: The membership of auth0|ada in org_1 expires on 2 December 2026, 18:00 UTC, in 1 day. | TNF-STILL-ACTIVE medium acl.x edge: The membership of auth0|bob in org_1 expired on 1 December 2026, 18:00 UTC, just now. This plan leaves it active. Plan again with a refresh, and apply.
    two members removed: expires auth0|0: The membership of auth0|0 in org_1, 2026-12-01T18:00:00Z | expires auth0|1: The membership of auth0|1 in org_1, 2026-12-01T18:00:00Z | TNF-EXPIRED info acl.x: The membership of auth0|0 in org_1 expired on 1 December 2026, 18:00 UTC, just now. The membership of auth0|1 in org_1 expired on 1 December 2026, 18:00 UTC, just now. This plan removes the members. Delete the entries too.
    nothing: unknown times
    "
  `);

  const textsOf = (one: Values, now: number) =>
    expiryEffects(endsIn([team(one, one)], now), now).map((ending) => worded(ending).text);
  const [five, ...none] = textsOf(timed(5), boundary - day);
  expect([five, none]).toEqual([expect.stringMatching(/auth0\|4 in org_1 expires on 1 December .*, in 1 day\.$/), []]);
  const [seven] = textsOf(timed(7), boundary);
  expect(seven!.match(/auth0/g)).toHaveLength(5);
  expect(seven).toMatch(/ 2 more expired\. This plan leaves them active\. Plan again with a refresh, and apply\.$/);
  const [eight] = textsOf(
    timed(8, (at) => `2026-12-0${8 - at}T00:00:00Z`),
    boundary - 7 * day,
  );
  expect(eight).toMatch(/^The membership of auth0\|7 .*auth0\|3 .* 3 more expire\.$/);
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
  const expires_at = { "auth0|ada": "2026-12-02T18:00:00Z", "auth0|bob": end };
  const declared = set({ expires_at, expired_members: null });
  expect(asPlanned(organizationMemberSet, declared, boundary)).toEqual({
    ...declared,
    expired_members: ["auth0|bob"],
  });
});

test("a declared ACL is off from its end, also if `expired` is null", () => {
  const declared = ending({ expired: null });
  expect(asPlanned(networkAcl, declared, boundary)).toEqual({ ...declared, active: false, expired: true });
});

test("the words of each status, and of several objects", () => {
  const [found] = endsIn([planned(ending(), ending())], boundary - day);
  const words = (["soon", "later", "still active", "expires", "over"] as const).map((status) =>
    [endWords({ ...found!, status }, boundary - day).split(" ")[4], ...consequenceOf({ status }, false)].join(": "),
  );
  expect(words).toEqual([
    "expires",
    "expires",
    "expired: This plan leaves them active. Plan again with a refresh, and apply.",
    "expired: This plan switches the ACLs off. Delete their blocks to remove them from the tenant.",
    "expired",
  ]);
});
