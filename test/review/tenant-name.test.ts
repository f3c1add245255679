/** Each form of a review names the tenant that the plan is for, and never more than the plan shows. */
import path from "node:path";
import type { Values } from "../../src/judge/impact/model";
import { review, type ReviewFlags } from "../../src/review/commands/command";
import { openFolder, printed } from "./support/command";
import { acl, block, change, configured, constant, planText } from "./support/plan";
import { faultOf } from "./support/schema";

const { at, put, read } = openFolder();
const office = acl(1, { action: block, match: { geo_country_codes: ["DE"] } }, { id: "acl_office" });
const address = "tenant_network_acl.office";
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
const environment = (prefixed: string) => nameless("environment", { prefix: prefixed });
const unnamed = "does not name its tenant";
const local = { domain: { references: ["local.domain"] } };
const other = { domain: "other.example", expressions: variable, hcl: "var.domain" };
const byEndpoint = { expressions: { endpoint: constant("https://acme.eu.auth0.com/") } };
const staging = { expressions: { domain: constant("staging.example") } };

/** The end of the first line, the tenant in the JSON, and what --domain acme.eu.auth0.com says; left out: it accepts the plan. */
test.each<[string, Written, string, object, string?]>([
  ["an endpoint", byEndpoint, ", for acme.eu.auth0.com", certainly(acmeDomain)],
  ["another constant", staging, ", for staging.example", certainly("staging.example"), "but --domain names acme.eu"],
  ["a variable alone", { ...acme, hcl: "var.domain" }, ", for acme.eu.auth0.com", certainly(acmeDomain, "variable")],
  [
    "in JSON",
    { ...acme, expressions: json("${var.domain}") },
    `, for ${acmeDomain}`,
    certainly(acmeDomain, "variable"),
  ],
  ["another variable", other, ", for other.example", certainly("other.example", "variable"), "for the tenant other."],
  ["without the configuration", acme, `, for ${acmeDomain} (from var.domain)`, perhaps, "review the plan next"],
  ["with text around it", { ...acme, hcl: around }, `, for ${acmeDomain} (from var.domain)`, perhaps, unnamed],
  ["the same in JSON", { ...acme, expressions: json("evil-${var.domain}") }, "", nameless("unknown"), unnamed],
  ["a sensitive one", hush, ", for the tenant of var.domain (sensitive)", nameless("variable"), "for another tenant"],
  ["the environment", { expressions: {} }, ", for the tenant of the environment", environment(""), unnamed],
  ["a prefix", { expressions: prefix("ACME") }, " environment, ACME_TENANT_DOMAIN", environment("ACME"), unnamed],
  ["another expression", { expressions: local }, "", nameless("unknown"), unnamed],
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
