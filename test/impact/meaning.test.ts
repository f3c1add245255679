/** The meaning of a change, without ids and names of objects. */
import { withKeyNames } from "../../src/impact/meaning/meaning";
import type { Values } from "../../src/impact/model";
import type { MemberChange } from "../../src/impact/organization-member-set/changes";
import type { LimitChange } from "../../src/impact/rate-limit-policy/changes";
import { acl, block } from "./support/acls";
import { asn, keyObject, keys, limit, limits, material, meaning, rate, unknown, type Sides } from "./support/meanings";

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
