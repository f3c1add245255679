/** Compares fresh plans with approved reviews: harmless drift passes, harmful drift does not. */
import type { Values } from "../../src/impact/model";
import { compareWithApproved, readApproved } from "../../src/review/approved";
import { approvalOutput } from "../../src/review/approved-output";
import { toJson, toJsonOfMany } from "../../src/review/json";
import { parsePlan } from "../../src/review/input/plan";
import { reviewTenant, tenantsIn } from "../../src/review/tenants";
import type { TenantName } from "../../src/review/site";
import { acl, allow, block, change, members, planText, policy } from "./support/plan";
import { faultOf } from "./support/schema";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const folder = mkdtempSync(path.join(tmpdir(), "approved-"));
const edge = { stdin: (async function* () {})(), environment: {} };
const match = (cidr: string) => ({ match: { ipv4_cidrs: [cidr] } });
const rule = (action: Values, cidr: string) => ({ action, ...match(cidr) });
const name = (type: string, label: string) => `tenant_${type}.${label}`;

type Changes = readonly Values[];

const reviewed = (changes: Changes, more: Values = {}) =>
  tenantsIn([{ name: "stack", plan: parsePlan(planText(changes, more), "plan") }]).map((tenant) =>
    reviewTenant(tenant, {}),
  );

let count = 0;
function fileOf(json: unknown): string {
  const file = path.join(folder, `${count++}.json`);
  writeFileSync(file, typeof json === "string" ? json : JSON.stringify(json));
  return file;
}

async function compared(approved: Changes, now: Changes, more: Values = {}) {
  const [{ whole }] = reviewed(approved) as [ReturnType<typeof reviewTenant>];
  const json = toJson(whole);
  expect(faultOf(json)).toBeUndefined();
  const results = compareWithApproved(await readApproved(fileOf(json), edge), reviewed(now, more));
  return { verdict: results[0]!.verdict, text: approvalOutput(results, "text") };
}

const office = acl(10, rule(block, "203.0.113.0/24"));
const wider = acl(10, rule(block, "203.0.112.0/23"));
const other = acl(5, rule(allow, "198.51.100.0/24"));
const widening = change(name("network_acl", "office"), office, wider);

test.each<[string, Changes, Changes]>([
  ["the same plan", [widening], [widening]],
  [
    "other ids and descriptions",
    [widening],
    [
      change(
        name("network_acl", "office"),
        { ...office, id: "acl_new", description: "Renamed" },
        { ...wider, id: "acl_new", description: "Renamed" },
      ),
    ],
  ],
  [
    "another order of objects and entries",
    [
      change(name("network_acl", "a"), null, acl(1, { action: block, match: { geo_country_codes: ["DE", "FR"] } })),
      widening,
    ],
    [
      widening,
      change(name("network_acl", "a"), null, acl(1, { action: block, match: { geo_country_codes: ["FR", "DE"] } })),
    ],
  ],
  [
    "another object that changed in the meantime",
    [widening],
    [widening, change(name("network_acl", "other"), other, other)],
  ],
  [
    "other priorities in the same order",
    [widening],
    [change(name("network_acl", "office"), { ...office, priority: 30 }, { ...wider, priority: 30 })],
  ],
  [
    "another spelling of the same addresses",
    [widening],
    [
      change(
        name("network_acl", "office"),
        office,
        acl(10, { action: block, match: { ipv4_cidrs: ["203.0.112.0/24", "203.0.113.0/24"] } }),
      ),
    ],
  ],
])("passes with %s", async (_, approved, now) => {
  const { verdict, text } = await compared(approved, now);
  expect({ verdict, text }).toEqual({ verdict: "same", text: expect.stringContaining("what was approved. Proven") });
});

test.each<[string, Changes, Changes, string]>([
  [
    "an ACL that somebody edited by hand",
    [widening],
    [change(name("network_acl", "office"), acl(10, rule(block, "203.0.112.0/24")), wider)],
    "Approved: allowed becomes blocked. Now: stays blocked",
  ],
  [
    "an ACL that now allows the requests first",
    [widening],
    [
      widening,
      change(
        name("network_acl", "other"),
        acl(1, rule(allow, "203.0.112.0/24")),
        acl(1, rule(allow, "203.0.112.0/24")),
      ),
    ],
    "Approved: allowed becomes blocked. Now: stays allowed",
  ],
  [
    "a redirect to another target",
    [
      change(
        name("network_acl", "r"),
        null,
        acl(1, rule({ redirect: true, redirect_uri: "https://a.example/" }, "203.0.113.0/24")),
      ),
    ],
    [
      change(
        name("network_acl", "r"),
        null,
        acl(1, rule({ redirect: true, redirect_uri: "https://b.example/" }, "203.0.113.0/24")),
      ),
    ],
    "redirected to https://b.example/",
  ],
  [
    "requests that are no longer logged",
    [
      change(
        name("network_acl", "l"),
        acl(1, rule({ log: true }, "203.0.113.0/24")),
        acl(1, rule({ log: true }, "203.0.113.0/24")),
      ),
    ],
    [change(name("network_acl", "l"), acl(1, rule({ log: true }, "203.0.113.0/24")), null)],
    "Approved: stays recorded. Now: recorded becomes not recorded",
  ],
  [
    "a limit that is another one now",
    [
      change(
        name("rate_limit_policy", "p"),
        policy("default", { action: "block", limit: 50 }),
        policy("default", { action: "block", limit: 20 }),
      ),
    ],
    [
      change(
        name("rate_limit_policy", "p"),
        policy("default", { action: "block", limit: 90 }),
        policy("default", { action: "block", limit: 20 }),
      ),
    ],
    "The limit of default. Approved: block above 50/s (default) becomes block above 20/s (default). Now: block above 90/s",
  ],
  [
    "a member who joined in the meantime and would leave",
    [change(name("organization_member_set", "m"), members("org_1", ["a", "b"]), members("org_1", ["a"]))],
    [change(name("organization_member_set", "m"), members("org_1", ["a", "b", "c"]), members("org_1", ["a"]))],
    "The members of org_1. Approved: loses b. Now: loses b, c.",
  ],
  ["an effect that is gone", [widening], [change(name("network_acl", "office"), wider, wider)], "Now: stays blocked"],
])("refuses %s", async (_, approved, now, words) => {
  const { verdict, text } = await compared(approved, now);
  expect(verdict).toBe("different");
  expect(text).toContain(words);
});

test.each<[string, Changes, string]>([
  [
    "a value that is known only after the apply",
    [change(name("network_acl", "office"), office, wider, { unknown: { priority: true } })],
    "Not known: a value of",
  ],
  [
    "a sensitive value",
    [change(name("network_acl", "office"), office, wider, { sensitive: { rule: { match: { ipv4_cidrs: true } } } })],
    "the sensitive ipv4_cidrs",
  ],
  [
    "a change of a kind that the review does not read",
    [widening, change("auth0_attack_protection.x", { a: 1 }, { a: 2 })],
    "Not known: auth0_attack_protection",
  ],
])("proves nothing with %s", async (_, changes, words) => {
  const { verdict, text } = await compared(changes, changes);
  expect(verdict).toBe("not known");
  expect(text).toContain(words);
  expect(text).not.toContain("203.0.11");
});

test("proves nothing for a plan with -target", async () => {
  const { verdict, text } = await compared([widening], [widening], { complete: false });
  expect([verdict, text]).toEqual(["not known", expect.stringContaining("because the plan is incomplete")]);
});

test("writes no sensitive value into the JSON", () => {
  const secret = { sensitive: { rule: { match: { ipv4_cidrs: true } } } };
  const [{ whole }] = reviewed([change(name("network_acl", "office"), office, wider, secret)]) as [
    ReturnType<typeof reviewTenant>,
  ];
  expect(JSON.stringify(toJson(whole))).not.toContain("203.0.11");
});

test("compares the tenants of several plans by name", async () => {
  const stack = (label: string, domain: string, changes: Changes) => ({
    name: label,
    plan: parsePlan(
      planText(changes, {
        configuration: {
          provider_config: { tenant: { name: "tenant", expressions: { domain: { constant_value: domain } } } },
          root_module: { resources: changes.map(({ address }) => ({ address, provider_config_key: "tenant" })) },
        },
      }),
      label,
    ),
  });
  const own = { ...office, id: "acl_own" };
  const same = change(name("network_acl", "office"), own, { ...wider, id: "acl_own" });
  const reviews = (last: Changes) =>
    tenantsIn([stack("one", "one.example", [widening]), stack("two", "two.example", last)]).map((tenant) =>
      reviewTenant(tenant, {}),
    );
  const json = toJsonOfMany(reviews([same]));
  expect(faultOf(json)).toBeUndefined();
  const approved = await readApproved(fileOf(json), edge);
  expect(compareWithApproved(approved, reviews([same])).map(({ verdict }) => verdict)).toEqual(["same", "same"]);
  const results = compareWithApproved(approved, reviews([change(name("network_acl", "office"), own, own)]));
  expect(results.map(({ name: its, verdict }) => [its, verdict])).toEqual([
    ["one", "same"],
    ["two", "different"],
  ]);
  expect(compareWithApproved(approved, reviews([same]).slice(0, 1)).map(({ verdict }) => verdict)).toEqual([
    "same",
    "different",
  ]);
});

const named = (site: string | null, certain = true, source: TenantName["source"] = "constant"): TenantName => ({
  name: site,
  certain,
  source,
  words: site ?? "",
});
const left = named(null, false, "environment");
const prefixed = { ...left, prefix: "ACME" };
const hidden = named(null, false, "variable");

test.each<[string, TenantName, TenantName, string, string]>([
  ["one name", named("a.example"), named("a.example"), "same", "same"],
  ["another name", named("a.example"), named("b.example"), "different", "same"],
  ["a name that may have a text around it", named("a.example"), named("a.example", false), "not known", "same"],
  ["a name of a tenant that has no object yet", named("a.example", false), named("a.example", false), "same", "same"],
  ["no name in the plan", named("a.example"), left, "not known", "same"],
  ["no name in the review", left, named("a.example"), "not known", "same"],
  ["the environment twice", left, left, "same", "same"],
  ["one prefix of the environment", prefixed, prefixed, "same", "same"],
  ["another prefix of the environment", prefixed, { ...left, prefix: "" }, "not known", "same"],
  ["a sensitive name twice", hidden, hidden, "not known", "same"],
])("approves only plans of its own tenant: %s", (_, was, is, verdict, forAny) => {
  const [own] = reviewed([widening]);
  const fresh = { ...own!, whole: { ...own!.whole, tenant: is } };
  const approved = [{ tenant: was, meaning: own!.whole.meaning! }];
  expect(compareWithApproved(approved, [fresh])).toMatchObject([{ verdict }]);
  expect(compareWithApproved(approved, [fresh], { isForAny: true })).toMatchObject([{ verdict: forAny }]);
});

test("a promotion to another tenant needs the option, and both tenants are named", () => {
  const [own] = reviewed([widening]);
  const fresh = { ...own!, whole: { ...own!.whole, tenant: named("production.example") } };
  const approved = [{ tenant: named("staging.example"), meaning: own!.whole.meaning! }];
  const text = (isForAny: boolean) => approvalOutput(compareWithApproved(approved, [fresh], { isForAny }), "text");
  expect(text(false)).toContain(
    "The approved review is for staging.example, and this plan is for production.example. To accept it nevertheless",
  );
  expect(text(true)).toContain(
    "○ The approved review is for staging.example, and this plan is for production.example, as --approved-for-any-tenant",
  );
  expect(JSON.parse(approvalOutput(compareWithApproved(approved, [fresh], { isForAny: true }), "json"))).toMatchObject({
    proven: true,
    tenants: [{ approved_tenant: "staging.example", tenant: "production.example" }],
  });
});

test("a plan of one of several tenants is not paired with another tenant that has its file name", () => {
  const [own] = reviewed([widening]);
  const meaning = own!.whole.meaning!;
  const fresh = (plan: string, tenant: string) => ({
    ...own!,
    whole: { ...own!.whole, name: plan, tenant: named(tenant) },
  });
  const approved = [
    { name: "plan", tenant: named("one.example"), meaning },
    {
      name: "plan (2)",
      tenant: named("two.example"),
      meaning: { ...meaning, limits: [], network_acls: { before: [], after: [] } },
    },
  ];
  const verdicts = (...fleet: ReturnType<typeof fresh>[]) =>
    compareWithApproved(approved, fleet).map(({ verdict }) => verdict);
  expect(verdicts(fresh("plan", "two.example"), fresh("plan (2)", "one.example"))).toEqual(["different", "same"]);
  expect(verdicts(fresh("plan", "three.example"))).toEqual(["different", "different", "different"]);
});

test.each<[string, unknown, string]>([
  [
    "groups without their review",
    { format_version: "1.0", plans: [], groups: [{ review: "x", tenants: [] }] },
    "no review of",
  ],
  ["no JSON", "nonsense", "is not JSON"],
  ["a plan", { format_version: "1.2", resource_changes: [] }, "without `meaning`"],
  ["an older review", { format_version: "1.2", verdict: {} }, "Review the approved plan again"],
  ["a list", [], "is not a review"],
  ["a later major format", { format_version: "3.0" }, "is not a review"],
  [
    "another form",
    { format_version: "1.3", meaning: { network_acls: { before: [{ priority: "first" }] } } },
    "has another form",
  ],
])("refuses %s as an approved review", async (_, json, words) => {
  await expect(readApproved(fileOf(json), edge)).rejects.toThrow(words);
});

test("hostile names become inert in markdown and stay on one line in text", () => {
  const results = [{ name: "@all\n::error::x", verdict: "different" as const, lines: ["<script>\n# head"] }];
  const [text, markdown] = ["text", "markdown"].map((format) => approvalOutput(results, format));
  expect(text!.split("\n")).toHaveLength(3);
  expect(markdown).not.toMatch(/<script>|^# |^::/m);
});

test("does not prove a plan whose ACL or member ends at another time, or has ended", async () => {
  const end = { expires_at: "2999-01-01T00:00:00Z", expired: false };
  const address = name("network_acl", "office");
  const opening = acl(10, rule(allow, "203.0.113.0/24"));
  const lasting = await compared([change(address, null, { ...opening, ...end })], [change(address, null, opening)]);
  expect(lasting.verdict).toBe("different");
  expect(lasting.text).toContain(
    "The network ACL with priority 10. Approved: ends on 1 January 2999, 00:00 UTC. Now: has no end or is not in force.",
  );
  const respelled = await compared(
    [change(address, null, { ...opening, ...end })],
    [change(address, null, { ...opening, ...end, expires_at: "2999-01-01T01:00:00+01:00" })],
  );
  expect(respelled.verdict).toBe("same");
  const blocked = acl(50, rule(block, "203.0.113.0/24"));
  const wall = change(name("network_acl", "wall"), blocked, blocked);
  const before = { ...opening, expires_at: "2020-01-01T00:00:00Z", expired: false };
  const ended = await compared(
    [wall, change(address, before, before)],
    [wall, change(address, before, { ...before, active: false, expired: true })],
  );
  expect(ended.verdict).toBe("different");
  expect(ended.text).toContain("Now: allowed becomes blocked");
  expect(ended.text).not.toContain("Not known");
  const set = { ...members("org_1", ["auth0|1"]), expires_at: { "auth0|1": end.expires_at } };
  const team = name("organization_member_set", "team");
  const kept = await compared([change(team, null, set)], [change(team, null, members("org_1", ["auth0|1"]))]);
  expect(kept.text).toContain("The membership of auth0|1 in org_1. Approved: ends on");
});

describe("ends", () => {
  const [first, second] = ["2999-01-01T00:00:00Z", "2999-02-01T00:00:00Z"];
  const at = (label: string) => name("network_acl", label);
  const opening = acl(10, rule(allow, "203.0.113.0/24"));
  const made = (expires_at: unknown, marked: Parameters<typeof change>[3] = {}) => [
    change(at("a"), null, { ...opening, expires_at, expired: false }, marked),
  ];
  const two = (one: string, last: string) => [
    change(at("a"), null, { ...opening, id: "acl_a", expires_at: one }),
    change(at("b"), null, { ...acl(11, rule(allow, "198.51.100.0/24")), id: "acl_b", expires_at: last }),
  ];
  const standing = (expires_at: string) => {
    const values = { ...opening, expires_at };
    return [change(at("a"), values, values, { sensitive: { expires_at: true } })];
  };
  const set = (expires_at: unknown, ids: readonly string[], marked: Parameters<typeof change>[3] = {}) => [
    change(name("organization_member_set", "m"), null, { ...members("org_1", ids), expires_at }, marked),
  ];
  const long = (start: string) => `${start}|${"x".repeat(70)}`;

  test.each<[string, Changes, Changes, string]>([
    [
      "sensitive",
      made(first, { sensitive: { expires_at: true } }),
      made(second, { sensitive: { expires_at: true } }),
      "not known",
    ],
    [
      "known only after the apply",
      made(undefined, { unknown: { expires_at: true } }),
      made(undefined, { unknown: { expires_at: true } }),
      "not known",
    ],
    ["sensitive beside a known one", made(first), made(second, { sensitive: { expires_at: true } }), "not known"],
    ["sensitive, and the plan leaves the ACL alone", standing(first), standing(first), "same"],
    ["exchanged by two ACLs", two(first, second), two(second, first), "different"],
    ["of two ACLs", two(first, second), two(first, second), "same"],
    [
      "of an ACL with another priority",
      made(first),
      [change(at("a"), null, { ...opening, priority: 30, expires_at: first })],
      "same",
    ],
    [
      "of a member, sensitive",
      set({ a: first }, ["a"], { sensitive: { expires_at: { a: true } } }),
      set({ a: second }, ["a"], { sensitive: { expires_at: { a: true } } }),
      "not known",
    ],
    [
      "of members, sensitive",
      set({ a: first }, ["a"], { sensitive: { expires_at: true } }),
      set({ a: second }, ["a"], { sensitive: { expires_at: true } }),
      "not known",
    ],
    [
      "of a member, known only after the apply",
      set({}, ["a"], { unknown: { expires_at: { a: true } } }),
      set({}, ["a"], { unknown: { expires_at: { a: true } } }),
      "not known",
    ],
    [
      "of members, known only after the apply",
      set(undefined, ["a"], { unknown: { expires_at: true } }),
      set(undefined, ["a"], { unknown: { expires_at: true } }),
      "not known",
    ],
    [
      "exchanged by two members of one connection with long ids",
      set({ [long("samlp|corp|ada")]: first, [long("samlp|corp|eve")]: second }, [
        long("samlp|corp|ada"),
        long("samlp|corp|eve"),
      ]),
      set({ [long("samlp|corp|ada")]: second, [long("samlp|corp|eve")]: first }, [
        long("samlp|corp|ada"),
        long("samlp|corp|eve"),
      ]),
      "different",
    ],
  ])("%s", async (_, approved, now, verdict) => {
    expect((await compared(approved, now)).verdict).toBe(verdict);
  });
});
