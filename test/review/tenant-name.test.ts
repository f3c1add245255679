/** Each form of a review names the tenant that the plan is for; objects that two resources manage, under several names of a tenant. */
import path from "node:path";
import type { Values } from "../../src/judge/impact/model";
import { review, type ReviewFlags } from "../../src/review/commands/command";
import type { Plan } from "../../src/review/input/plan";
import { tenantsIn } from "../../src/review/input/tenants";
import type { TenantReview } from "../../src/review/judge/review";
import { openFolder, printed } from "./support/command";
import { acl, allow, block, kept as same, members } from "./support/objects";
import { change, configured, constant, inState, plan, planText, prior, reviewOf, reviewTenant } from "./support/plan";
import { faultOf } from "./support/schema";

const { at, put, read } = openFolder();
const office = acl(1, { action: block, match: { geo_country_codes: ["DE"] } }, { id: "acl_office" });
const net = (name: string) => `tenant_network_acl.${name}`;
const address = net("office");
let count = 0;

interface Written {
  readonly name?: string;
  readonly expressions: Values;
  /** The value of the variable `domain`. */
  readonly domain?: string;
  readonly sensitive?: boolean;
  /** The domain in the configuration next to the plan. */
  readonly hcl?: string;
}

/** The file of a plan that creates an ACL. */
function planFile({ name = "production", expressions, domain, sensitive = false, hcl }: Written): string {
  const own = `plan${count++}`;
  const { configuration } = configured({ tenant: expressions }, { [address]: "tenant" }) as { configuration: any };
  const root_module = { ...configuration.root_module, variables: { domain: { sensitive } } };
  if (hcl !== undefined)
    put(`${own}/main.tf`, `provider "tenant" {\n  domain = ${hcl}\n}\nresource "tenant_network_acl" "office" {}\n`);
  const variables = domain === undefined ? {} : { domain: { value: domain } };
  const more = { variables, configuration: { ...configuration, root_module } };
  return put(path.join(own, `${name}.json`), planText([change(address, null, office)], more));
}

const forms = ["text", "markdown", "json", "html", "sarif", "annotations"] as const;

/** Every form of the review. */
async function reviewed(...files: string[]) {
  const texts: string[] = [];
  for (const format of forms) {
    expect(await printed((edge) => review(files, { format, output: at(format) }, "0.0.0", edge))).toMatchObject({
      code: 0,
    });
    texts.push(read(format));
  }
  return Object.fromEntries(forms.map((form, index) => [form, texts[index]])) as Record<(typeof forms)[number], string>;
}
const tenantIn = (json: string) => (JSON.parse(json) as { verdict: { tenant: object } }).verdict.tenant;

test("names a constant domain in every form", async () => {
  const { text, markdown, json, html, sarif, annotations } = await reviewed(
    planFile({ expressions: { domain: constant("ACME.eu.auth0.com.") } }),
  );
  expect(text).toMatch(/^Review of production, for acme\.eu\.auth0\.com\n✖ /);
  expect(markdown).toMatch(/### Review of .*production, for acme\.eu\.auth0\.com\n/);
  expect(html).toContain("Review of production, for acme.eu.auth0.com.");
  expect(html).toMatch(/<title>.* \(acme\.eu\.auth0\.com\)<\/title>/);
  expect(tenantIn(json)).toEqual({ name: "acme.eu.auth0.com", certain: true, source: "constant" });
  expect(faultOf(JSON.parse(json))).toBeUndefined();
  const { properties, results } = JSON.parse(sarif).runs[0];
  expect(properties).toEqual({ tenants: ["acme.eu.auth0.com"] });
  expect(results[0].properties).toEqual({ tenant: "acme.eu.auth0.com" });
  expect(annotations.match(/::acme\.eu\.auth0\.com: /g)).toHaveLength(annotations.trim().split("\n").length);
});

const variable = { domain: { references: ["var.domain"] } };
const acmeDomain = "acme.eu.auth0.com";
const acme = { domain: acmeDomain, expressions: variable };
const hush = { domain: "hush.example", expressions: variable, sensitive: true, hcl: "var.domain" };
const prefix = (name: string) => ({ environment_prefix: constant(name) });
const json = (text: string) => ({ domain: { ...constant(text), references: ["var.domain"] } });
const around = '"evil-${var.domain}"';

const certainly = (name: string, source = "constant") => ({ name, certain: true, source });
const perhaps = { name: acmeDomain, certain: false, source: "variable" };
const nameless = (source: string, more = {}) => ({ name: null, certain: false, source, ...more });
const byVariable = certainly(acmeDomain, "variable");
const unknown = nameless("unknown");
const environment = (prefixed: string) => nameless("environment", { prefix: prefixed });
const unnamed = "does not name its tenant";
const both = { domain: { references: ["var.domain", "var.other"] } };
const local = { domain: { references: ["local.domain"] } };
const other = { domain: "other.example", expressions: variable, hcl: "var.domain" };
const byEndpoint = { expressions: { endpoint: constant("https://acme.eu.auth0.com/") } };
const staging = { expressions: { domain: constant("staging.example") } };

/** The end of the first line, the tenant in the JSON, and what --domain acme.eu.auth0.com says; left out: it accepts the plan. */
test.each<[string, Written, string, object, string?]>([
  ["an endpoint", byEndpoint, ", for acme.eu.auth0.com", certainly(acmeDomain)],
  ["another constant", staging, ", for staging.example", certainly("staging.example"), "but --domain names acme.eu"],
  ["a variable alone", { ...acme, hcl: "var.domain" }, ", for acme.eu.auth0.com", byVariable],
  ["in JSON", { ...acme, expressions: json("${var.domain}") }, ", for acme.eu.auth0.com", byVariable],
  ["another variable", other, ", for other.example", certainly("other.example", "variable"), "for the tenant other."],
  ["without the configuration", acme, `, for ${acmeDomain} (from var.domain)`, perhaps, "review the plan next"],
  ["with text around it", { ...acme, hcl: around }, `, for ${acmeDomain} (from var.domain)`, perhaps, unnamed],
  ["the same in JSON", { ...acme, expressions: json("evil-${var.domain}") }, "", unknown, unnamed],
  ["a sensitive one", hush, ", for the tenant of var.domain (sensitive)", nameless("variable"), "for another tenant"],
  ["the environment", { expressions: {} }, ", for the tenant of the environment", environment(""), unnamed],
  ["a prefix", { expressions: prefix("ACME") }, " environment, ACME_TENANT_DOMAIN", environment("ACME"), unnamed],
  ["another expression", { expressions: local }, "", unknown, unnamed],
  ["two variables", { ...acme, expressions: both }, "", unknown, unnamed],
  ["a function in JSON", { ...acme, expressions: json('${lower("ACME.eu.auth0.com")}') }, "", unknown, unnamed],
])("%s", async (_what, written, heading, tenant, refused = "") => {
  const file = planFile(written);
  const all = await reviewed(file);
  const [title = ""] = all.text.split("\n");
  if (heading === "") expect(title).toBe("Review of production");
  else expect(title.endsWith(heading)).toBe(true);
  expect(tenantIn(all.json)).toEqual(tenant);
  const flags: ReviewFlags = { domain: `${acmeDomain}.`, output: at("domain.txt") };
  const { code, stderr } = await printed((edge) => review([file], flags, "0.0.0", edge));
  expect([code, stderr]).toEqual(refused === "" ? [0, ""] : [2, expect.stringContaining(refused)]);
  if (written.sensitive) expect(JSON.stringify(all) + stderr).not.toContain("hush");
});

test.each<[string, string, Values, string]>([
  ["without a provider block", "auth0_role.a", {}, "the tenant of the environment, AUTH0_DOMAIN"],
  ["with an empty block", "auth0_role.a", configured({ auth0: {} }), "the tenant of the environment, AUTH0_DOMAIN"],
  [
    "with a resource that has no block",
    "auth0_role.a",
    configured({}, { "auth0_role.a": "auth0" }),
    "the tenant of the environment, AUTH0_DOMAIN",
  ],
  ["of the provider tenant", address, configured({ tenant: {} }), "the tenant of the environment"],
])("a plan %s names the variable of its provider", (_what, created, more, words) => {
  const named = plan([change(created, null, office)], more);
  const [tenant] = tenantsIn([{ name: "plan", plan: named }]);
  expect(reviewTenant(tenant!, {}).whole.tenant.words).toBe(words);
});

test("a hostile domain stays inert, and shows no password", async () => {
  const endpoint = constant("https://user:hunter2@a&'`b$(id)`*c*.example/<blink>%0a::error::x?token=s3cret");
  const all = await reviewed(planFile({ expressions: { endpoint } }));
  expect(all.text.split("\n")[0]).toMatch(/^Review of production, for /);
  expect(all.markdown + all.html).not.toMatch(/<blink>|^::/m);
  expect(all.annotations).not.toMatch(/^::error::x/m);
  expect(JSON.stringify(all)).not.toMatch(/hunter2|s3cret/);
});

test("a file that is called like another tenant does not hide the tenant", async () => {
  const file = planFile({ name: "not-acme.example", expressions: { domain: constant("acme.example") } });
  expect((await reviewed(file)).text).toMatch(/^Review of not-acme\.example, for acme\.example\n/);
});

test("each line of many plans names its tenant", async () => {
  const files = ["one", "two"].map((name) => planFile({ name, expressions: { domain: constant(`${name}.example`) } }));
  const { annotations, sarif, text, markdown } = await reviewed(...files);
  expect(annotations).toMatch(/::one \(one\.example\): [^]*::two \(two\.example\): /);
  expect(JSON.parse(sarif).runs[0].results[0].message.text).toMatch(/^one \(one\.example\): /);
  expect(text).toMatch(/^2 of 2 tenants: the same effect/);
  expect(text).toContain("2 of 2 tenants: one (one.example), two (two.example)");
  expect(markdown.replaceAll("\\", "")).toContain("one (one.example), two (two.example)");
});

describe("objects that two resources manage", () => {
  const korea = acl(10, { action: block, match: { geo_country_codes: ["KP"] } }, { id: "acl_kp" });
  const opened = { ...korea, priority: 11, rule: { ...(korea["rule"] as Values), action: allow } };
  const importing = { importing: { id: "acl_kp" } };
  const kept = (name: string, marked?: object) => same(net(name), korea, marked);
  const opens = (name: string, marked?: object) => change(net(name), korea, opened, marked);
  const deposed = (name: string) => ({ ...change(net(name), korea, null), deposed: "1a2b" });
  const lists = (...exclusive: boolean[]) => {
    const list = (one?: boolean) => ({ ...members("org_1", ["auth0|a"]), exclusive: one });
    const [gone, stays] = exclusive.map(list);
    const set = "tenant_organization_member_set.a";
    return [{ ...change(set, gone!, null), deposed: "1a2b" }, same(set, stays!)];
  };
  const created = change(net("b"), null, opened);
  const byIdentity = { ...(created["change"] as Values), importing: { identity: { id: "acl_kp" } } };
  const data = inState("data.tenant_network_acls.all", { network_acls: [korea] });
  const another = same(net("a"), { ...korea, id: "acl_other", priority: 20 });

  /** How many effects say it. `isShown`: the plans show the ACL before the change. */
  test.each<[string, Plan[], number, boolean?]>([
    ["an import of the same id twice", [plan([kept("a", importing), opens("b", importing)])], 2, true],
    ["two stacks", [plan([kept("a")]), plan([opens("a", importing)])], 2, true],
    ["one that -target left out", [plan([opens("b")], prior(inState(net("a"), korea)))], 2],
    ["one left over from a replacement, which goes while the other stays", [plan([deposed("a"), kept("b")])], 2],
    ["an import that the plan does not show", [plan([kept("a"), change(net("b"), null, opened, importing)])], 2],
    ["an import by identity", [plan([kept("a"), { ...created, change: byIdentity }])], 2],
    ["a move", [plan([kept("b", { previous: net("a") })])], 0],
    ["a deposed object", [plan([deposed("a"), another])], 0],
    ["one that its replacement adopted before the apply failed", [plan([deposed("a"), kept("a")])], 0, true],
    ["a deposed list whose replacement adopted it", [plan(lists(false, true))], 0],
    ["a deposed list beside one that takes nothing over", [plan(lists(true, false))], 2],
    ["one address in two stacks", [plan([kept("a")]), plan([another])], 0],
    ["a data source that reads what a resource manages", [plan([kept("a")], prior(data))], 0],
  ])("are duplicates, or not, and prove nothing: %s", (_what, plans, told, isShown = false) => {
    const tenants = tenantsIn(plans.map((one, index) => ({ name: `plan${index + 1}`, plan: one })));
    const [{ whole, parts }, ...others] = tenants.map((tenant) => reviewTenant(tenant, {})) as [TenantReview];
    const levels = whole.effects.flatMap(({ code, level }) => (code === "TNF-DUPLICATE" ? level : []));
    expect([others, levels, whole.acls.proven]).toEqual([[], Array(told).fill("critical"), told === 0]);
    expect(parts.map(({ acls }) => acls.proven)).toEqual(plans.length > 1 ? plans.map(() => told === 0) : []);
    if (isShown) expect(whole.acls).toMatchObject({ before: [{ id: "acl_kp" }] });
  });

  test("does not told an import as a new ACL if the plan does not show its current values", () => {
    const { acls } = reviewOf([change(net("b"), null, korea, importing)]);
    expect([acls.proven, acls.before.map(({ id }) => id)]).toEqual([false, ["acl_kp"]]);
  });
});
