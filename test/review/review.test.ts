/** Checks the effects of plans: a case for every code, what is left unproven, and what a plan leaves out. */
import { worded } from "../judge/impact/support/worded";
import { summaryOf } from "../../src/judge/impact/words/verdict";
import type { Values } from "../../src/judge/impact/model";
import { auth0Findings } from "../../src/judge/codes/findings";
import { findingCodes, type FindingCode } from "../../src/judge/codes/codes";
import { toJson, toJsonOfMany } from "../../src/review/report/json";
import { pagesOf } from "../../src/review/report/sections";
import { tenantsIn } from "../../src/review/input/tenants";
import { acl, allow, block, kept, members, policy } from "./support/objects";
import { change, codesOf, configured, constant, inState, plan, prior, reviewOf, reviewTenant } from "./support/plan";
import { faultOf, schema } from "./support/schema";

type Marked = Parameters<typeof change>[3];

const at = (name: string) => `tenant_network_acl.${name}`;
const asn = (priority: number, action: Values = block) => acl(priority, { action, match: { asns: [priority] } });
const everybody = (priority: number, action: Values = block) => acl(priority, { action, match_all: true });
const net = (before: Values | null, after: Values | null, marked?: Marked) => change(at("net"), before, after, marked);
const key = "tenant_network_acl_key.edge";
const signed = acl(8, { action: block, match: { http_message_signature: { keys: [{ id: "key_1" }] } } });
const limited = (limit: number | null, action = "block") => policy("default", { action, limit });
const limit = (before: Values | null, after: Values | null, marked?: Marked) =>
  change("tenant_rate_limit_policy.all", before, after, marked);
const staff = "tenant_organization_member_set.staff";
const people = (before: readonly string[], after: readonly string[], marked?: Marked) =>
  change(staff, members("org_1", before), members("org_1", after), marked);
const protecting = (request: Values) => configured({ tenant: { protected_request: [request] } });
const runner = { name: constant("CI"), ip: constant("198.51.100.10") };
const office = net(null, acl(9, { action: block, match: { ipv4_cidrs: ["198.51.100.0/24"] } }));
const away = { redirect: true, redirect_uri: "https://evil.example/x" };
const anyAsn = net(null, asn(9));
const expecting = (countries: Values) =>
  configured({
    tenant: { expectation: [{ name: constant("expected"), outcome: constant("blocked"), request: [{ countries }] }] },
  });

const variables = { runner: { value: "198.51.100.10" } };
const theirs = (name: string) => `auth0_network_acl.all["${name}"]`;

const cases: [FindingCode, readonly Values[], Values?][] = [
  ["TNF-ACL-LOCKOUT", [net(null, everybody(9))]],
  ["TNF-ACL-LOCKOUT", [office], protecting(runner)],
  ["TNF-ACL-LOCKOUT", [office], { variables, ...protecting({ ip: { references: ["var.runner"] } }) }],
  ["TNF-ACL-LOCKOUT-POSSIBLE", [anyAsn], protecting(runner)],
  ["TNF-GUARD-WEAKENED", [anyAsn], configured({ tenant: { lockout_guard: constant("off") } })],
  ["TNF-GUARD-UNKNOWN", [anyAsn], protecting({ ip: { references: ["local.ci"] } })],
  ["TNF-ACL-WIDENED", [net(asn(1, allow), everybody(1, allow)), kept(at("all"), everybody(9))]],
  ["TNF-ACL-OPENED", [net(asn(9), null)]],
  ["TNF-ACL-TIGHTENED", [anyAsn]],
  [
    "TNF-ACL-SHADOWED",
    [
      net(null, acl(1, { action: block, match: { geo_country_codes: ["US"] } })),
      change(at("some"), null, acl(2, { action: allow, match: { geo_subdivision_codes: ["US-CA"] } })),
    ],
  ],
  ["TNF-DUPLICATE", [kept(at("one"), asn(1)), change(at("two"), asn(1), asn(2))]],
  ["TNF-ACL-MANY", Array.from({ length: 11 }, (_, index) => change(at(`n${index}`), null, asn(index + 1)))],
  ["TNF-KEY-IN-USE", [change(key, { id: "key_1", name: "edge" }, null), kept(at("signed"), signed)]],
  [
    "TNF-KEY-ROTATED",
    [
      change(key, { id: "key_1", name: "edge" }, { id: null, name: "edge-2" }, { actions: ["create", "delete"] }),
      change(at("signed"), signed, asn(8)),
    ],
  ],
  ["TNF-TOO-MANY-KEYS", Array.from({ length: 11 }, (_, index) => change(`${key}${index}`, null, { name: `${index}` }))],
  ["TNF-UNKNOWN-KEY", [net(null, signed)], prior(inState("data.tenant_network_acl_keys.x", { network_acl_keys: [] }))],
  ["TNF-KEY-CREATED", [change(key, null, { id: null, name: "edge" })]],
  ["TNF-ACL-UNRECORDED", [net(asn(1, { log: true }), null)]],
  ["TNF-ACL-RECORDED", [net(null, asn(1, { log: true }))]],
  ["TNF-ACL-REDIRECT", [net(null, asn(1, away))]],
  ["TNF-ACL-SAME-PRIORITY", [net(null, asn(1)), change(at("two"), null, everybody(1, allow))]],
  ["TNF-POLICY-SAME-CALLERS", [limit(null, limited(5)), change("tenant_rate_limit_policy.two", null, limited(9))]],
  ["TNF-KEY-SAME-NAME", [change(key, null, { name: "edge" }), change(`${key}2`, null, { name: "edge" })]],
  ["TNF-LIMIT-BLOCKED", [limit(limited(5), limited(0))]],
  ["TNF-LIMIT-UNKNOWN", [limit(limited(5), limited(5), { unknown: { configuration: { limit: true } } })]],
  ["TNF-LIMIT-REDIRECT", [limit(limited(5), policy("default", { ...away, action: "redirect", limit: 5 }))]],
  ["TNF-LIMIT-TIGHTENED", [limit(limited(5), limited(4))]],
  ["TNF-LIMIT-LOOSENED", [limit(limited(5), null)]],
  ["TNF-LIMIT-LOGGED", [limit(limited(5, "log"), limited(9, "log"))]],
  ["TNF-MEMBERS-ADDED", [people(["a"], ["a", "b"])]],
  ["TNF-MEMBERS-EMPTIED", [people(["a", "b"], [])]],
  [
    "TNF-OTHER-MEMBERS",
    [
      change("tenant_organization_member_set.two", null, { organization_id: "org_1", members: ["a"] }),
      change(staff, members("org_1", ["a", "b"]), null),
    ],
  ],
  ["TNF-MEMBERS-MANY", [people(["a", "b", "c"], ["a"])]],
  ["TNF-MEMBERS-REMOVED", [people(["a", "b", "c", "d"], ["a", "b", "c"])]],
  ["TNF-MEMBERS-UNKNOWN", [people(["a"], [], { unknown: { members: true } })]],
  ["TNF-REPLACED", [net(asn(1), asn(1), { actions: ["create", "delete"] })]],
  ["TNF-APPLY-MAY-FAIL", [change(theirs("old"), asn(1), null), change(theirs("new"), null, asn(1, allow))]],
  ["TNF-DESTROYED", [net(asn(1), null)]],
  ["TNF-FORGOTTEN", [net(asn(1), null, { actions: ["forget"] })]],
  ["TNF-DRIFT", [net(asn(1), asn(2))], { resource_drift: [net(asn(2), asn(1))] }],
  ["TNF-IMPORTED", [net(asn(1), asn(1), { importing: { id: "acl_1" } })]],
  ["TNF-MOVED", [net(asn(1), asn(1), { previous: "auth0_network_acl.net" })]],
  ["TNF-EARLY-ACCESS", [limit(null, limited(5))]],
  ["TNF-INCOMPLETE", [], { complete: false }],
  ["TNF-INCOMPLETE", [], { complete: undefined, deferred_changes: [{ reason: "provider_config_unknown" }] }],
  ["TNF-INCOMPLETE", [], { complete: undefined, ...prior(inState(staff, members("org_1", ["a"]))) }],
  ["TNF-RENAMED", [change(at("old"), asn(1), null), change(at("new"), null, asn(1))]],
  ["TNF-EXPECTATION-BROKEN", [anyAsn], expecting(constant(["KP"]))],
  ["TNF-EXPECTATION-UNDECIDED", [anyAsn], expecting({ references: ["local.all"] })],
  ["TNF-TENANT-UNKNOWN", [net(asn(1), null)], configured({ tenant: {}, "tenant.us": { domain: {} } })],
];

test.each(cases)("%s (case %#)", (code, changes, more = {}) => {
  const found = tenantsIn([{ name: "plan", plan: plan(changes, more) }]).flatMap((tenant) => {
    const { whole } = reviewTenant(tenant, {});
    expect(faultOf(JSON.parse(JSON.stringify(toJson(whole))))).toBeUndefined();
    return codesOf(whole);
  });
  expect(found).toContain(code);
});

const application = { client_id: "abc", name: "Shop", grant_types: ["client_credentials"], logo_uri: "a" };
test.each<[string, Values, string[]]>([
  ["grant types", { grant_types: [] }, ["● medium: auth0_client.shop was changed (grant_types)"]],
  ["how it looks", { logo_uri: "b" }, []],
  ["what no row reads", { new_attribute: 1 }, []],
])("drift of an Auth0 object is news in the verdict if it concerns people: %s", (_, values, lines) => {
  const now = { ...application, ...values };
  const drift = { resource_drift: [change("auth0_client.shop", application, now)] };
  const found = summaryOf(reviewOf([kept("auth0_client.shop", now)], drift).verdict);
  expect(found.filter((line) => line.includes("outside Terraform"))).toEqual(
    lines.map((line) => expect.stringContaining(line) as string),
  );
});

test("has a case for every code, and the JSON schema lists the same codes", () => {
  // test/judge/access/difference.test.ts, test/judge/impact/{changes}.test.ts, and in this folder: folders, saved-plan and expectations.
  // test/judge/impact/truth.test.ts has rows of the first two.
  const elsewhere =
    "TNF-ACL-NO-SUCH-CODE TNF-LIMIT-LOCKOUT TNF-ACL-UNDECIDED TNF-STACK-UNPLANNED TNF-PLAN-FAILED TNF-PLAN-OUTDATED " +
    "TNF-EXPECTATION-WEAKENED";
  // test/judge/impact/auth0 has rows of the codes of other Auth0 resources.
  const tested = new Set<string>([
    ...cases.map(([code]) => code),
    ...elsewhere.split(" "),
    ...Object.keys(auth0Findings),
  ]);
  expect(findingCodes.filter((code) => !tested.has(code))).toEqual([]);
  expect(schema.$defs["code"]!.enum).toEqual(findingCodes);
});

test("every JSON output matches the schema, and links each effect to its section", () => {
  const one = reviewOf([anyAsn]);
  const [alone, both] = [[], [one, one]].map((parts) => ({ whole: one, parts }));
  for (const tenants of [[both!], [alone!, alone!], [alone!, both!]])
    expect(faultOf(JSON.parse(JSON.stringify(toJsonOfMany(tenants))))).toBeUndefined();
  expect(faultOf({ ...toJson(one), unexpected: "fine" })).toContain("additional");
  const { effects } = toJson(one) as { effects: readonly { code: string; url: string }[] };
  expect(effects.length).toBeGreaterThan(0);
  for (const { code, url } of effects) expect(url).toMatch(new RegExp(`^https:.*effects\\.md#${code.toLowerCase()}$`));
});

test("reports no effect if nothing changes", () => {
  const other = policy("client_id:a", { action: "block", limit: 5 });
  const same = [
    kept("tenant_rate_limit_policy.secret", other, { sensitive: { configuration: true } }),
    net(asn(1), asn(1)),
    limit(limited(5), limited(5)),
    people(["a"], ["a"]),
  ];
  expect(toJson(reviewOf(same))).toMatchObject({
    effects: [],
    network_acls: { proven: true },
    token_scopes: ["read:network_acls", "read:organization_members", "read:rate_limit_policies"],
  });
});

test("takes new values that the plan lacks for unknown ones, and not for a destroy", () => {
  const unshown = reviewOf([net(asn(1), null, { actions: ["update"], unknown: true })]);
  expect(new Set(unshown.effects.map(({ certainty }) => certainty))).toEqual(new Set(["possible"]));
  expect(codesOf(unshown)).toEqual(expect.arrayContaining(["TNF-ACL-TIGHTENED", "TNF-ACL-WIDENED"]));
  expect(codesOf(reviewOf([net(asn(1), null, { actions: ["no-op"] })]))).toEqual([]);
});

const refreshed = prior(inState(at("a"), asn(1)));

test.each<[string, readonly Values[], Values, boolean]>([
  ["made with -target", [net(asn(1), asn(1))], { complete: false }, false],
  ["that ended with an error", [net(asn(1), asn(1))], { errored: true }, false],
  ["with an error after a refresh", [anyAsn], { ...refreshed, errored: true }, false],
  ["that defers a change", [net(asn(1), asn(1))], { deferred_changes: [{ reason: "x" }] }, false],
  ["that imports an object whose id is not known", [net(null, asn(1), { importing: { unknown: true } })], {}, false],
  ["that says in another form that it is complete", [net(asn(1), asn(1))], { complete: "no" }, false],
  ["that is complete", [net(asn(1), asn(1))], { errored: false, deferred_changes: [] }, true],
  ["that does not state it", [net(asn(1), asn(1))], { complete: undefined }, true],
  ["with -refresh-only", [], refreshed, true],
])("a plan %s", (_what, changes, more, proven) => {
  const review = reviewOf(changes, more);
  expect([review.acls.proven, review.complete, !review.isUncertain]).toEqual([proven, proven, proven]);
  expect(codesOf(review).some((code) => ["TNF-INCOMPLETE", "TNF-PLAN-FAILED"].includes(code))).toBe(!proven);
});

test("includes objects that -target left out, and forgotten objects", () => {
  const more = {
    complete: false,
    prior_state: { values: { root_module: { child_modules: [{ resources: [inState(at("all"), everybody(1))] }] } } },
  };
  expect(reviewOf([change(at("new"), null, asn(5, allow))], more)).toMatchObject({
    complete: false,
    acls: { proven: false, unreachable: [{ acl: { address: at("new") } }] },
  });
  expect(reviewOf([net(asn(1), null, { actions: ["forget"] })]).acls).toMatchObject({ proven: true });
});

test("reads plans of the Go provider in the same way", () => {
  const stored = (cidrs: string[]) => ({
    ...acl(1, {}),
    rule: [
      {
        action: [{ allow: false, block: true, log: false, redirect: false, redirect_uri: "" }],
        match: [{ ipv4_cidrs: cidrs, asns: [], geo_country_codes: null, http_message_signature: [] }],
        not_match: [],
        scope: "management",
      },
    ],
  });
  const ours = (cidrs: string[]) => acl(1, { action: block, scope: "management", match: { ipv4_cidrs: cidrs } });
  const [one, other] = [stored, ours].map((form) =>
    toJson(reviewOf([change("auth0_network_acl.x", form(["10.0.0.0/8"]), form(["10.0.0.0/9"]))])),
  );
  expect(one).toEqual(other);
  expect(one).toMatchObject({ token_scopes: ["read:network_acls", "update:network_acls"] });
});

test("an object of the auth0 provider that somebody deleted: what the plan does about it", () => {
  const lost = { resource_drift: [change("auth0_connection.a", { id: "con_1", name: "A" }, null)] };
  const textOf = (...changes: Values[]) => summaryOf(reviewOf(changes, lost).verdict).join();
  expect(textOf()).toContain(
    "auth0_connection.a was deleted outside Terraform since the last apply: the plan keeps that",
  );
  expect(textOf(change("auth0_connection.a", null, { name: "A" }))).toContain(": the apply undoes that change.");
});

describe("values before a change", () => {
  const rule = { action: block, match: { geo_country_codes: ["DE"] } };
  const off = acl(1, rule, { active: false });
  const now = { ...off, active: true };

  test("come from the refreshed state, because Terraform plans a delete with those before the refresh", () => {
    const review = reviewOf([net(off, null)], { resource_drift: [net(off, now)], ...prior(inState(at("net"), now)) });
    expect(review.acls.outcomes).toMatchObject([{ before: "blocked", after: "allowed" }]);
  });

  test("are not those of a deposed object at the same address", () => {
    const deposed = inState(at("net"), acl(2, rule), { deposed_key: "a1b2c3d4" });
    const { acls } = reviewOf([net(now, null)], prior(inState(at("net"), now), deposed));
    expect(acls.before).toMatchObject([{ id: "acl_1" }]);
  });
});

/** Remote state, so that no unmanaged object is a reason for doubt. */
const remote = { network_acls: [], rate_limit_policies: [], organization_members: new Map() };
const wall = asn(1);
const windowed = policy("default", { action: "block", limit: 10, window: 60 });

test.each<[string, Values, string]>([
  ["a type of a later version", change("tenant_new_thing.a", null, { a: 2 }), "tenant_new_thing.a (created)"],
  ["an attribute", net({ ...wall, mode: 1 }, { ...wall, mode: 2 }), `${at("net")} (mode)`],
  ["a part of a limit", limit(limited(10), windowed), "tenant_rate_limit_policy.all (configuration.window)"],
  ["an action", net(wall, wall, { actions: ["defer"] }), `${at("net")} (in a way that this version does not know)`],
])("names %s that this version does not know, in place of a promise", (_what, changed, words) => {
  const { verdict } = reviewOf([changed], {}, { remote });
  expect({ level: verdict.level, summary: summaryOf(verdict) }).toEqual({
    level: "info",
    summary: [`○ info: Changed, and not judged: ${words}. [TNF-NOT-REVIEWED]`],
  });
});

test("tells each object of one name, in the verdict or below", () => {
  const gone = [1, 2, 3, 4, 5].map((index) =>
    change(`auth0_connection.c${index}`, { id: `con_${index}`, name: "db", strategy: "auth0" }, null),
  );
  const { summary, sections } = pagesOf([reviewOf(gone)]).pages[0]!;
  const items = sections.flatMap(({ items: own = [] }) => own);
  const told = [...summary, ...items].map(({ words }) => /auth0_connection\.c\d/.exec(words)?.[0]);
  expect(told).toEqual([1, 2, 3, 4, 5].map((index) => `auth0_connection.c${index}`));
  expect(sections.map(({ title }) => title)).toContain("More effects: 2 critical.");
});

test.each([[["modify"]], [[]]])("reports the differences of an unknown action %j", (actions) => {
  expect(reviewOf([people(["a", "b"], [], { actions })]).members).toMatchObject([{ loses: ["a", "b"] }]);
});

test("says that nothing changes if other providers change objects, or the service computes a value", () => {
  const named = { ...wall, description: "Wall" };
  const computed = net({ ...wall, updated_at: "x" }, named, { unknown: { updated_at: true } });
  const { verdict } = reviewOf([change("null_resource.a", null, {}), computed], {}, { remote });
  expect(summaryOf(verdict)).toEqual([
    "✔ Nothing changes for people. 1 object changes: tenant_network_acl.net (description).",
  ]);
});

const byHand = { ...asn(7), id: "acl_hand", priority: 1, description: "ACL 1", rule: asn(1)["rule"] };
const created = (more: Values = {}, marked?: Marked) => net(null, { ...asn(1), id: null, ...more }, marked);

describe("a new object that the tenant has already", () => {
  test("is adopted, so no outcome changes and no priority is taken twice", () => {
    const adopted = [created({}, { unknown: { id: true } })];
    const { effects, verdict } = reviewOf(adopted, {}, { remote: { network_acls: [byHand] } });
    expect(effects).toMatchObject([{ code: "TNF-IMPORTED", level: "info", subject: { address: at("net") } }]);
    expect(summaryOf(verdict)).toEqual([`✔ Nothing changes for people. 1 object is imported: ${at("net")}.`]);
    const same = { id: "rlp_hand", ...limited(7) };
    const options = { remote: { rate_limit_policies: [same] } };
    expect(codesOf(reviewOf([limit(null, { ...same, id: null })], {}, options))).toContain("TNF-IMPORTED");
  });

  test.each<[string, readonly Values[], Values]>([
    ["another description", [created({ description: "Other" })], byHand],
    ["another state", [created()], { ...byHand, active: false }],
    ["a description known only after the apply", [created({}, { unknown: { description: true } })], byHand],
    ["two resources that want it", [created(), change(`module.b.${at("kp")}`, null, { ...asn(1), id: null })], byHand],
    ["a resource of another provider", [change("auth0_network_acl.kp", null, { ...asn(1), id: null })], byHand],
    ["another address that manages it", [kept(at("old"), { ...asn(1), id: "acl_hand" }), created()], byHand],
  ])("is not adopted with %s", (_what, changes, existing) => {
    const codes = codesOf(reviewOf(changes, {}, { remote: { network_acls: [existing] } }));
    expect(codes).toContain("TNF-ACL-SAME-PRIORITY");
    expect(codes).not.toContain("TNF-IMPORTED");
  });
});

test("names Early Access features unless each block confirms them", () => {
  const early = (changes: readonly Values[], more: Values = {}) =>
    reviewOf(changes, more)
      .effects.map(worded)
      .flatMap(({ code, text }) => (code === "TNF-EARLY-ACCESS" ? [text.replace(/^.*: /, "")] : []));
  const all = [net(null, everybody(2))];
  const confirmed = (...values: unknown[]) =>
    configured(
      Object.fromEntries(
        values.map((value, index) => [
          `tenant.${index}`,
          value === undefined ? {} : { hide_early_access_warning: constant(value) },
        ]),
      ),
    );
  expect(early(all, confirmed(true))).toEqual([]);
  for (const values of [[], [undefined], [false], [true, undefined]])
    expect(early(all, confirmed(...values))).toEqual(["match_all."]);
});
