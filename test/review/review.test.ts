/** Checks the effects of plans: a case for every code, and cases without a effect. */
import type { Marks, Values } from "../../src/impact/model";
import { findingCodes, type FindingCode } from "../../src/codes/codes";
import { toJson, toJsonOfMany } from "../../src/review/json";
import { parsePlan } from "../../src/review/input/plan";
import { reviewPlans } from "../../src/review/review";
import { reviewTenant, tenantsIn } from "../../src/review/tenants";
import { faultOf, schema } from "./support/schema";
import { acl, allow, block, change, members, plan, policy } from "./support/plan";

const at = (name: string) => `tenant_network_acl.${name}`;
const asn = (priority: number, action: Values = block) => acl(priority, { action, match: { asns: [priority] } });
const everybody = { match_all: true };
const key = "tenant_network_acl_key.edge";
const signed = acl(8, { action: block, match: { http_message_signature: { keys: [{ id: "key_1" }] } } });
const set = "tenant_organization_member_set.staff";
const limited = (limit: number | null, action = "block") => policy("default", { action, limit });
/** A block in the configuration of a plan is a list of objects with expressions. */
const protecting = (protectedRequest: readonly Values[]) => ({
  configuration: {
    provider_config: { tenant: { name: "tenant", expressions: { protected_request: protectedRequest } } },
  },
});
const guardIs = (strength: string) => ({
  configuration: {
    provider_config: { tenant: { name: "tenant", expressions: { lockout_guard: { constant_value: strength } } } },
  },
});
const ci = protecting([{ name: { constant_value: "CI" }, ip: { constant_value: "198.51.100.10" } }]);

const found = (changes: readonly Values[], more: Values = {}) => {
  const tenants = tenantsIn([{ name: "plan", plan: plan(changes, more) }]);
  return tenants.flatMap((tenant) => {
    const { whole } = reviewTenant(tenant, {});
    expect(faultOf(JSON.parse(JSON.stringify(toJson(whole))))).toBeUndefined();
    return whole.effects.map(({ code }) => code);
  });
};

const expecting = (outcome: string, countries: Values): Values => ({
  configuration: {
    provider_config: {
      tenant: {
        name: "tenant",
        expressions: {
          expectation: [
            { name: { constant_value: "expected" }, outcome: { constant_value: outcome }, request: [{ countries }] },
          ],
        },
      },
    },
  },
});

const cases: [FindingCode, readonly Values[], Values?][] = [
  ["TNF-ACL-LOCKOUT", [change(at("all"), null, acl(9, { action: block, ...everybody }))]],
  [
    "TNF-ACL-LOCKOUT",
    [change(at("net"), null, acl(9, { action: block, match: { ipv4_cidrs: ["198.51.100.0/24"] } }))],
    ci,
  ],
  [
    "TNF-ACL-LOCKOUT",
    [change(at("net"), null, acl(9, { action: block, match: { ipv4_cidrs: ["198.51.100.0/24"] } }))],
    { variables: { runner: { value: "198.51.100.10" } }, ...protecting([{ ip: { references: ["var.runner"] } }]) },
  ],
  ["TNF-ACL-LOCKOUT-POSSIBLE", [change(at("net"), null, asn(9))], ci],
  ["TNF-GUARD-WEAKENED", [change(at("net"), null, asn(9))], guardIs("off")],
  ["TNF-GUARD-UNKNOWN", [change(at("net"), null, asn(9))], protecting([{ ip: { references: ["local.ci"] } }])],
  [
    "TNF-ACL-WIDENED",
    [
      change(
        at("office"),
        acl(1, { action: allow, match: { asns: [1] } }),
        acl(1, { action: allow, match: { asns: [1, 2] } }),
      ),
      change(at("all"), acl(9, { action: block, ...everybody }), acl(9, { action: block, ...everybody })),
    ],
  ],
  ["TNF-ACL-OPENED", [change(at("net"), asn(9), null)]],
  ["TNF-ACL-TIGHTENED", [change(at("net"), null, asn(9))]],
  [
    "TNF-ACL-SHADOWED",
    [
      change(at("all"), null, acl(1, { action: block, match: { geo_country_codes: ["US"] } })),
      change(at("some"), null, acl(2, { action: allow, match: { geo_subdivision_codes: ["US-CA"] } })),
    ],
  ],
  ["TNF-DUPLICATE", [change(at("one"), asn(1), asn(1)), change(at("two"), asn(1), asn(2))]],
  ["TNF-KEY-IN-USE", [change(key, { id: "key_1", name: "edge" }, null), change(at("signed"), signed, signed)]],
  [
    "TNF-KEY-ROTATED",
    [
      change(key, { id: "key_1", name: "edge" }, { id: null, name: "edge-2" }, { actions: ["create", "delete"] }),
      change(at("signed"), signed, acl(8, { action: block, match: { asns: [8] } })),
    ],
  ],
  ["TNF-KEY-CREATED", [change(key, null, { id: null, name: "edge" })]],
  ["TNF-ACL-UNRECORDED", [change(at("log"), asn(1, { log: true }), null)]],
  ["TNF-ACL-RECORDED", [change(at("log"), null, asn(1, { log: true }))]],
  ["TNF-ACL-REDIRECT", [change(at("away"), null, asn(1, { redirect: true, redirect_uri: "https://evil.example/x" }))]],
  [
    "TNF-ACL-SAME-PRIORITY",
    [change(at("one"), null, asn(1)), change(at("two"), null, acl(1, { action: allow, match: { asns: [7] } }))],
  ],
  ["TNF-LIMIT-BLOCKED", [change("tenant_rate_limit_policy.all", limited(5), limited(0))]],
  [
    "TNF-LIMIT-UNKNOWN",
    [change("tenant_rate_limit_policy.all", limited(5), limited(5), { unknown: { configuration: { limit: true } } })],
  ],
  [
    "TNF-LIMIT-REDIRECT",
    [
      change(
        "tenant_rate_limit_policy.all",
        limited(5),
        policy("default", { action: "redirect", limit: 5, redirect_uri: "https://evil.example/" }),
      ),
    ],
  ],
  ["TNF-LIMIT-TIGHTENED", [change("tenant_rate_limit_policy.all", limited(5), limited(4))]],
  ["TNF-LIMIT-TIGHTENED", [change("tenant_rate_limit_policy.all", limited(5, "log"), limited(5))]],
  [
    "TNF-ENFORCEMENT-UNPROVEN",
    [
      change(
        at("net"),
        acl(9, { action: { log: true }, match: { asns: [1] } }),
        acl(9, { action: block, match: { asns: [1] } }),
      ),
    ],
  ],
  ["TNF-LIMIT-LOOSENED", [change("tenant_rate_limit_policy.all", limited(5), null)]],
  ["TNF-LIMIT-LOGGED", [change("tenant_rate_limit_policy.all", limited(5, "log"), limited(9, "log"))]],
  ["TNF-MEMBERS-ADDED", [change(set, members("org_1", ["a"]), members("org_1", ["a", "b"]))]],
  ["TNF-MEMBERS-EMPTIED", [change(set, members("org_1", ["a", "b"]), members("org_1", []))]],
  ["TNF-MEMBERS-MANY", [change(set, members("org_1", ["a", "b", "c"]), members("org_1", ["a"]))]],
  ["TNF-MEMBERS-REMOVED", [change(set, members("org_1", ["a", "b", "c", "d"]), members("org_1", ["a", "b", "c"]))]],
  ["TNF-MEMBERS-UNKNOWN", [change(set, members("org_1", ["a"]), members("org_1", []), { unknown: { members: true } })]],
  ["TNF-REPLACED", [change(at("net"), asn(1), asn(1), { actions: ["create", "delete"] })]],
  ["TNF-TRANSIENT-OPEN", [change(at("net"), asn(1), asn(1), { actions: ["delete", "create"] })]],
  [
    "TNF-TRANSIENT-LOCKOUT",
    [
      change("auth0_network_acl.vip", asn(1, allow), asn(1, allow), { actions: ["delete", "create"] }),
      change("auth0_network_acl.all", acl(9, { action: block, ...everybody }), acl(9, { action: block, ...everybody })),
    ],
  ],
  ["TNF-DESTROYED", [change(at("net"), asn(1), null)]],
  ["TNF-FORGOTTEN", [change(at("net"), asn(1), null, { actions: ["forget"] })]],
  ["TNF-DRIFT", [change(at("net"), asn(1), asn(2))], { resource_drift: [change(at("net"), asn(2), asn(1))] }],
  ["TNF-IMPORTED", [change(at("net"), asn(1), asn(1), { importing: { id: "acl_1" } })]],
  ["TNF-MOVED", [change(at("net"), asn(1), asn(1), { previous: "auth0_network_acl.net" })]],
  ["TNF-EARLY-ACCESS", [change("tenant_rate_limit_policy.all", null, limited(5))]],
  ["TNF-INCOMPLETE", [], { complete: false }],
  ["TNF-INCOMPLETE", [], { complete: undefined, deferred_changes: [{ reason: "provider_config_unknown" }] }],
  [
    "TNF-INCOMPLETE",
    [],
    {
      complete: undefined,
      prior_state: {
        values: {
          root_module: {
            resources: [
              {
                address: set,
                mode: "managed",
                type: "tenant_organization_member_set",
                values: members("org_1", ["a"]),
              },
            ],
          },
        },
      },
    },
  ],
  ["TNF-MEMBERS-UNKNOWN", [change(set, members("org_1", ["a"]), members("org_1", [null as never]))]],
  ...(
    [
      ["TNF-OVERDUE", "2020-01-01T00:00:00Z", true],
      ["TNF-EXPIRED", "2020-01-01T00:00:00Z", false],
      ["TNF-EXPIRES-SOON", new Date(Date.now() + 86_400_000).toISOString(), true],
    ] as const
  ).map(([code, end, active]): (typeof cases)[number] => {
    const before = { ...asn(1), expires_at: end };
    return [code, [change(at("net"), before, { ...before, active, expired: !active })]];
  }),
  ["TNF-RENAMED", [change(at("old"), asn(1), null), change(at("new"), null, asn(1))]],
  ["TNF-EXPECTATION-BROKEN", [change(at("net"), null, asn(1))], expecting("blocked", { constant_value: ["KP"] })],
  ["TNF-EXPECTATION-UNDECIDED", [change(at("net"), null, asn(1))], expecting("blocked", { references: ["local.all"] })],
  [
    "TNF-TENANT-UNKNOWN",
    [change(at("gone"), asn(1), null)],
    {
      configuration: {
        provider_config: { tenant: { name: "tenant" }, "tenant.us": { name: "tenant", expressions: { domain: {} } } },
      },
    },
  ],
];

test.each(cases)("%s (case %#)", (code, changes, more = {}) => {
  expect(found(changes, more)).toContain(code);
});

test("has a case for every code", () => {
  // test/access/difference.test.ts, test/impact/enforcement.test.ts, and in this folder: folders, outdated-plan and expectations.
  // test/impact/truth.test.ts has rows of the first two.
  const elsewhere = [
    "TNF-ACL-NO-SUCH-CODE",
    "TNF-LIMIT-LOCKOUT",
    "TNF-ACL-UNDECIDED",
    "TNF-ENFORCEMENT-PROVEN",
    "TNF-STACK-UNPLANNED",
    "TNF-PLAN-OUTDATED",
    "TNF-EXPECTATION-WEAKENED",
  ];
  const tested = new Set<string>([...cases.map(([code]) => code), ...elsewhere]);
  expect(findingCodes.filter((code) => !tested.has(code))).toEqual([]);
});

test("lists all codes in the JSON schema, which every JSON output matches", () => {
  expect(schema.$defs["code"]!.enum).toEqual(findingCodes);
  const probes = [{ name: "one", ip: "192.0.2.1" }];
  const one = reviewPlans("one", [plan([change(at("net"), null, asn(9))])], { probes });
  const [alone, both] = [[], [one, one]].map((parts) => ({ whole: one, parts }));
  for (const tenants of [[both!], [alone!, alone!], [alone!, both!]]) {
    expect(faultOf(JSON.parse(JSON.stringify(toJsonOfMany(tenants))))).toBeUndefined();
  }
  expect(faultOf({ ...toJson(one), unexpected: "fine" })).toContain("additional");
});

test.each([
  ["was made with -target", { complete: false }],
  ["ended with an error", { errored: true }],
  ["defers a change", { deferred_changes: [{ reason: "provider_config_unknown", resource_change: {} }] }],
  ["says in another form that it is complete", { complete: "no" }],
])("proves nothing about a plan that %s", (_, more) => {
  const text = JSON.stringify({ ...plan([change(at("net"), asn(1), asn(1))]), ...more });
  const { acls, complete, effects } = reviewPlans("one", [parsePlan(text, "plan.json")]);
  expect([acls.proven, complete]).toEqual([false, false]);
  expect(effects.map(({ code }) => code)).toContain("TNF-INCOMPLETE");
});

test("proves that nothing changes for a plan that is complete or does not state it", () => {
  for (const more of [{ complete: true, errored: false, deferred_changes: [] }, {}]) {
    const text = JSON.stringify({ ...plan([change(at("net"), asn(1), asn(1))]), ...more });
    expect(reviewPlans("one", [parsePlan(text, "plan.json")]).acls).toMatchObject({
      proven: true,
      verdict: "equivalent",
    });
  }
});

test("reports no effect if nothing changes", () => {
  const secret = { sensitive: { configuration: true } };
  const same = [
    change(
      "tenant_rate_limit_policy.secret",
      policy("client_id:a", { action: "block", limit: 5 }),
      policy("client_id:a", { action: "block", limit: 5 }),
      secret,
    ),
    change(at("net"), asn(1), asn(1)),
    change("tenant_rate_limit_policy.all", limited(5), limited(5)),
    change(set, members("org_1", ["a"]), members("org_1", ["a"])),
  ];
  expect(found(same)).toEqual([]);
  expect(toJson(reviewPlans("plan", [plan(same)]))).toMatchObject({
    network_acls: { verdict: "equivalent", proven: true, changes: [] },
    scopes: ["read:network_acls", "read:organization_members", "read:rate_limit_policies"],
  });
});

test("JSON has the address of the section of each effect", () => {
  const review = reviewPlans("plan", [plan([change(at("x"), null, acl(1, { action: block, match: { asns: [1] } }))])]);
  const { effects } = toJson(review) as { effects: readonly { code: string; url: string }[] };
  expect(effects.map(({ url }) => url.replace(/^https:.*findings\.md#/, ""))).toEqual(
    effects.map(({ code }) => code.toLowerCase()),
  );
  expect(effects.length).toBeGreaterThan(0);
});

test("proves the review of a plan with -refresh-only, but not of a plan that ended with an error", () => {
  const values = acl(1, { action: block, match: { asns: [1] } });
  const resource = { address: at("a"), mode: "managed", type: "tenant_network_acl", values };
  const prior_state = { values: { root_module: { resources: [resource] } } };
  const refreshed = reviewPlans("plan", [plan([], { prior_state })]);
  expect(refreshed).toMatchObject({
    complete: true,
    isUncertain: false,
    acls: { verdict: "equivalent", proven: true },
  });
  expect(refreshed.acls.after).toHaveLength(1);
  const failed = reviewPlans("plan", [plan([change(at("b"), null, asn(5))], { prior_state, errored: true })]);
  expect(failed).toMatchObject({ complete: false, acls: { proven: false } });
  expect(failed.effects.find(({ code }) => code === "TNF-INCOMPLETE")!.text).toBe(
    "The plan failed: planning ended with an error. Other changes are not known, so nothing is proven. " +
      "Correct the error that `terraform plan` shows, and plan again.",
  );
});

test("includes objects that -target left out, and forgotten objects", () => {
  const resource = {
    address: at("all"),
    mode: "managed",
    type: "tenant_network_acl",
    values: acl(1, { action: block, ...everybody }),
  };
  const review = reviewPlans("plan", [
    plan([change(at("new"), null, asn(5, allow))], {
      complete: false,
      prior_state: { values: { root_module: { child_modules: [{ resources: [resource] }] } } },
    }),
  ]);
  expect(review.complete).toBe(false);
  expect(review.acls).toMatchObject({
    verdict: "equivalent",
    proven: false,
    unreachable: [{ acl: { address: at("new") } }],
  });
  const forgotten = reviewPlans("plan", [plan([change(at("net"), asn(1), null, { actions: ["forget"] })])]);
  expect(forgotten.acls).toMatchObject({ verdict: "equivalent", proven: true });
});

describe.each([[["forget", "create"]], [["create", "forget"]]])("an object that is replaced by %j", (actions) => {
  const staff = "tenant_organization_member_set.staff";

  test("stays on the tenant next to the new ACL", () => {
    const opened = acl(1, { action: allow, ...everybody }, { id: null });
    const { acls } = reviewPlans("plan", [
      plan([change(at("all"), acl(2, { action: block, ...everybody }), opened, { actions })]),
    ]);
    expect(acls).toMatchObject({ verdict: "more_permissive" });
    expect(acls.after.map(({ priority }) => priority)).toEqual([1, 2]);
  });

  test("loses the members whom the new set does not list", () => {
    const { members: sets } = reviewPlans("plan", [
      plan([change(staff, members("org_1", ["a", "b"]), members("org_1", ["a"]), { actions })]),
    ]);
    expect(sets).toMatchObject([{ loses: ["b"] }]);
  });

  test("keeps the members of an organization that it leaves", () => {
    const { members: sets } = reviewPlans("plan", [
      plan([
        change(staff, members("org_1", ["a", "b"]), members("org_2", ["a"], { remove_existing: false }), { actions }),
      ]),
    ]);
    expect(sets.map(({ organization_id, loses, gains }) => [organization_id, loses, gains])).toEqual([
      ["org_1", [], []],
      ["org_2", [], ["a"]],
    ]);
  });
});

test("counts a completely unknown object as any object", () => {
  const unknown = { unknown: true as const, actions: ["update"] };
  const {
    acls,
    effects,
    members: sets,
  } = reviewPlans("plan", [
    plan([
      change(at("net"), asn(1), {}, unknown),
      change("tenant_rate_limit_policy.all", limited(5), {}, unknown),
      change(
        "tenant_organization_member_set.staff",
        members("org_1", ["a"]),
        {},
        { unknown: true, actions: ["create"] },
      ),
    ]),
  ]);
  expect(acls.proven).toBe(false);
  expect(sets.map(({ may_lose }) => may_lose)).toContain(null);
  expect(effects.map(({ code }) => code)).toEqual(expect.arrayContaining(["TNF-LIMIT-UNKNOWN", "TNF-MEMBERS-UNKNOWN"]));
});

test("proves nothing about a rule that appears twice", () => {
  const [one, other] = [acl(1, { action: block, ...everybody }), acl(1, { action: allow, ...everybody })];
  const { acls } = reviewPlans("plan", [
    plan([change(at("net"), one, { ...one, rule: [one["rule"], other["rule"]] })]),
  ]);
  expect(acls.proven).toBe(false);
});

test.each([[["modify"]], [[]]])("reports the differences of an unknown action %j", (actions) => {
  const { members: sets } = reviewPlans("plan", [
    plan([
      change("tenant_organization_member_set.staff", members("org_1", ["a", "b"]), members("org_1", []), { actions }),
    ]),
  ]);
  expect(sets).toMatchObject([{ loses: ["a", "b"] }]);
});

test("reads plans of the Go provider in the same way", () => {
  const stored = (cidrs: string[]) => ({
    id: "acl_1",
    description: "Office",
    active: true,
    priority: 1,
    rule: [
      {
        action: [{ allow: false, block: true, log: false, redirect: false, redirect_uri: "" }],
        match: [{ ipv4_cidrs: cidrs, asns: [], geo_country_codes: null, http_message_signature: [] }],
        not_match: [],
        scope: "management",
      },
    ],
  });
  const ours = { action: block, scope: "management" };
  const go = plan([change("auth0_network_acl.x", stored(["10.0.0.0/8"]), stored(["10.0.0.0/9"]))]);
  const own = plan([
    change(
      "auth0_network_acl.x",
      acl(1, { ...ours, match: { ipv4_cidrs: ["10.0.0.0/8"] } }, { description: "Office" }),
      acl(1, { ...ours, match: { ipv4_cidrs: ["10.0.0.0/9"] } }, { description: "Office" }),
    ),
  ]);
  const [one, other] = [go, own].map((each) => toJson(reviewPlans("plan", [each])));
  expect(one).toEqual(other);
  expect(one).toMatchObject({
    network_acls: { verdict: "more_permissive" },
    scopes: ["read:network_acls", "update:network_acls"],
  });
});

test("reports unknown parts of a rule as unknown, never as unchanged", () => {
  const old = acl(1, {
    action: { redirect: true, redirect_uri: "https://a.example" },
    match: { ipv4_cidrs: ["10.0.0.0/8"] },
  });
  const wordsOf = (unknown: Marks, now: Values = old) =>
    reviewPlans("plan", [plan([change(at("edge"), old, now, { unknown })])]).rules.map(({ words }) => words);
  expect(wordsOf({ rule: { match: { ipv4_cidrs: [true] } } })).toEqual([
    ["match.ipv4_cidrs + (known after apply) - 10.0.0.0/8"],
  ]);
  expect(wordsOf({ rule: { action: true } })[0]).toContain("action redirect -> (known after apply)");
  expect(wordsOf({ active: true })).toEqual([["switched on or off (known after apply)"]]);
  const named = acl(1, {
    ...(old["rule"] as Values),
    match: { ipv4_cidrs: ["10.0.0.0/8"], user_agents: ["a, b", "c"] },
  });
  expect(wordsOf({}, named)).toEqual([['match.user_agents + "a, b", c']]);
  const literal = acl(1, { action: block, match: { user_agents: ["(known after apply)"] } });
  const opening = change(at("edge"), literal, literal, { unknown: { rule: { match: { user_agents: [true] } } } });
  expect(reviewPlans("plan", [plan([opening])]).rules.map(({ words }) => words)).toEqual([
    ["match.user_agents + (known after apply) - (known after apply)"],
  ]);
});
