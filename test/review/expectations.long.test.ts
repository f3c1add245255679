/** Reviews plans with expectations through the built command: every format, places, exit codes, hostile and sensitive values. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Values } from "../../src/impact/model";
import { formats } from "../../src/review/command";
import { expressionsOf } from "../impact/support/channels";
import { run } from "../support/program";
import { acl, allow, block, change, planText } from "./support/plan";
import { faultOf } from "./support/schema";

let folder: string;
beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-expectations-"))));
afterAll(() => rm(folder, { recursive: true }));

const cli = path.join(__dirname, "../../dist/cli.js");
const write = async (name: string, content: unknown) => {
  await writeFile(path.join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return name;
};
const review = async (plan: string, ...args: string[]) =>
  run(process.execPath, [cli, "review", await write("plan.json", plan), ...args], { cwd: folder });

const at = (name: string) => `tenant_network_acl.${name}`;
const wall = acl(90, { action: block, match: { geo_country_codes: ["KP", "IR"] } }, { description: "Wall" });
const partners = acl(10, { action: allow, match: { ipv4_cidrs: ["198.51.100.0/24"] } }, { description: "Partners" });
const opened = [change(at("wall"), wall, wall), change(at("partners"), null, partners)];
const expression = (statements: object) => expressionsOf({ domain: "acme.eu.auth0.com", ...statements });
const planWith = (changes: readonly Values[], expressions: Values, more: Values = {}, root_module: Values = {}) =>
  planText(changes, {
    configuration: { provider_config: { tenant: { name: "tenant", expressions } }, root_module },
    ...more,
  });
const planOf = (changes: readonly Values[], expectation: readonly object[], root?: Values) =>
  planWith(changes, expression({ expectation }), {}, root);
const sanctions = {
  name: "sanctions",
  outcome: "blocked",
  request: { scopes: ["authentication"], countries: ["KP", "IR"] },
};

test("a broken expectation has its file and line in JSON, SARIF, annotations, Markdown and HTML", async () => {
  const hcl = `provider "tenant" {\n}\n\nresource "tenant_network_acl" "partners" {\n}\nresource "tenant_network_acl" "wall" {\n}\n`;
  await write("main.tf", hcl);
  const plan = planOf(opened, [sanctions], { resources: [{ address: at("partners") }, { address: at("wall") }] });
  const files = ["a.json", "a.sarif", "a.md", "a.html"];
  await review(plan, ...files.flatMap((file) => ["--output", file]));
  const shown = await review(plan, "--format", "annotations");
  await rm(path.join(folder, "main.tf"));
  const [json, sarif, markdown, html] = await Promise.all(
    files.map((file) => readFile(path.join(folder, file), "utf8")),
  );
  const { effects } = JSON.parse(json!) as { effects: object[] };
  const code = "TNF-EXPECTATION-BROKEN";
  expect(effects[0]).toMatchObject({ code, refuses: true });
  expect(effects[0]).toMatchObject({ subject: { address: at("partners"), file: "main.tf", line: 4 } });
  expect(JSON.parse(sarif!).runs[0].results[0]).toMatchObject({ ruleId: code, level: "error" });
  expect(markdown).toContain("<details open><summary>Expectations</summary>\n\n| expectation | result | why |");
  expect(html).toContain('<th scope="row">sanctions</th><td>✖ broken</td>');
  expect(shown.stdout).toMatch(
    /^::error file=main\.tf,line=4,title=TNF-EXPECTATION-BROKEN \(high\)::acme\.eu\.auth0\.com: Breaks the expectation "sanctions": /m,
  );
});

test.each<[string, object, string[], number]>([
  ["high", sanctions, ["high"], 3],
  ["high, if it is a warning", { ...sanctions, severity: "warning" }, ["high"], 0],
  ["medium, if it is a warning", { ...sanctions, severity: "warning" }, ["medium"], 3],
  ["high, if somebody agreed", sanctions, ["high", "--ignore", "TNF-EXPECTATION-BROKEN=agreed"], 0],
])("a broken expectation counts for --fail-on %s", async (_, expectation, flags, code) => {
  expect((await review(planOf(opened, [expectation]), "--fail-on", ...flags)).code).toBe(code);
});

test.each(["--expect", "--base"])("exit code 2 and one line if the file of %s cannot be read", async (flag) => {
  const missing = await review(planOf(opened, []), flag, "missing.json");
  expect(missing).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/^missing\.json does not exist/),
  });
  const wrong = await review(planOf(opened, []), flag, await write("list.json", { expectations: [{ name: "a" }] }));
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/^[^\n]+ https:\S+#tenantform-review\n$/)]);
});

const name = '</script><img src=x onerror=alert(1)>|`a` @everyone [l](http://e) #1\n::error::x\n##vso[x]\u202e\u0000"';
const visible = name.replaceAll("\n", "").replaceAll("\u202e", "").replaceAll("\u0000", "");
const hostile = [
  { ...sanctions, name },
  { name: visible, outcome: "reached", request: { countries: ["DE"], user_agents: [name] } },
  { name: "org", members: { organization_id: name, include: [name] } },
];
const secrets = {
  codes: ["CU"],
  organization: "org_veiled",
  people: ["auth0|veiled"],
  most: 7357,
  called: "veiled name",
};
const reference = (variable: string) => ({ references: [`var.${variable}`] });
const constant = (value: unknown) => ({ constant_value: value });
const veiled = [
  { name: reference("called"), outcome: constant("blocked"), request: [{ countries: reference("codes") }] },
  {
    name: constant("staff"),
    members: { organization_id: reference("organization"), include: reference("people"), at_least: reference("most") },
  },
  { name: constant("limit"), policy: { consumer: constant("default"), at_most: reference("most") } },
];
const set = { organization_id: "org_veiled", members: ["auth0|other"], exclusive: true };
const leaving = change(
  "tenant_organization_member_set.staff",
  set,
  { ...set, members: [] },
  { sensitive: { organization_id: true, members: true } },
);
const secretPlan = planWith(
  [...opened, leaving],
  { expectation: veiled },
  { variables: Object.fromEntries(Object.entries(secrets).map(([key, value]) => [key, { value }])) },
  { variables: Object.fromEntries(Object.keys(secrets).map((key) => [key, { sensitive: true }])) },
);

test.each(formats)("%s shows hostile texts as text, no sensitive value, and a weakened guard", async (format) => {
  const base = await write("base.json", [{ name: "our CI", ip: "198.51.100.10" }]);
  const flags = ["--format", format, "--base", base, "--fail-on", "high"];
  const { stdout, code, stderr } = await review(planOf(opened, hostile), ...flags);
  expect([code, stderr]).toEqual([3, ""]);
  expect(stdout).toMatch(/TNF-GUARD-WEAKENED[^]*our CI|our CI[^]*TNF-GUARD-WEAKENED/);
  for (const sign of ["\u0000", "\u202e"]) expect(stdout).not.toContain(sign);
  expect(stdout).not.toMatch(/^::error::x/m);
  if (format !== "annotations") expect(stdout).not.toContain("##vso[");
  if (format === "html") expect(stdout).not.toMatch(/<img|<\/script>.*<img/);
  if (format === "markdown") expect(stdout).not.toMatch(/<img|(?<!`)@everyone(?!.*`)/);
  if (format === "json") expect(faultOf(JSON.parse(stdout))).toBeUndefined();
  const secret = await review(secretPlan, "--format", format);
  expect(secret.stdout).toContain("staff");
  expect(secret.stdout).not.toMatch(/veiled|7357/);
  // The page has the codes of all countries.
  if (format !== "html") expect(secret.stdout).not.toMatch(/\bCU\b/);
});

test("2,000 expectations leave the comment small and the verdict short", async () => {
  const many = Array.from({ length: 2_000 }, (_, index) => ({
    name: `expectation ${index}`,
    outcome: "blocked",
    request: { asns: [index + 1] },
  }));
  const plan = planOf([change(at("wall"), wall, null)], [sanctions, ...many]);
  expect(await review(plan, "--output", "many.md", "--output", "many.json")).toMatchObject({ code: 0, stderr: "" });
  const [markdown, json] = await Promise.all(
    ["many.md", "many.json"].map((file) => readFile(path.join(folder, file), "utf8")),
  );
  expect(markdown!.length).toBeLessThan(65_536);
  expect(markdown).toContain('Breaks the expectation "sanctions"');
  const { verdict, expectations } = JSON.parse(json!) as { verdict: { summary: string }; expectations: object[] };
  expect(verdict.summary.split("\n").length).toBeLessThanOrEqual(4);
  expect(expectations).toHaveLength(2_001);
});
