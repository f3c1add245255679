/** Each form of a review names the tenant that the plan is for, and never more than the plan shows. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import type { Values } from "../../src/impact/model";
import { review, type ReviewFlags } from "../../src/review/command";
import { acl, block, change, planText } from "./support/plan";
import { faultOf } from "./support/schema";

const folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-tenant-name-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const office = acl(1, { action: block, match: { geo_country_codes: ["DE"] } }, { id: "acl_office" });
let count = 0;

interface Written {
  readonly name?: string;
  readonly expressions: Values;
  readonly variables?: Values;
  readonly sensitive?: boolean;
  /** The configuration next to the plan. */
  readonly hcl?: string;
}

/** The file of a plan that creates an ACL. */
function planFile({ name = "production", expressions, variables = {}, sensitive = false, hcl }: Written): string {
  const own = path.join(folder, String(count++));
  mkdirSync(own);
  const more = {
    variables: Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, { value }])),
    configuration: {
      provider_config: { tenant: { name: "tenant", expressions } },
      root_module: {
        resources: [{ address: "tenant_network_acl.office", provider_config_key: "tenant" }],
        variables: Object.fromEntries(Object.keys(variables).map((key) => [key, { sensitive }])),
      },
    },
  };
  if (hcl !== undefined)
    writeFileSync(path.join(own, "main.tf"), `${hcl}\nresource "tenant_network_acl" "office" {}\n`);
  const file = path.join(own, `${name}.json`);
  writeFileSync(file, planText([change("tenant_network_acl.office", null, office)], more));
  return file;
}

const forms = ["txt", "md", "json", "html", "sarif"] as const;

/** Every form of the review, and what was printed to standard error. */
async function reviewed(files: readonly string[], flags: Partial<ReviewFlags> = {}) {
  const own = path.join(folder, String(count++));
  mkdirSync(own);
  const output = forms.map((form) => path.join(own, `review.${form}`));
  const annotations = path.join(own, "annotations");
  const edge = { stdin: Readable.from([]), environment: {} };
  const spy = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    const code = await review(files, { output, ...flags }, "0.0.0", edge);
    if (code !== 0) return { code, printed: spy.mock.calls.join("") };
    await review(files, { output: annotations, format: "annotations", ...flags }, "0.0.0", edge);
    const [text, markdown, json, html, sarif] = output.map((file) => readFileSync(file, "utf8")) as [
      string,
      string,
      string,
      string,
      string,
    ];
    return { code, text, markdown, json, html, sarif, annotations: readFileSync(annotations, "utf8") };
  } finally {
    spy.mockRestore();
  }
}

const tenantIn = (json: string | undefined) => (JSON.parse(json!) as { verdict: { tenant: object } }).verdict.tenant;
const constant = (value: string) => ({ domain: { constant_value: value } });
const variable = { domain: { references: ["var.domain"] } };

test("names a constant domain in every form", async () => {
  const { text, markdown, json, html, sarif, annotations } = await reviewed([
    planFile({ expressions: constant("ACME.eu.auth0.com.") }),
  ]);
  expect(text).toMatch(/^Review of production, for acme\.eu\.auth0\.com\n● /);
  expect(markdown).toContain("### Review of the plan production, for acme.eu.auth0.com\n");
  expect(html).toContain("Review of production, for acme.eu.auth0.com.");
  expect(html).toMatch(/<title>.* \(acme\.eu\.auth0\.com\)<\/title>/);
  expect(tenantIn(json)).toEqual({ name: "acme.eu.auth0.com", certain: true, source: "constant" });
  expect(faultOf(JSON.parse(json!))).toBeUndefined();
  const { properties, results } = JSON.parse(sarif!).runs[0];
  expect(properties).toEqual({ tenants: ["acme.eu.auth0.com"] });
  expect(results[0].properties).toEqual({ tenant: "acme.eu.auth0.com" });
  expect(annotations!.match(/::acme\.eu\.auth0\.com: /g)).toHaveLength(annotations!.trim().split("\n").length);
});

const provider = (domain: string) => `variable "domain" {}\nprovider "tenant" {\n  domain = ${domain}\n}`;
const hush = { variables: { domain: "hush.example" }, expressions: variable, sensitive: true };
const acme = { variables: { domain: "acme.eu.auth0.com" }, expressions: variable };

test.each<[string, Written, string, object]>([
  [
    "a variable, if the configuration has nothing else",
    { ...acme, hcl: provider("var.domain") },
    ", for acme.eu.auth0.com\n",
    { name: "acme.eu.auth0.com", certain: true, source: "variable" },
  ],
  [
    "a variable with the words that it comes from one, without the configuration",
    acme,
    ", for acme.eu.auth0.com (from var.domain)\n",
    { name: "acme.eu.auth0.com", certain: false, source: "variable" },
  ],
  [
    "a variable with text around it as uncertain",
    { ...acme, hcl: provider('"${var.domain}.example.com"') },
    ", for acme.eu.auth0.com (from var.domain)\n",
    { name: "acme.eu.auth0.com", certain: false, source: "variable" },
  ],
  [
    "no value of a sensitive variable",
    { ...hush, hcl: provider("var.domain") },
    ", for the tenant of var.domain (sensitive)\n",
    { name: null, certain: false, source: "variable" },
  ],
  [
    "the environment",
    { expressions: {} },
    ", for the tenant from TENANT_DOMAIN\n",
    { name: null, certain: false, source: "environment", prefix: "" },
  ],
  [
    "the prefix of the environment",
    { expressions: { environment_prefix: { constant_value: "ACME" } } },
    ", for the tenant from ACME_TENANT_DOMAIN\n",
    { name: null, certain: false, source: "environment", prefix: "ACME" },
  ],
  [
    "nothing for another expression",
    { expressions: { domain: { references: ["local.domain"] } } },
    "Review of production\n",
    { name: null, certain: false, source: "unknown" },
  ],
])("names %s", async (_, written, heading, tenant) => {
  const { text, json, ...others } = await reviewed([planFile(written)]);
  expect(text).toContain(heading);
  expect(tenantIn(json)).toEqual(tenant);
  if (written.sensitive) expect(JSON.stringify({ text, json, ...others })).not.toContain("hush");
});

test("--domain shows no sensitive domain", async () => {
  const secret = planFile({ ...hush, hcl: provider("var.domain") });
  const { code, printed } = await reviewed([secret], { domain: "other.eu.auth0.com" });
  expect([code, printed]).toEqual([2, expect.stringContaining("is for another tenant, but --domain")]);
  expect(printed).not.toContain("hush");
});

const acmeDomain = "acme.eu.auth0.com";

test.each<[Written]>([
  [{ expressions: constant("ACME.eu.auth0.com") }],
  [{ expressions: { endpoint: { constant_value: "https://acme.eu.auth0.com/" } } }],
  [{ ...acme, expressions: { domain: { constant_value: "${var.domain}", references: ["var.domain"] } } }],
  [{ ...acme, hcl: provider("var.domain") }],
])("--domain accepts %j", async (written) => {
  expect(await reviewed([planFile(written)], { domain: `${acmeDomain}.` })).toMatchObject({ code: 0 });
});

test.each<[string, Written, string]>([
  [
    "another constant",
    { expressions: constant("staging.eu.auth0.com") },
    "is for the tenant staging.eu.auth0.com, but --domain names acme.eu.auth0.com",
  ],
  ["no domain", { expressions: {} }, "does not name its tenant"],
  ["a prefix", { expressions: { environment_prefix: { constant_value: "ACME" } } }, "does not name its tenant"],
  ["a local value", { expressions: { domain: { references: ["local.domain"] } } }, "does not name its tenant"],
  [
    "another variable",
    { expressions: variable, variables: { domain: "other.example" }, hcl: provider("var.domain") },
    "is for the tenant other.example",
  ],
  ["a variable without the configuration", acme, "review the plan next to its configuration"],
  ["a text around the variable", { ...acme, hcl: provider('"evil-${var.domain}"') }, "does not name its tenant"],
  [
    "a text around the variable in JSON",
    { ...acme, expressions: { domain: { constant_value: "evil-${var.domain}", references: ["var.domain"] } } },
    "does not name its tenant",
  ],
])("--domain refuses %s", async (_, written, words) => {
  expect(await reviewed([planFile(written)], { domain: acmeDomain })).toMatchObject({
    code: 2,
    printed: expect.stringContaining(words),
  });
});

test("a hostile domain stays inert, and shows no password", async () => {
  const endpoint = { constant_value: "https://user:hunter2@a&'`b$(id)`*c*.example/<blink>%0a::error::x?token=s3cret" };
  const { text, markdown, html, annotations, json, sarif } = await reviewed([planFile({ expressions: { endpoint } })]);
  expect(text!.split("\n")[0]).toMatch(/^Review of production, for /);
  expect(markdown).not.toMatch(/<blink>|^::/m);
  expect(html).not.toContain("<blink>");
  expect(annotations).not.toMatch(/^::error::x/m);
  expect([text, markdown, html, annotations, json, sarif].join()).not.toMatch(/hunter2|s3cret/);
});

test("a file that is called like another tenant does not hide the tenant", async () => {
  const file = planFile({ name: "not-acme.example", expressions: constant("acme.example") });
  expect((await reviewed([file])).text).toMatch(/^Review of not-acme\.example, for acme\.example\n/);
});

test("each line of many plans names its tenant", async () => {
  const files = ["one", "two"].map((name) => planFile({ name, expressions: constant(`${name}.example`) }));
  const { annotations, sarif, text, markdown } = await reviewed(files);
  expect(annotations).toContain("::one (one.example): ");
  expect(annotations).toContain("::two (two.example): ");
  expect(JSON.parse(sarif!).runs[0].results[0].message.text).toMatch(/^one \(one\.example\): /);
  expect(text).toMatch(/^2 of 2 tenants: the same effect/);
  expect(text).toContain("2 of 2 tenants: one (one.example), two (two.example)");
  expect(markdown).toContain("one (one.example), two (two.example)".replace(/[()]/g, "\\$&"));
});
