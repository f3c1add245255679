/** The meaning of a change, without ids and names of objects; when two meanings are the same; and the words of their differences. */
import { notKnown } from "../../src/access/access";
import {
  meaningOf,
  withKeyNames,
  type JudgedChange,
  type Meaning,
  type MeantAcl,
} from "../../src/impact/meaning/meaning";
import { compareMeanings, differenceLines, digestOf, isNothing } from "../../src/impact/meaning/same";
import type { PlannedObject, Values } from "../../src/impact/model";
import type { MemberChange } from "../../src/impact/organization-member-set/changes";
import type { LimitChange } from "../../src/impact/rate-limit-policy/changes";
import { canonical } from "../../src/impact/value";
import { acl, allow, block, log } from "./support/acls";
import { table } from "./support/table";

const unknown = notKnown("x");
const [versions, limits, members, keys] = [{ before: [], after: [] }, [], [], []];
const of = (change: Partial<JudgedChange> = {}): Meaning =>
  meaningOf({ versions, limits, members, keys, reasons: [], unseen: [], ...change });
const base = of();
const meant = (more: Partial<Meaning>): Meaning => ({ ...base, ...more });

type Rate = NonNullable<LimitChange["after"]>;
const rate = (number: number | null, more: Partial<Rate> = {}): Rate => ({
  action: "block",
  limit: number,
  by: "default",
  ...more,
});
const redirect = (redirect_uri: string) => rate(6, { action: "redirect", redirect_uri, by: "client_id:a" });
const limit = (before: Rate | null, after: Rate | null, more: Partial<LimitChange> = {}): LimitChange => ({
  address: "policy.a",
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: "client_id:a",
  before,
  after,
  ...more,
});
const ofLimits = (...changes: LimitChange[]) => of({ limits: changes });

const set = (more: Partial<MemberChange>): MemberChange => ({
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
const team = (organization_id: string, gains: string[], loses: string[] = []) =>
  meant({ members: [{ organization_id, gains, loses }] });

type Sides = Pick<PlannedObject, "before" | "after" | "beforeSensitive" | "afterSensitive">;
const keyObject = (sides: Sides): PlannedObject => ({
  address: "key.a",
  type: "tenant_network_acl_key",
  actions: [],
  ...sides,
});
const secret = (name: unknown, fingerprint: unknown = "f", more: Values = {}): Values => ({
  id: "key_1",
  name,
  alg: "hmac-sha256",
  fingerprint,
  ...more,
});
const ofKeys = (...all: Sides[]) => of({ keys: all.map(keyObject) });
const signed = (...ids: unknown[]) => ({
  http_message_signature: { keys: ids.map((id) => ({ id, extra: 1 })), other: 2 },
});

const asn = (number: unknown) => ({ match: { asns: [number] } });
const rule = (action: object, more: object = asn(1)) =>
  ({ action, scope: "authentication", ...more }) as unknown as MeantAcl["rule"];
const blocks = (number: number, priority = 1): MeantAcl => ({ priority, rule: rule(block, asn(number)) });
const from = (before: MeantAcl[], after: MeantAcl[]) => meant({ network_acls: { before, after } });
const to = (...acls: MeantAcl[]) => from([], acls);

test("a change means its active ACLs, the limits that change, the members of an organization together, and its keys", () => {
  const [one, off] = [acl(1, asn(1)), acl(2, asn(2), { active: false })];
  const none = rate(null, { action: "allow" });
  const found = of({
    versions: { before: [off, one], after: [off, acl(3, { match: signed("key_3") })] },
    limits: [
      limit(null, rate(5)),
      limit(rate(5), rate(5)),
      limit(none, redirect("https://a.example")),
      limit(null, none),
    ],
    members: [
      set({ gains: ["b", "a"], loses: ["z"] }),
      set({ gains: ["c", "a"], loses: ["y"] }),
      set({ organization_id: "org_2" }),
    ],
    keys: [
      { before: secret("a"), after: secret("a", "f", { id: "key_2" }) },
      { before: secret("b"), after: secret("b", "g") },
      { before: secret("c"), after: secret("d", "g", { id: "key_3" }) },
    ].map(keyObject),
    reasons: ["r", "r"],
    unseen: ["network_acls"],
  });
  const callers = { resource: "oauth_authentication_api", consumer: "client", consumer_selector: "client_id:a" };
  const [f, g] = ["f", "g"].map((text) => ofKeys({ after: secret("k", text) }).keys[0]!.after);
  expect(f).toEqual({ alg: "hmac-sha256", digest: expect.stringMatching(/^[\da-f]{64}$/) });
  expect(found).toEqual({
    network_acls: {
      before: [{ priority: 1, rule: one.rule }],
      after: [{ priority: 3, rule: rule(block, { match: signed('key "d"') }) }],
    },
    limits: [
      { ...callers, before: null, after: { action: "block", limit: 5, by: "default" } },
      { ...callers, before: null, after: redirect("https://a.example") },
    ],
    members: [{ organization_id: "org_1", gains: ["a", "b", "c"], loses: ["y", "z"] }],
    keys: [
      { name: "b", before: f, after: g },
      { name: "c", before: f, after: null },
      { name: "d", before: null, after: g },
    ],
    unknown: ["r"],
    unseen: ["network_acls"],
  });
  expect(base).toMatchObject({ network_acls: { before: [], after: [] }, unknown: [], unseen: [] });
});

test("what is not known", () => {
  const both = { match: { asns: [1], geo_country_codes: ["DE"] } };
  const [hiddenLimit, kept] = [rate(null, { action: "(sensitive)" }), { name: "a", alg: "x" }];
  const acls = (one: ReturnType<typeof acl>) => of({ versions: { before: [one], after: [one] } });
  const people = (more: Partial<MemberChange>) => of({ members: [set(more)] });
  const cases: [string, Meaning][] = [
    ["an ordinary ACL", acls(acl(1, asn(1)))],
    ["a sensitive description", acls(acl(1, asn(1), {}, { description: true }))],
    ["sensitive criteria", acls(acl(1, both, {}, { rule: { match: true } }))],
    ["a sensitive priority", acls(acl(1, asn(1), {}, { priority: true }))],
    ["an unknown priority", acls(acl(1, asn(1), { priority: unknown }))],
    ["an unknown entry", acls(acl(1, asn(unknown)))],
    ["an unknown entry in an inactive ACL", acls(acl(1, asn(unknown), { active: false }))],
    ["an open limit", ofLimits(limit(rate(5), rate(5), { open: true }))],
    ["an unknown number", ofLimits(limit(rate(4), rate(null)))],
    ["an unknown number that stays", ofLimits(limit(rate(null), rate(null)))],
    ["an unknown redirect", ofLimits(limit(null, redirect("(known after apply)")))],
    ["a sensitive limit that goes", ofLimits(limit(hiddenLimit, null))],
    ["sensitive callers", ofLimits(limit(rate(4), rate(5), { consumer_selector: "(sensitive)" }))],
    ["unknown callers", ofLimits(limit(rate(4), rate(5), { consumer: "(known after apply)" }))],
    ["sensitive callers whose limit stays", ofLimits(limit(rate(5), rate(5), { consumer_selector: "(sensitive)" }))],
    ["known members", people({ gains: ["a"] })],
    ["an unknown organization", people({ organization_id: null, gains: ["a"] })],
    ["a sensitive organization", people({ organization_id: "(sensitive)" })],
    ["members that may join", people({ may_gain: true })],
    ["members that may leave", people({ may_lose: null })],
    ["a sensitive member that leaves", people({ loses: ["(sensitive)"] })],
    ["a known key", ofKeys({ before: secret("a"), after: secret("a", "g") })],
    ["an unknown fingerprint", ofKeys({ before: secret("a"), after: secret("a", unknown) })],
    ["an unknown name", ofKeys({ after: secret(unknown) })],
    ["a missing fingerprint", ofKeys({ before: kept, after: secret("a") })],
    ["a missing fingerprint that stays", ofKeys({ before: kept, after: { ...kept, note: "" } })],
    ["an unknown part that stays", ofKeys({ before: { name: "a" }, after: { name: "a", fingerprint: unknown } })],
    ["a sensitive name", ofKeys({ after: secret("a"), afterSensitive: { name: true } })],
    ["a sensitive fingerprint", ofKeys({ before: secret("a"), beforeSensitive: { fingerprint: true } })],
    ["another sensitive value", ofKeys({ after: secret("a"), afterSensitive: { value: true } })],
    ["a sensitive key that stays", ofKeys({ before: secret("a"), after: secret("a"), afterSensitive: true })],
  ];
  expect(table(cases, (one) => one.unknown)).toMatchInlineSnapshot(`
    "
    sensitive criteria: the sensitive ipv4_cidrs, ipv6_cidrs, connecting_ipv4_cidrs, connecting_ipv6_cidrs, geo_country_codes, geo_subdivision_codes, asns, user_agents, hostnames, ja3_fingerprints, ja4_fingerprints, auth0_managed, http_message_signature of "ACL 1" (priority 1)
    a sensitive priority: the sensitive priority of "ACL 1" (priority (sensitive))
    an unknown priority: a value of "ACL 1" (priority not known yet)
    an unknown entry: a value of "ACL 1" (priority 1)
    an open limit: the limit of client_id:a
    an unknown number: the limit of client_id:a
    an unknown redirect: the limit of client_id:a
    a sensitive limit that goes: the limit of client_id:a
    sensitive callers: the limit of (sensitive)
    unknown callers: the limit of client_id:a
    an unknown organization: the members of set.a
    a sensitive organization: the members of (sensitive)
    members that may join: the members of org_1
    members that may leave: the members of org_1
    a sensitive member that leaves: the members of org_1
    an unknown fingerprint: the material of key "a"
    an unknown name: the material of key whose name is known after apply
    a missing fingerprint: the material of key "a"
    an unknown part that stays: the material of key "a"
    a sensitive name: the material of key (sensitive)
    a sensitive fingerprint: the material of key "a"
    nothing: an ordinary ACL; a sensitive description; an unknown entry in an inactive ACL; an unknown number that stays; sensitive callers whose limit stays; known members; a known key; a missing fingerprint that stays; another sensitive value; a sensitive key that stays
    "
  `);
  for (const [, one] of cases) {
    const { network_acls: shown, keys: found } = one;
    if (one.unknown.length > 0) expect([shown, found]).toEqual([{ before: [], after: [] }, []]);
  }
});

test("rules name keys by their names, because each tenant gives a key another id", () => {
  const named = withKeyNames([
    keyObject({ before: secret("old", "f", { id: "key_0" }), after: secret("new") }),
    keyObject({ after: secret("secret", "f", { id: "key_2" }), afterSensitive: { name: true } }),
    keyObject({ after: { id: "key_4" } }),
    keyObject({ after: { id: 5, name: "number" } }),
  ]);
  const whole = rule(block, { match: signed("key_1", "key_9", 5, "key_2"), not_match: signed("key_0", "key_4") });
  expect(named(whole)).toEqual(
    rule(block, { match: signed('key "new"', "key_9", 5, "key_2"), not_match: signed('key "old"', "key_4") }),
  );
  const strange = [{}, [], null, { keys: [null, "key_1", ["key_1"]] }].map((http_message_signature) => ({
    match: { http_message_signature },
  }));
  for (const more of [{ match_all: true }, asn(1), ...strange])
    expect(named(rule(block, more))).toEqual(rule(block, more));
});

const loses = meant({ members: [{ organization_id: "o", gains: ["a"], loses: [] }] });
test.each<[string, Meaning, Meaning, string]>([
  ["of nothing", base, base, "same"],
  ["with one rule", to(blocks(1)), to(blocks(1, 7)), "same"],
  ["with two orders of equal parts", to(blocks(1, 1), blocks(2, 2)), to(blocks(2, 1), blocks(1, 2)), "same"],
  ["with other rules", to(blocks(1)), to(blocks(2)), "different"],
  ["from other ACLs", to(blocks(1)), from([blocks(1)], [blocks(1)]), "different"],
  [
    "with another order of allow and block",
    to({ priority: 1, rule: rule(allow) }, blocks(1, 2)),
    to({ priority: 3, rule: rule(allow) }, blocks(1, 2)),
    "different",
  ],
  ["one unknown", meant({ unknown: ["a"] }), base, "not known"],
  ["both unknown, with other members", { ...loses, unknown: ["a"] }, meant({ unknown: ["a"] }), "different"],
  ["one unknown, with other requests", { ...to(blocks(1)), unknown: ["a"] }, base, "not known"],
  [
    "with limits of other resources",
    ofLimits(limit(null, rate(5), { resource: "a" })),
    ofLimits(limit(null, rate(5))),
    "different",
  ],
])("two changes %s", (_name, one, other, verdict) => {
  expect(compareMeanings(one, other).verdict).toBe(verdict);
  expect(compareMeanings(other, one).verdict).toBe(verdict);
});

test("a digest is equal for equal changes, and missing if something is not known", () => {
  const one = to(blocks(1), blocks(2));
  expect(digestOf(one)).toBe(digestOf(to(blocks(2), blocks(1))));
  expect(digestOf({ ...one, unknown: ["a"] })).toBeUndefined();
  const others = [base, loses, ofLimits(limit(null, rate(5))), ofKeys({ after: secret("k") }), one];
  const all = [...others, meant({ unseen: ["network_acls"] }), from([blocks(3)], [])];
  expect(new Set(all.map(digestOf)).size).toBe(all.length);
});

test("a change is nothing if it changes no request, limit, member and key", () => {
  const stands = from([blocks(1)], [blocks(1)]);
  expect(isNothing(stands)).toBe(true);
  expect(isNothing({ ...stands, unknown: ["a"] })).toBeUndefined();
  const changes = [to(blocks(1)), from([blocks(1)], []), ofLimits(limit(null, rate(5))), { ...loses, unknown: ["a"] }];
  for (const one of [...changes, ofKeys({ after: secret("k") })]) expect(isNothing(one)).toBe(false);
});

test("the words of a difference", () => {
  const logs = [{ priority: 1, rule: rule(log) }];
  const selector = "client_id:".padEnd(60, "a");
  const many = ["a", "b", "c", "d", "e", "f", "g"];
  const long = "z".repeat(60);
  const cases: [string, Meaning, Meaning][] = [
    ["requests", to(blocks(1)), base],
    ["redirects", base, to({ priority: 1, rule: rule({ redirect: true, redirect_uri: "https://a.example/" }) })],
    ["records that start", to(...logs), base],
    ["records that stop", from(logs, []), from(logs, logs)],
    ["limits", ofLimits(limit(null, rate(5))), ofLimits(limit(rate(5), redirect("https://a.example")))],
    ["a limit of one change", ofLimits(limit(null, rate(5), { consumer_selector: selector })), base],
    ["members", team("o", many, [long]), team("o", [], many.slice(0, 5))],
    ["members of one change", base, team(long, many.slice(0, 6))],
    ["members in another order", team("o", ["x", "y"]), team("o", ["y", "x"])],
    ["keys", ofKeys({ after: secret('k"') }), ofKeys({ before: secret('k"'), after: secret('k"', "g") })],
    ["a key of one change", ofKeys({ before: secret("k") }), base],
    ["what is not known", meant({ unknown: ["a", "b"] }), meant({ unknown: ["b", "c"] })],
  ];
  const told = (one: Meaning, other: Meaning) =>
    differenceLines(compareMeanings(one, other), { one: "Approved", other: "Now" });
  expect(table(cases, told)).toMatchInlineSnapshot(`
    "
    requests: A request such as /authorize from 203.0.113.7, asn 1. Approved: allowed becomes blocked. Now: stays allowed.
    redirects: A request such as /authorize from 203.0.113.7, asn 1. Approved: stays allowed. Now: allowed becomes redirected to https://a.example/.
    records that start: A request such as /authorize from 203.0.113.7, asn 1. Approved: not recorded becomes recorded. Now: stays not recorded.
    records that stop: A request such as /authorize from 203.0.113.7, asn 1. Approved: recorded becomes not recorded. Now: stays recorded.
    limits: The limit of client_id:a. Approved: no limit becomes block above 5/s (default). Now: block above 5/s (default) becomes redirect to https://a.example above 6/s.
    a limit of one change: The limit of client_id:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…. Approved: no limit becomes block above 5/s (default). Now: unchanged.
    members: The members of o. Approved: gains a, b, c, d, e and 2 more and loses zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz…. Now: loses a, b, c, d, e.
    members of one change: The members of zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz…. Approved: unchanged. Now: gains a, b, c, d, e, f.
    keys: The key "k\\"". Approved: is created. Now: gets other material.
    a key of one change: The key "k". Approved: is destroyed. Now: unchanged.
    what is not known: Not known: a. | Not known: b. | Not known: c.
    nothing: members in another order
    "
  `);
  const far = to({ priority: 1, rule: rule({ redirect: true, redirect_uri: `https://a.example/${"x".repeat(300)}` }) });
  expect(told(base, far)[0]!.length).toBeLessThan(500);
});

test.each<[unknown, unknown, boolean]>([
  [[2, 1], [1, 2], true],
  [[1, 1], [1], false],
  [{ a: 1, b: undefined, c: 2 }, { c: 2, a: 1 }, true],
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
