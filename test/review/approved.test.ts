/** Compares fresh plans with approved reviews: harmless drift passes, harmful drift does not, and what is not known is never proven. */
import type { Values } from "../../src/impact/model";
import { compareWithApproved, readApproved } from "../../src/review/approved";
import { approvalOutput } from "../../src/review/approved-output";
import { review } from "../../src/review/command";
import { toJson, toJsonOfMany } from "../../src/review/json";
import type { TenantName } from "../../src/review/site";
import { reviewTenant, tenantsIn } from "../../src/review/tenants";
import { openFolder, printed } from "./support/command";
import { acl, allow, block, change, configured, constant, kept, members, plan, planText, policy } from "./support/plan";
import { faultOf } from "./support/schema";

const { put, at } = openFolder();
const edge = { stdin: (async function* () {})(), environment: {} };
const name = (type: string, label: string) => `tenant_${type}.${label}`;
const net = (label: string) => name("network_acl", label);

type Changes = readonly Values[];

const reviewed = (changes: Changes, more: Values = {}) =>
  tenantsIn([{ name: "stack", plan: plan(changes, more) }]).map((tenant) => reviewTenant(tenant, {}));

async function compared(approved: Changes, now: Changes, more: Values = {}) {
  const json = toJson(reviewed(approved)[0]!.whole);
  expect(faultOf(json)).toBeUndefined();
  const results = compareWithApproved(await readApproved(put("review.json", json), edge), reviewed(now, more));
  return { verdict: results[0]!.verdict, text: approvalOutput(results, "text"), json: JSON.stringify(json) };
}

const cidrs = (action: Values, ...ipv4_cidrs: string[]) => ({ action, match: { ipv4_cidrs } });
const office = acl(10, cidrs(block, "203.0.113.0/24"));
const wider = acl(10, cidrs(block, "203.0.112.0/23"));
const other = acl(5, cidrs(allow, "198.51.100.0/24"));
const first = acl(1, cidrs(allow, "203.0.112.0/24"));
const widening = change(net("office"), office, wider);
const renamed = { id: "acl_new", description: "Renamed" };
const countries = (...codes: string[]) =>
  change(net("a"), null, acl(1, { action: block, match: { geo_country_codes: codes } }));
const away = (host: string) =>
  change(net("r"), null, acl(1, cidrs({ redirect: true, redirect_uri: host }, "203.0.113.0/24")));
const log = acl(1, cidrs({ log: true }, "203.0.113.0/24"));
const limit = (before: number) =>
  change(
    name("rate_limit_policy", "p"),
    policy("default", { action: "block", limit: before }),
    policy("default", { action: "block", limit: 20 }),
  );
const staff = (...ids: string[]) =>
  change(name("organization_member_set", "m"), members("org_1", ids), members("org_1", ["a"]));
const secret = { sensitive: { rule: { match: { ipv4_cidrs: true } } } };
const marked = (more: Parameters<typeof change>[3]) => [change(net("office"), office, wider, more)];

test.each<[string, "same" | "different" | "not known", Changes, Changes, string?]>([
  ["the same plan", "same", [widening], [widening], "what was approved. Proven"],
  [
    "other ids and descriptions",
    "same",
    [widening],
    [change(net("office"), { ...office, ...renamed }, { ...wider, ...renamed })],
  ],
  ["another order", "same", [countries("DE", "FR"), widening], [widening, countries("FR", "DE")]],
  ["another object that changed in the meantime", "same", [widening], [widening, kept(net("other"), other)]],
  [
    "other priorities in the same order",
    "same",
    [widening],
    [change(net("office"), { ...office, priority: 30 }, { ...wider, priority: 30 })],
  ],
  [
    "another spelling of the same addresses",
    "same",
    [widening],
    [change(net("office"), office, acl(10, cidrs(block, "203.0.112.0/24", "203.0.113.0/24")))],
  ],
  [
    "an ACL that somebody edited by hand",
    "different",
    [widening],
    [change(net("office"), acl(10, cidrs(block, "203.0.112.0/24")), wider)],
    "Approved: allowed becomes blocked. Now: stays blocked",
  ],
  [
    "an ACL that now allows the requests first",
    "different",
    [widening],
    [widening, kept(net("other"), first)],
    "Approved: allowed becomes blocked. Now: stays allowed",
  ],
  ["an effect that is gone", "different", [widening], [kept(net("office"), wider)], "Now: stays blocked"],
  [
    "a redirect to another target",
    "different",
    [away("https://a.example/")],
    [away("https://b.example/")],
    "redirected to https://b.example/",
  ],
  [
    "requests that are no longer logged",
    "different",
    [kept(net("l"), log)],
    [change(net("l"), log, null)],
    "Approved: stays recorded. Now: recorded becomes not recorded",
  ],
  [
    "a limit that is another one now",
    "different",
    [limit(50)],
    [limit(90)],
    "The limit of default. Approved: block above 50/s (default) becomes block above 20/s (default). Now: block above 90/s",
  ],
  [
    "a member who joined in the meantime and would leave",
    "different",
    [staff("a", "b")],
    [staff("a", "b", "c")],
    "The members of org_1. Approved: loses b. Now: loses b, c.",
  ],
  [
    "a value known only after the apply",
    "not known",
    marked({ unknown: { priority: true } }),
    marked({ unknown: { priority: true } }),
    "Not known: a value of",
  ],
  ["a sensitive value", "not known", marked(secret), marked(secret), "the sensitive ipv4_cidrs"],
  [
    "a kind that the review does not read",
    "not known",
    [widening, change("auth0_attack_protection.x", { a: 1 }, { a: 2 })],
    [widening, change("auth0_attack_protection.x", { a: 1 }, { a: 2 })],
    "Not known: auth0_attack_protection",
  ],
])("%s: %s", async (_what, verdict, approved, now, words = "") => {
  const found = await compared(approved, now);
  expect({ verdict: found.verdict, text: found.text }).toEqual({ verdict, text: expect.stringContaining(words) });
  // A value that is sensitive is neither in the review nor in the comparison.
  if (approved.length === 1 && JSON.stringify(approved).includes('ipv4_cidrs":true'))
    expect(found.json + found.text).not.toContain("203.0.11");
});

test("proves nothing for a plan with -target", async () => {
  const { verdict, text } = await compared([widening], [widening], { complete: false });
  expect([verdict, text]).toEqual(["not known", expect.stringContaining("because the plan is incomplete")]);
});

test("compares the tenants of several plans by name", async () => {
  const stack = (label: string, changes: Changes) => ({
    name: label,
    plan: plan(
      changes,
      configured(
        { tenant: { domain: constant(`${label}.example`) } },
        Object.fromEntries(changes.map(({ address }) => [String(address), "tenant"])),
      ),
    ),
  });
  const own = { ...office, id: "acl_own" };
  const same = change(net("office"), own, { ...wider, id: "acl_own" });
  const reviews = (last: Values) =>
    tenantsIn([stack("one", [widening]), stack("two", [last])]).map((tenant) => reviewTenant(tenant, {}));
  const json = toJsonOfMany(reviews(same));
  expect(faultOf(json)).toBeUndefined();
  const approved = await readApproved(put("several.json", json), edge);
  const verdicts = (fresh: ReturnType<typeof reviews>) =>
    compareWithApproved(approved, fresh).map(({ name: its, verdict }) => [its, verdict]);
  expect(verdicts(reviews(same))).toEqual([
    ["one", "same"],
    ["two", "same"],
  ]);
  expect(verdicts(reviews(kept(net("office"), own)))).toEqual([
    ["one", "same"],
    ["two", "different"],
  ]);
  expect(verdicts(reviews(same).slice(0, 1))).toEqual([
    ["one", "same"],
    ["two", "different"],
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
const nameless = named(null, false, "variable");
const fresh = (tenant: TenantName, label = "stack") => {
  const [own] = reviewed([widening]);
  return { ...own!, whole: { ...own!.whole, name: label, tenant } };
};
const meaning = reviewed([widening])[0]!.whole.meaning!;

test.each<[string, TenantName, TenantName, string]>([
  ["one name", named("a.example"), named("a.example"), "same"],
  ["another name", named("a.example"), named("b.example"), "different"],
  ["a name that may have a text around it", named("a.example"), named("a.example", false), "not known"],
  ["a name that may have had a text around it", named("a.example", false), named("a.example"), "not known"],
  ["the name of one variable", named("a.example", false), named("a.example", false), "same"],
  ["a tenant that had no object yet", named("a.example", false, "remote"), named("a.example", true, "remote"), "same"],
  ["no name in the plan", named("a.example"), left, "not known"],
  ["no name in the review", left, named("a.example"), "not known"],
  ["the environment twice", left, left, "same"],
  ["one prefix of the environment", prefixed, prefixed, "same"],
  ["another prefix of the environment", prefixed, { ...left, prefix: "" }, "not known"],
  ["a sensitive name twice", nameless, nameless, "not known"],
])("approves only plans of its own tenant, unless a promotion allows it: %s", (_, was, now, verdict) => {
  const approved = [{ tenant: was, meaning }];
  expect(compareWithApproved(approved, [fresh(now)])).toMatchObject([{ verdict }]);
  expect(compareWithApproved(approved, [fresh(now)], { isForAny: true })).toMatchObject([{ verdict: "same" }]);
});

test("a promotion names both tenants", () => {
  const approved = [{ tenant: named("staging.example"), meaning }];
  const output = (isForAny: boolean, format: "text" | "json") =>
    approvalOutput(compareWithApproved(approved, [fresh(named("production.example"))], { isForAny }), format);
  const both = "The approved review is for staging.example, and this plan is for production.example";
  expect(output(false, "text")).toContain(`${both}. To accept it nevertheless`);
  expect(output(true, "text")).toContain(`${both}, as --approved-for-any-tenant`);
  expect(JSON.parse(output(true, "json"))).toMatchObject({
    proven: true,
    tenants: [{ approved_tenant: "staging.example", tenant: "production.example" }],
  });
});

test("a plan of one of several tenants is not paired with another tenant that has its file name", () => {
  const nothing = { ...meaning, limits: [], network_acls: { before: [], after: [] } };
  const approved = [
    { name: "plan", tenant: named("one.example"), meaning },
    { name: "plan (2)", tenant: named("two.example"), meaning: nothing },
  ];
  const verdicts = (...fleet: ReturnType<typeof fresh>[]) =>
    compareWithApproved(approved, fleet).map(({ verdict }) => verdict);
  const [one, second, third] = ["one", "two", "three"].map((site) => named(`${site}.example`));
  expect(verdicts(fresh(second!, "plan"), fresh(one!, "plan (2)"))).toEqual(["different", "same"]);
  expect(verdicts(fresh(third!, "plan"))).toEqual(["different", "different", "different"]);
});

test.each<[string, unknown, string]>([
  [
    "groups without their review",
    { format_version: "2.0", plans: [], groups: [{ review: "x", tenants: [] }] },
    "no review of",
  ],
  ["no JSON", "nonsense", "is not JSON"],
  ["a plan", { format_version: "2.2", resource_changes: [] }, "without `meaning`"],
  ["a list", [], "is not a review"],
  ["a later major format", { format_version: "3.0" }, "is not a review"],
  [
    "another form",
    { format_version: "2.3", meaning: { network_acls: { before: [{ priority: "first" }] } } },
    "has another form",
  ],
])("refuses %s as an approved review", async (_, json, words) => {
  await expect(readApproved(put("approved.json", json), edge)).rejects.toThrow(words);
});

test("hostile names become inert in markdown and stay on one line in text", () => {
  const results = [{ name: "@all\n::error::x", verdict: "different" as const, lines: ["<script>\n# head"] }];
  const [text, markdown] = (["text", "markdown"] as const).map((format) => approvalOutput(results, format));
  expect(text!.trimEnd().split("\n")).toHaveLength(2);
  expect(markdown).not.toMatch(/<script>|^# |^::/m);
});

test("the command ends with 0 if the plan means what was approved, and else with 4", async () => {
  const [own, none] = [put("plan.json", planText([widening])), put("later.json", planText([]))];
  const run = (file: string, flags: object) => printed((edges) => review([file], flags, "0.0.0", edges));
  await run(own, { output: at("approved.json") });
  const flags = { approved: at("approved.json"), format: "text" };
  expect(await run(own, flags)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^✔ The plan means what was/) });
  expect(await run(none, flags)).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/^✖ later does not mean what was approved/),
  });
});
