/** The meaning of a change, without ids and names of objects, and the comparison of two meanings. */
import { notKnown } from "../../src/access/access";
import type { End } from "../../src/impact/expiry/ends";
import { meantEnds } from "../../src/impact/meaning/ends";
import { withKeyNames } from "../../src/impact/meaning/key-names";
import { meaningOf, type JudgedChange, type Meaning, type MeantAcl } from "../../src/impact/meaning/meaning";
import { canonical, compareMeanings, digestOf, isNothing } from "../../src/impact/meaning/same";
import { differenceLines } from "../../src/impact/meaning/words";
import type { Marks, PlannedObject, Values } from "../../src/impact/model";
import type { MemberChange } from "../../src/impact/organization-member-set/changes";
import type { LimitChange } from "../../src/impact/rate-limit-policy/changes";
import { acl, allow, block, log } from "./support/acls";

const nothing: JudgedChange = {
  versions: { before: [], after: [] },
  limits: [],
  members: [],
  keys: [],
  ends: [],
  reasons: [],
  unseen: [],
};
const meaning = (change: Partial<JudgedChange> = {}) => meaningOf({ ...nothing, ...change });
const asn = (number: unknown) => ({ match: { asns: [number] } });
const unknown = notKnown("x");

test("a change of nothing means nothing", () => {
  expect(meaning()).toEqual({
    acls: { before: [], after: [] },
    limits: [],
    members: [],
    keys: [],
    ends: [],
    unknown: [],
    unseen: [],
  });
});

test("an ACL means its priority and its rule, if it is active", () => {
  const [one, off] = [acl(1, asn(1)), acl(2, asn(2), { active: false })];
  const { acls, unknown: open } = meaning({ versions: { before: [off, one], after: [off] } });
  expect(acls).toEqual({ before: [{ priority: 1, rule: one.rule }], after: [] });
  expect(open).toEqual([]);
});

test.each<[string, ReturnType<typeof acl>, string | undefined]>([
  ["nothing", acl(1, asn(1)), undefined],
  ["a sensitive description", acl(1, asn(1), {}, { description: true }), undefined],
  ["a sensitive rule", acl(1, asn(1), {}, { rule: { match: { asns: true } } }), "the sensitive asns of"],
  ["a sensitive priority", acl(1, asn(1), {}, { priority: true }), "the sensitive priority of"],
  ["an unknown priority", acl(1, asn(1), { priority: unknown }), 'a value of "ACL 1"'],
  ["an unknown entry", acl(1, asn(unknown)), 'a value of "ACL 1"'],
  ["an unknown entry in an inactive ACL", acl(1, asn(unknown), { active: false }), undefined],
])("an ACL with %s", (_name, one, reason) => {
  for (const versions of [
    { before: [one], after: [] },
    { before: [], after: [one] },
  ]) {
    const { acls, unknown: open } = meaning({ versions });
    expect(open).toEqual(reason === undefined ? [] : [expect.stringContaining(reason)]);
    const isKnown = reason === undefined && one.active;
    expect(acls.before.length + acls.after.length).toBe(isKnown ? 1 : 0);
  }
});

test("names several sensitive parts, and each reason once", () => {
  const secret = acl(1, { match: { asns: [1], geo_country_codes: ["DE"] } }, {}, { rule: { match: true } });
  const { unknown: open } = meaning({ versions: { before: [secret], after: [secret] }, reasons: ["a", "a", "b"] });
  expect(open).toEqual(["a", "b", expect.stringMatching(/^the sensitive \w+, \w+.* of "ACL 1"/)]);
  expect(meaning({ unseen: ["network_acls"] }).unseen).toEqual(["network_acls"]);
});

type Rate = NonNullable<LimitChange["after"]>;
const rate = (limit: number | null, more: Partial<Rate> = {}): Rate => ({
  action: "block",
  limit,
  by: "default",
  ...more,
});
const limit = (before: Rate | null, after: Rate | null, more: Partial<LimitChange> = {}): LimitChange => ({
  address: "policy.a",
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: "client_id:a",
  before,
  after,
  ...more,
});
const limits = (...changes: LimitChange[]) => meaning({ limits: changes });

test("a limit means its callers and its rates", () => {
  const redirect = { action: "redirect", redirect_uri: "https://example.com" };
  expect(limits(limit(null, rate(5)), limit(rate(5), rate(5)), limit(rate(5), rate(6, redirect))).limits).toEqual([
    {
      resource: "oauth_authentication_api",
      consumer: "client",
      selector: "client_id:a",
      before: null,
      after: { action: "block", limit: 5, by: "default" },
    },
    {
      resource: "oauth_authentication_api",
      consumer: "client",
      selector: "client_id:a",
      before: { action: "block", limit: 5, by: "default" },
      after: { limit: 6, by: "default", ...redirect },
    },
  ]);
  expect(Object.keys(limits(limit(null, rate(5))).limits[0]!.after!)).toEqual(["action", "limit", "by"]);
});

test("allow is no limit", () => {
  const none = rate(null, { action: "allow" });
  expect(limits(limit(null, none), limit(none, null)).limits).toEqual([]);
  expect(limits(limit(none, rate(5))).limits).toMatchObject([{ before: null }]);
});

test.each<[string, LimitChange, boolean]>([
  ["a known limit", limit(rate(4), rate(5)), false],
  ["an open change", limit(rate(5), rate(5), { open: true }), true],
  ["an unknown number", limit(rate(4), rate(null)), true],
  ["an unknown number before", limit(rate(null), rate(4)), true],
  ["an unknown number that stays", limit(rate(null), rate(null)), false],
  ["an unknown redirect", limit(null, rate(5, { action: "redirect", redirect_uri: "(known after apply)" })), true],
  ["a sensitive limit", limit(rate(5), rate(null, { action: "(sensitive)" })), true],
  ["a sensitive limit that goes", limit(rate(null, { action: "(sensitive)" }), null), true],
  ["sensitive callers", limit(rate(4), rate(5), { consumer_selector: "(sensitive)" }), true],
  ["unknown callers", limit(rate(4), rate(5), { consumer: "(known after apply)" }), true],
  ["a sensitive resource", limit(rate(4), rate(5), { resource: "(sensitive)" }), true],
  ["sensitive callers whose limit stays", limit(rate(5), rate(5), { consumer_selector: "(sensitive)" }), false],
])("%s", (_name, change, isUnknown) => {
  const words = `the limit of ${change.consumer_selector}`;
  expect(limits(change).unknown).toEqual(isUnknown ? [words] : []);
});

const members = (more: Partial<MemberChange>): MemberChange => ({
  address: "set.a",
  organization_id: "org_1",
  gains: [],
  may_gain: false,
  loses: [],
  may_lose: 0,
  before: null,
  after: null,
  ...more,
});

test("the members of one organization are joined, sorted, and counted once", () => {
  const changes = [
    members({ gains: ["b", "a"], loses: ["z"] }),
    members({ gains: ["c", "a"], loses: ["y"] }),
    members({ organization_id: "org_2" }),
    members({ organization_id: "org_3", loses: ["q"] }),
    members({ organization_id: "org_4", gains: ["q"] }),
  ];
  expect(meaning({ members: changes })).toMatchObject({
    members: [
      { organization: "org_1", gains: ["a", "b", "c"], loses: ["y", "z"] },
      { organization: "org_3", gains: [], loses: ["q"] },
      { organization: "org_4", gains: ["q"], loses: [] },
    ],
    unknown: [],
  });
});

test.each<[string, Partial<MemberChange>, string | undefined]>([
  ["known members", { gains: ["a"] }, undefined],
  ["an unknown organization", { organization_id: null, gains: ["a"] }, "the members of set.a"],
  ["a sensitive organization", { organization_id: "(sensitive)" }, "the members of (sensitive)"],
  ["members that may join", { may_gain: true }, "the members of org_1"],
  ["members that may leave", { may_lose: 2 }, "the members of org_1"],
  ["any number that may leave", { may_lose: null }, "the members of org_1"],
  ["a sensitive member that joins", { gains: ["(sensitive)"] }, "the members of org_1"],
  ["a sensitive member that leaves", { loses: ["(sensitive)"] }, "the members of org_1"],
])("%s", (_name, more, words) => {
  const { unknown: open, members: meant } = meaning({ members: [members(more)] });
  expect(open).toEqual(words === undefined ? [] : [words]);
  expect(meant.every(({ organization }) => organization !== null)).toBe(true);
});

interface Sides {
  readonly before?: Values;
  readonly after?: Values;
  readonly beforeSensitive?: Marks;
  readonly afterSensitive?: Marks;
}
const keyObject = (sides: Sides): PlannedObject => ({
  address: "key.a",
  type: "tenant_network_acl_key",
  actions: [],
  ...sides,
});
const material = (name: unknown, fingerprint: unknown = "f", more: Values = {}): Values => ({
  id: "key_1",
  name,
  alg: "hmac-sha256",
  fingerprint,
  ...more,
});
const keys = (...all: Sides[]) => meaning({ keys: all.map(keyObject) });

test("a key means its name, its algorithm and its material", () => {
  const [made] = keys({ after: material("a") }).keys;
  expect(made).toEqual({
    name: "a",
    before: null,
    after: { alg: "hmac-sha256", digest: expect.stringMatching(/^[\da-f]{64}$/) },
  });
  expect(keys({ before: material("a"), after: material("a", "f", { id: "key_2" }) }).keys).toEqual([]);
  const [rotated] = keys({ before: material("a"), after: material("a", "g") }).keys;
  expect(rotated).toMatchObject({ name: "a", before: made!.after });
  expect(rotated!.after!.digest).not.toBe(made!.after!.digest);
  expect(keys({ before: material("a"), after: material("a", "f", { alg: "other" }) }).keys).toMatchObject([
    { before: { alg: "hmac-sha256" }, after: { alg: "other" } },
  ]);
  expect(keys({ before: material("a") }).keys).toEqual([{ name: "a", before: made!.after, after: null }]);
});

test("a renamed key is one that goes and one that comes", () => {
  const { keys: found, unknown: open } = keys({ before: material("a"), after: material("b") });
  expect(found).toMatchObject([
    { name: "a", before: { alg: "hmac-sha256" }, after: null },
    { name: "b", before: null, after: { alg: "hmac-sha256" } },
  ]);
  expect(open).toEqual([]);
});

test.each<[string, Sides, boolean]>([
  ["a known key", { before: material("a"), after: material("a", "g") }, false],
  ["an unknown fingerprint", { before: material("a"), after: material("a", unknown) }, true],
  ["an unknown name", { after: material(unknown) }, true],
  ["an unknown algorithm", { after: material("a", "f", { alg: unknown }) }, true],
  ["a missing fingerprint", { before: { name: "a", alg: "x" }, after: material("a") }, true],
  [
    "a missing fingerprint that stays",
    { before: { name: "a", alg: "x" }, after: { name: "a", alg: "x", note: "" } },
    false,
  ],
  ["an unknown part that stays", { before: { name: "a" }, after: { name: "a", fingerprint: unknown } }, true],
  ["a sensitive name", { after: material("a"), afterSensitive: { name: true } }, true],
  ["a sensitive fingerprint before", { before: material("a"), beforeSensitive: { fingerprint: true } }, true],
  ["a sensitive algorithm", { before: material("a", "g"), after: material("a"), afterSensitive: { alg: true } }, true],
  ["another sensitive value", { after: material("a"), afterSensitive: { value: true } }, false],
  ["a sensitive key that stays", { before: material("a"), after: material("a"), afterSensitive: true }, false],
])("a key: %s", (_name, sides, isUnknown) => {
  const { unknown: open, keys: found } = keys(sides);
  expect(open).toEqual(isUnknown ? [expect.stringMatching(/^the material of key /)] : []);
  if (isUnknown) expect(found).toEqual([]);
});

const signed = (...ids: unknown[]) => ({
  http_message_signature: { keys: ids.map((id) => ({ id, extra: 1 })), other: 2 },
});

test("rules name keys by their names, because each tenant gives a key another id", () => {
  const named = withKeyNames([
    keyObject({ before: material("old", "f", { id: "key_0" }), after: material("new") }),
    keyObject({ after: material("secret", "f", { id: "key_2" }), afterSensitive: { name: true } }),
    keyObject({ before: material("hidden", "f", { id: "key_3" }), beforeSensitive: true }),
    keyObject({ after: { id: "key_4" } }),
    keyObject({ after: { id: 5, name: "number" } }),
  ]);
  const rule = { action: block, scope: "tenant", match: signed("key_1", "key_9", 5), not_match: signed("key_0") };
  const renamed = (...ids: unknown[]) => signed(...ids);
  expect(named(rule as never)).toEqual({
    ...rule,
    match: renamed('key "new"', "key_9", 5),
    not_match: renamed('key "old"'),
  });
  const untouched = { action: block, scope: "tenant", match: signed("key_2", "key_3", "key_4") };
  expect(named(untouched as never)).toEqual(untouched);
});

test.each<[string, Values]>([
  ["no criteria", { action: block, scope: "tenant", match_all: true }],
  ["no signature", { action: block, scope: "tenant", match: { asns: [1] } }],
  ["a signature without keys", { action: block, scope: "tenant", match: { http_message_signature: {} } }],
  ["a signature that is a list", { action: block, scope: "tenant", match: { http_message_signature: [] } }],
  ["a signature that is null", { action: block, scope: "tenant", match: { http_message_signature: null } }],
  [
    "keys that are no objects",
    { action: block, scope: "tenant", match: { http_message_signature: { keys: [null, "key_1", ["key_1"]] } } },
  ],
])("a rule with %s stays", (_name, rule) => {
  const one = keyObject({ after: material("new") });
  expect(withKeyNames([one])(rule as never)).toEqual(rule);
  expect(withKeyNames([])(rule as never)).toBe(rule);
});

test("the meaning of an ACL has the names of keys", () => {
  const one = acl(1, { match: signed("key_1") });
  const { acls } = meaning({ versions: { before: [], after: [one] }, keys: [keyObject({ after: material("new") })] });
  expect(acls.after[0]!.rule.match).toEqual(signed('key "new"'));
});

const end = (more: Partial<End>, after: Values = { priority: 10 }, marks?: Marks): End => ({
  object: {
    address: "a",
    type: "tenant_network_acl",
    actions: [],
    after,
    ...(marks !== undefined && { afterSensitive: marks }),
  },
  subject: 'Network ACL "Office"',
  end: "2026-12-01T18:00:00+01:00",
  instant: Date.UTC(2026, 11, 1, 17),
  status: "later",
  isNew: false,
  ...more,
});
const member = { member: "auth0|ada", subject: "The membership of auth0|ada in org_1" };

test.each<[string, End, string | undefined]>([
  ["later", end({}), "The network ACL with priority 10"],
  ["soon", end({ status: "soon" }), "The network ACL with priority 10"],
  ["overdue", end({ status: "overdue" }), "The network ACL with priority 10"],
  ["expired by the plan", end({ status: "expires" }), undefined],
  ["over before the plan", end({ status: "over" }), undefined],
  ["without a priority", end({}, {}), "The network ACL with priority 50"],
  ["with an unknown priority", end({}, { priority: unknown }), undefined],
  ["with a sensitive priority", end({}, { priority: 10 }, { priority: true }), undefined],
  [
    "with another sensitive value",
    end({}, { priority: 10 }, { description: true }),
    "The network ACL with priority 10",
  ],
  ["with a sensitive end", end({ end: "(sensitive)" }), undefined],
  ["of a member", end(member, {}), member.subject],
  ["of a member without a priority", end(member, { priority: unknown }), member.subject],
  ["of a sensitive member", end({ ...member, subject: "The membership of (sensitive) in org_1" }), undefined],
])("an end %s", (_name, one, what) => {
  expect(meantEnds([one])).toEqual(what === undefined ? [] : [{ what, end: "2026-12-01T17:00:00.000Z" }]);
});

const base = meaning();
const meant = (more: Partial<Meaning>): Meaning => ({ ...base, ...more });
const rule = (action: object, more: object = asn(1)) =>
  ({ action, scope: "authentication", ...more }) as MeantAcl["rule"];
const blocks = (number: number, priority = 1): MeantAcl => ({ priority, rule: rule(block, asn(number)) });
const after = (...acls: MeantAcl[]) => meant({ acls: { before: [], after: acls } });

describe("two changes", () => {
  test.each<[string, Meaning, Meaning, string]>([
    ["of nothing", base, base, "same"],
    ["with one rule", after(blocks(1)), after(blocks(1, 7)), "same"],
    ["with two orders of equal parts", after(blocks(1, 1), blocks(2, 2)), after(blocks(2, 1), blocks(1, 2)), "same"],
    ["with other rules", after(blocks(1)), after(blocks(2)), "different"],
    ["from other ACLs", after(blocks(1)), meant({ acls: { before: [blocks(1)], after: [blocks(1)] } }), "different"],
    ["one unknown", meant({ unknown: ["a"] }), base, "not known"],
    [
      "both unknown, with another limit",
      meant({ unknown: ["a"], members: [{ organization: "o", gains: ["a"], loses: [] }] }),
      meant({ unknown: ["a"] }),
      "different",
    ],
    [
      "one without ends of an older version",
      meant({ ends: [{ what: "a", end: "b" }] }),
      { ...base, ends: undefined } as never,
      "same",
    ],
    [
      "one without ends, reversed",
      { ...base, ends: undefined } as never,
      meant({ ends: [{ what: "a", end: "b" }] }),
      "same",
    ],
    ["with another end", meant({ ends: [{ what: "a", end: "b" }] }), base, "different"],
  ])("%s", (_name, one, other, verdict) => {
    expect(compareMeanings(one, other).verdict).toBe(verdict);
  });

  test("that are unknown differ in no requests, and name each reason once", () => {
    const found = compareMeanings({ ...after(blocks(1)), unknown: ["a", "b"] }, meant({ unknown: ["b", "c"] }));
    expect(found).toMatchObject({ verdict: "not known", requests: [], records: [], unknown: ["a", "b", "c"] });
  });

  test("differ in each part that one of them alone has, or has otherwise", () => {
    const one = limits(limit(null, rate(5)), limit(null, rate(9), { consumer_selector: "client_id:b" }));
    const other = limits(limit(null, rate(6)), limit(null, rate(9), { consumer_selector: "client_id:b" }));
    const team = (organization: string, ...gains: string[]) => ({ organization, gains, loses: [] });
    const found = compareMeanings(
      {
        ...one,
        members: [team("o", "a"), team("same", "x", "y")],
        keys: keys({ after: material("k") }).keys,
        ends: [{ what: "w", end: "1" }],
      },
      {
        ...other,
        members: [team("p", "a"), team("same", "y", "x")],
        keys: keys({ after: material("l") }).keys,
        ends: [{ what: "w", end: "2" }],
      },
    );
    expect(found.verdict).toBe("different");
    expect(found.limits).toEqual([{ one: one.limits[0], other: other.limits[0] }]);
    expect(found.members).toEqual([{ one: team("o", "a") }, { other: team("p", "a") }]);
    expect(found.keys.map((each) => [each.one?.name, each.other?.name])).toEqual([
      ["k", undefined],
      [undefined, "l"],
    ]);
    expect(found.ends).toEqual([{ one: { what: "w", end: "1" }, other: { what: "w", end: "2" } }]);
    const first = { what: "first", end: "1" };
    const ends = compareMeanings(meant({ ends: [first, { what: "w", end: "1" }] }), meant({ ends: [first] })).ends;
    expect(ends).toEqual([{ one: { what: "w", end: "1" } }]);
  });

  test("tell limits of other resources and consumers apart", () => {
    const found = compareMeanings(
      limits(limit(null, rate(5), { resource: "a" }), limit(null, rate(5), { consumer: "b" })),
      limits(limit(null, rate(5))),
    );
    expect(found.limits).toHaveLength(3);
  });

  test("differ in requests, with both effects", () => {
    const { requests, verdict, ...rest } = compareMeanings(after(blocks(1)), base);
    expect(verdict).toBe("different");
    expect(requests[0]).toMatchObject({
      one: { before: { outcome: "allowed" }, after: { outcome: "blocked" } },
      other: { before: { outcome: "allowed" }, after: { outcome: "allowed" } },
    });
    expect(rest.records).toEqual([]);
    expect(Object.keys(rest)).not.toContain("isDecided");
  });

  test("differ in records if one of them starts or stops to log", () => {
    const logs: MeantAcl = { priority: 1, rule: rule(log) };
    for (const acls of [
      { before: [], after: [logs] },
      { before: [logs], after: [] },
    ]) {
      for (const [one, other] of [
        [meant({ acls }), base],
        [base, meant({ acls })],
      ] as const) {
        const found = compareMeanings(one, other);
        expect([found.requests, found.records.length > 0, found.verdict]).toEqual([[], true, "different"]);
      }
    }
  });
});

test.each<[unknown, unknown, boolean]>([
  [[2, 1], [1, 2], true],
  [[1, 1], [1], false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: 1 }, { b: 1 }, false],
  [null, undefined, true],
  ["1", 1, false],
  [["a,b"], ["a", "b"], false],
  [[["a"], ["b"]], [["a", "b"]], false],
  [{ a: [{ b: 1, c: 2 }] }, { a: [{ c: 2, b: 1 }] }, true],
  [{}, [], false],
])("%j and %j are equal: %j", (one, other, isEqual) => {
  expect(canonical(one) === canonical(other)).toBe(isEqual);
});

test("a digest is equal for equal changes, and missing if something is not known", () => {
  const one = after(blocks(1), blocks(2));
  expect(digestOf(one)).toBe(digestOf(after(blocks(2), blocks(1))));
  expect(digestOf({ ...one, unknown: ["a"] })).toBeUndefined();
  const parts: Partial<Meaning>[] = [
    { limits: limits(limit(null, rate(5))).limits },
    { members: [{ organization: "o", gains: ["a"], loses: [] }] },
    { keys: keys({ after: material("k") }).keys },
    { ends: [{ what: "a", end: "b" }] },
    { unseen: ["network_acls"] },
    { acls: { before: [blocks(3)], after: [] } },
  ];
  expect(new Set([base, ...parts.map(meant)].map(digestOf)).size).toBe(parts.length + 1);
});

test("a change is nothing if it changes no request, limit, member and key", () => {
  const stands = { before: [blocks(1)], after: [blocks(1)] };
  expect(isNothing(meant({ acls: stands, ends: [{ what: "a", end: "b" }] }))).toBe(true);
  expect(isNothing(meant({ acls: stands, unknown: ["a"] }))).toBeUndefined();
  expect(isNothing(after(blocks(1)))).toBe(false);
  expect(isNothing(meant({ acls: { before: [blocks(1)], after: [] } }))).toBe(false);
  expect(isNothing(limits(limit(null, rate(5))))).toBe(false);
  expect(isNothing(meant({ members: [{ organization: "o", gains: ["a"], loses: [] }], unknown: ["a"] }))).toBe(false);
  expect(isNothing(keys({ after: material("k") }))).toBe(false);
});

const names = { one: "Approved", other: "Now" };
const lines = (one: Meaning, other: Meaning) => differenceLines(compareMeanings(one, other), names);

describe("words", () => {
  test("for requests", () => {
    expect(lines(after(blocks(1)), base)[0]).toMatch(
      /^A request such as \S+ from .*, asn 1\b.*\. Approved: allowed becomes blocked\. Now: stays allowed\.$/,
    );
    const redirects = after({
      priority: 1,
      rule: rule({ redirect: true, redirect_uri: `https://example.com/${"x".repeat(300)}` }),
    });
    const [words] = lines(base, redirects);
    expect(words).toContain("Approved: stays allowed. Now: allowed becomes redirected to https://example.com/xxx");
    expect(words).toMatch(/x…\.$/);
    expect(words!.length).toBeLessThan(500);
  });

  test("for records", () => {
    const logs = after({ priority: 1, rule: rule(log) });
    expect(lines(logs, base)).toEqual([
      expect.stringMatching(/Approved: not recorded becomes recorded\. Now: stays not recorded\.$/),
    ]);
    const stops = meant({ acls: { before: [{ priority: 1, rule: rule(log) }], after: [] } });
    const stays = meant({
      acls: { before: [{ priority: 1, rule: rule(log) }], after: [{ priority: 1, rule: rule(log) }] },
    });
    expect(lines(stops, stays)).toEqual([
      expect.stringMatching(/Approved: recorded becomes not recorded\. Now: stays recorded\.$/),
    ]);
  });

  test("for limits", () => {
    const redirect = rate(6, { action: "redirect", redirect_uri: "https://example.com", by: "client_id:a" });
    const selector = "client_id:".padEnd(60, "a");
    expect(
      lines(
        limits(limit(null, rate(5)), limit(null, rate(5), { consumer_selector: selector })),
        limits(limit(rate(5), redirect)),
      ),
    ).toEqual([
      "The limit of client_id:a. Approved: no limit becomes block above 5/s (default). Now: block above 5/s (default) becomes " +
        "redirect to https://example.com above 6/s.",
      `The limit of ${selector.slice(0, 47)}…. Approved: no limit becomes block above 5/s (default). Now: unchanged.`,
    ]);
  });

  test("for members", () => {
    const team = (organization: string, gains: string[], loses: string[]) =>
      meant({ members: [{ organization, gains, loses }] });
    const many = ["a", "b", "c", "d", "e", "f", "g"];
    const long = "z".repeat(60);
    expect(lines(team("o", many, [long]), team("o", [], many.slice(0, 5)))).toEqual([
      `The members of o. Approved: gains a, b, c, d, e, 2 more and loses ${"z".repeat(47)}…. Now: loses a, b, c, d, e.`,
    ]);
    expect(lines(base, team(long, many.slice(0, 6), []))).toEqual([
      `The members of ${"z".repeat(47)}…. Approved: unchanged. Now: gains a, b, c, d, e, 1 more.`,
    ]);
  });

  test("for keys", () => {
    const [made, rotated, gone] = [
      keys({ after: material('k"') }),
      keys({ before: material('k"'), after: material('k"', "g") }),
      keys({ before: material('k"') }),
    ];
    expect(lines(made, rotated)).toEqual(['The key "k\\"". Approved: is created. Now: gets other material.']);
    expect(lines(gone, base)).toEqual(['The key "k\\"". Approved: is destroyed. Now: unchanged.']);
  });

  test("for ends and for what is not known", () => {
    const ends = (time: string, what = "The ACL") => meant({ ends: [{ what, end: time }] });
    expect(lines(ends("2026-12-01T17:00:00.000Z"), meant({ unknown: ["the limit of a"] }))).toEqual([
      "The ACL. Approved: ends on 1 December 2026, 17:00 UTC. Now: has no end or is not in force.",
      "Not known: the limit of a.",
    ]);
    const [words] = lines(base, ends("2026-12-01T17:00:00.000Z", "w".repeat(300)));
    expect(words).toMatch(/^w{199}…\. Approved: has no end or is not in force\. Now: ends on/);
  });
});

test("allow and block of one request are compared by their priority", () => {
  const first = [{ priority: 1, rule: rule(allow) }, blocks(1, 2)];
  const last = [{ priority: 3, rule: rule(allow) }, blocks(1, 2)];
  expect(compareMeanings(after(...first), after(...last)).verdict).toBe("different");
});
