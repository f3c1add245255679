/** Reviews plans with expectations through the built command: every format, the exit code, and the base branch. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Values } from "../../src/impact/model";
import { formats } from "../../src/review/command";
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

/** A block of a plan: each attribute is a constant. */
function expressions(values: object): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => [
      name,
      ["request", "except", "policy", "members"].includes(name)
        ? [value].flat().map((one) => expressions(one as object))
        : { constant_value: value },
    ]),
  );
}

const wall = acl(90, { action: block, match: { geo_country_codes: ["KP", "IR"] } }, { description: "Wall" });
const partners = acl(10, { action: allow, match: { ipv4_cidrs: ["198.51.100.0/24"] } }, { description: "Partners" });
const at = (name: string) => `tenant_network_acl.${name}`;
const kept = [change(at("wall"), wall, wall)];
const opened = [...kept, change(at("partners"), null, partners)];
const data = (type: string, property: string) => ({
  address: `data.${type}.all`,
  mode: "data",
  type,
  values: { [property]: [] },
});
/** Nothing is unmanaged. */
const whole = {
  prior_state: {
    values: {
      root_module: {
        resources: [
          data("tenant_network_acls", "network_acls"),
          data("tenant_rate_limit_policies", "rate_limit_policies"),
        ],
      },
    },
  },
};
const planOf = (changes: readonly Values[], expectations: readonly object[], more: Values = whole) =>
  planText(changes, {
    configuration: {
      provider_config: {
        tenant: {
          name: "tenant",
          expressions: {
            domain: { constant_value: "acme.eu.auth0.com" },
            ...(expectations.length > 0 && { expectation: expectations.map(expressions) }),
          },
        },
      },
    },
    ...more,
  });

const sanctions = {
  name: "sanctions",
  outcome: "blocked",
  request: { scopes: ["authentication"], countries: ["KP", "IR"] },
};
const germany = { name: "Germany", outcome: "reached", request: { countries: ["DE"] } };
const limit = { name: "limit", severity: "warning", policy: { consumer: "third_party_clients", at_most: 50 } };

interface Found {
  readonly effects: { code: string; level: string; text: string; address?: string; already?: true }[];
  readonly expectations?: { name: string; verdict: string; text: string; from?: string }[];
  readonly verdict: { level: string; summary: string; effects: { kind: string }[] };
}
async function found(plan: string, ...args: string[]): Promise<Found> {
  const { stdout, stderr } = await review(plan, "--format", "json", ...args);
  expect(stderr).toBe("");
  const json = JSON.parse(stdout) as Found;
  expect(faultOf(json)).toBeUndefined();
  return json;
}
const verdicts = ({ expectations = [] }: Found) =>
  Object.fromEntries(expectations.map(({ name, verdict }) => [name, verdict]));

describe("the expectations of a plan", () => {
  test("are one folded line if all of them hold", async () => {
    const plan = planOf(kept, [sanctions, germany]);
    const { stdout: text } = await review(plan, "--format", "text");
    expect(text).toContain("✔ No request, limit or member changes.");
    expect(text).toContain("2 expectations hold.\n- sanctions Germany\n");
    const { stdout: markdown } = await review(plan, "--format", "markdown");
    expect(markdown).toContain("<details><summary>2 expectations hold.</summary>");
    expect(verdicts(await found(plan))).toEqual({ sanctions: "held", Germany: "held" });
  });

  test("are an open table with the worst first if one does not hold", async () => {
    const plan = planOf(opened, [germany, sanctions]);
    const { stdout: text } = await review(plan, "--format", "text");
    expect(text.split("\n")[1]).toMatch(
      /^✖ Breaks the expectation "sanctions": a request to sign-in from 198\.51\.100\.\d+, country (IR|KP), is allowed by ACL "Partners" with priority 10\..* tenant_network_acl\.partners decides this request\. \[TNF-EXPECTATION-BROKEN\]$/,
    );
    expect(text).toMatch(/^Expectations\nsanctions: ✖ broken -> A request .*\nGermany: ✔ held -> Proven\.$/m);
    const { stdout: markdown } = await review(plan, "--format", "markdown");
    expect(markdown).toContain("<details open><summary>Expectations</summary>\n\n| expectation | result | why |");
    const { stdout: html } = await review(plan, "--format", "html");
    expect(html).toContain('<th scope="row">sanctions</th><td>✖ broken</td>');
    expect(html).toMatch(/<span class="line severe">✖ Breaks the expectation/);
  });

  test("count for --fail-on by their severity", async () => {
    const of = async (expectation: object, ...args: string[]) =>
      (await review(planOf(opened, [expectation]), "--fail-on", ...args)).code;
    expect(await of(sanctions, "high")).toBe(3);
    expect(await of({ ...sanctions, severity: "warning" }, "high")).toBe(0);
    expect(await of({ ...sanctions, severity: "warning" }, "medium")).toBe(3);
    const ignored = ["--ignore", "TNF-EXPECTATION-BROKEN=agreed"];
    expect(await of(sanctions, "high", ...ignored)).toBe(0);
    expect((await review(planOf(kept, [sanctions]), "--fail-on", "info")).code).toBe(0);
  });

  test("do not count if they were broken before", async () => {
    const plan = planOf(kept, [{ ...germany, outcome: "blocked" }]);
    const { effects, verdict } = await found(plan, "--fail-on", "info");
    expect(effects).toMatchObject([{ code: "TNF-EXPECTATION-BROKEN", already: true }]);
    expect(verdict.summary).toBe("✔ No request, limit or member changes.");
    const { stdout: text } = await review(plan, "--format", "text");
    expect(text).toContain("Germany: ✖ broken before too -> ");
  });

  test("are held by the objects of the plan if the review did not read unmanaged ones, and the table says so", async () => {
    const { expectations, effects } = await found(planOf(kept, [sanctions, germany], {}));
    expect(expectations!.map(({ verdict }) => verdict)).toEqual(["held", "held"]);
    expect(effects.filter(({ code }) => code.startsWith("TNF-EXPECTATION"))).toEqual([]);
    const all = await review(planOf(kept, [sanctions, germany], {}), "--format", "text");
    expect(all.stdout).toContain("2 expectations hold for the objects that the plan manages.");
    const some = await review(planOf(kept, [sanctions, limit], {}), "--format", "text");
    expect(some.stdout).toContain("sanctions: ✔ held -> Proven for the objects that the plan manages.");
    expect((await review(planOf(kept, [sanctions]), "--format", "text")).stdout).toContain("1 expectation holds.");
  });

  test("are undecided in one effect if a plan is incomplete", async () => {
    const { effects } = await found(planOf(kept, [sanctions, germany], { ...whole, complete: false }));
    expect(effects.filter(({ code }) => code === "TNF-EXPECTATION-UNDECIDED")).toMatchObject([
      { level: "medium", text: expect.stringContaining('2 expectations ("sanctions" and "Germany") are not decided.') },
    ]);
  });

  test.each([
    ["an incomplete plan", { ...whole, complete: false }, "Not proven: the plan is incomplete."],
    [
      "a plan with an error",
      { ...whole, errored: true },
      "Not proven: planning ended with an error, which `terraform plan` shows.",
    ],
  ])("are undecided in %s", async (_, more, text) => {
    const { expectations } = await found(planOf(kept, [sanctions], more));
    expect(expectations).toMatchObject([{ verdict: "undecided", text }]);
  });

  test("have their files and lines in effects, SARIF and annotations", async () => {
    const hcl =
      'provider "tenant" {\n}\n\nresource "tenant_network_acl" "partners" {\n}\nresource "tenant_network_acl" "wall" {\n}\n';
    await write("main.tf", hcl);
    const configuration = JSON.parse(planOf(opened, [sanctions])) as { configuration: Values };
    const root = { resources: [{ address: at("partners") }, { address: at("wall") }] };
    const plan = planOf(opened, [sanctions], {
      ...whole,
      configuration: { ...configuration.configuration, root_module: root },
    });
    const { effects, verdict } = await found(plan);
    expect(effects[0]).toMatchObject({
      code: "TNF-EXPECTATION-BROKEN",
      address: at("partners"),
      file: "main.tf",
      line: 4,
    });
    expect(verdict.summary.split("\n")[0]).toMatch(
      /tenant_network_acl\.partners decides this request, main\.tf:4\. \[TNF-EXPECTATION-BROKEN\]$/,
    );
    const { stdout: annotations } = await review(plan, "--format", "annotations");
    expect(annotations).toMatch(
      /^::error file=main\.tf,line=4,title=TNF-EXPECTATION-BROKEN::acme\.eu\.auth0\.com: Breaks the expectation "sanctions": /m,
    );
    const sarif = JSON.parse((await review(plan, "--format", "sarif")).stdout) as { runs: { results: object[] }[] };
    expect(sarif.runs[0]!.results[0]).toMatchObject({ ruleId: "TNF-EXPECTATION-BROKEN", level: "error" });
    await rm(path.join(folder, "main.tf"));
  });
});

test.each(formats)("show no sensitive value of an expectation in %s", async (format) => {
  const names = {
    codes: ["CU"],
    organization: "org_veiled",
    people: ["auth0|veiled"],
    most: 7357,
    called: "veiled name",
  };
  const reference = (name: string) => ({ references: [`var.${name}`] });
  const expectation = [
    { name: reference("called"), outcome: { constant_value: "blocked" }, request: [{ countries: reference("codes") }] },
    {
      name: { constant_value: "staff" },
      members: {
        organization_id: reference("organization"),
        include: reference("people"),
        at_least: reference("most"),
      },
    },
    {
      name: { constant_value: "limit" },
      policy: { consumer: { constant_value: "default" }, at_most: reference("most") },
    },
  ];
  const set = { organization_id: "org_veiled", members: ["auth0|other"], exclusive: true };
  const plan = planText(
    [
      ...opened,
      change(
        "tenant_organization_member_set.staff",
        set,
        { ...set, members: [] },
        { sensitive: { organization_id: true, members: true } },
      ),
    ],
    {
      ...whole,
      variables: Object.fromEntries(Object.entries(names).map(([name, value]) => [name, { value }])),
      configuration: {
        provider_config: { tenant: { name: "tenant", expressions: { expectation } } },
        root_module: { variables: Object.fromEntries(Object.keys(names).map((name) => [name, { sensitive: true }])) },
      },
    },
  );
  const { stdout, stderr } = await review(plan, "--format", format);
  expect(stderr).toBe("");
  expect(stdout).toContain("staff");
  expect(stdout).not.toMatch(/veiled|7357/);
  // The page has the codes of all countries.
  if (format !== "html") expect(stdout).not.toMatch(/\bCU\b/);
});

describe("--expect", () => {
  test("judges a plan of the auth0 provider", async () => {
    const file = await write("expect.json", [sanctions]);
    const goAcl = (changes: Values[]) =>
      changes.map(
        (one) =>
          JSON.parse(
            JSON.stringify(one)
              .replaceAll("tenant_network_acl.", "auth0_network_acl.")
              .replaceAll('"type":"tenant_', '"type":"auth0_'),
          ) as Values,
      );
    const plan = planText(goAcl(opened), whole);
    const result = await found(plan, "--expect", file);
    expect(result.expectations).toMatchObject([{ name: "sanctions", verdict: "broken", from: "expect.json" }]);
    expect(result.effects.map(({ code }) => code)).not.toContain("TNF-EXPECTATION-WEAKENED");
    expect((await review(plan, "--expect", file, "--fail-on", "high")).code).toBe(3);
  });

  test("adds to the expectations of the plan, and shows equal ones once", async () => {
    const file = await write("expect.json", { expectations: [sanctions, limit] });
    const result = await found(planOf(kept, [sanctions, germany]), "--expect", file);
    expect(verdicts(result)).toEqual({ sanctions: "held", Germany: "held", limit: "broken" });
    expect(result.effects.map(({ code }) => code)).not.toContain("TNF-EXPECTATION-WEAKENED");
  });

  test("ends with exit code 2 if the file cannot be read", async () => {
    const { code, stdout, stderr } = await review(planOf(kept, []), "--expect", "missing.json");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^missing\.json does not exist/);
    const file = await write("expect.json", [{ ...sanctions, outcome: "block" }]);
    const wrong = await review(planOf(kept, []), "--expect", file);
    expect([wrong.code, wrong.stderr.trim()]).toEqual([2, expect.stringContaining('"blocked" is probably meant')]);
  });
});

describe("expectations of the base branch", () => {
  const base = planOf(kept, [sanctions, germany]);
  const weakened = ({ effects }: Found) =>
    effects
      .filter(({ code, level }) => code === "TNF-EXPECTATION-WEAKENED" && level === "high")
      .map(({ text }) => text);

  test.each([
    ["removed", [germany], 1],
    ["renamed", [{ ...sanctions, name: "embargo" }, germany], 0],
  ])("that are %s (case %#)", async (_, own, count) => {
    for (const flag of ["--expect", "--protect"]) {
      const result = await found(planOf(kept, own as object[]), flag, await write("base.json", base));
      expect(weakened(result)).toHaveLength(count);
    }
  });

  test.each([
    ["unused", "tenant.unused", 2],
    ["used", "tenant", 0],
  ])("that stand in an %s provider configuration", async (_, key, count) => {
    const shown = JSON.parse(base) as { configuration: { provider_config: { tenant: Values } } & Values };
    const { tenant } = shown.configuration.provider_config;
    const { expectation: _own, ...others } = tenant["expressions"] as Values;
    const empty = { ...tenant, expressions: others };
    const resources = [{ address: "tenant_network_acl.wall", provider_config_key: "tenant" }];
    const planWith = (provider_config: Values) =>
      JSON.stringify({
        ...shown,
        configuration: { ...shown.configuration, provider_config, root_module: { resources } },
      });
    const moved = planWith({ tenant: empty, "tenant.unused": empty, [key]: tenant });
    for (const file of [await write("base.json", base), await write("base.json", planWith({ tenant }))]) {
      expect(weakened(await found(moved, "--expect", file))).toHaveLength(count);
    }
    expect(weakened(await found(moved, "--expect", await write("same.json", moved)))).toEqual([]);
  });

  test("are judged, although the change removes them", async () => {
    const result = await found(planOf(opened, []), "--expect", await write("base.json", base));
    expect(verdicts(result)).toEqual({ sanctions: "broken", Germany: "held" });
    const gate = await review(planOf(opened, []), "--expect", "base.json", "--fail-on", "high");
    expect(gate.code).toBe(3);
  });

  test("are both judged if the change weakens one", async () => {
    const own = { ...sanctions, except: { ip_cidrs: ["198.51.100.0/24"] } };
    const result = await found(planOf(opened, [own, germany]), "--expect", await write("base.json", base));
    expect(verdicts(result)).toEqual({ sanctions: "held", Germany: "held", "sanctions (base.json)": "broken" });
  });

  test("may be a list of --protect", async () => {
    const file = await write("protected.json", { expectations: [sanctions, germany] });
    expect(weakened(await found(planOf(kept, [germany]), "--protect", file))).toHaveLength(1);
    expect(weakened(await found(planOf(kept, []), "--protect", file))).toHaveLength(2);
  });

  test("are no demand on the plan if they are a list of --expect, unless the plan weakens one", async () => {
    const file = await write("list.json", { expectations: [sanctions, limit] });
    expect(weakened(await found(planOf(kept, [germany]), "--expect", file))).toEqual([]);
    const own = { ...sanctions, except: { ip_cidrs: ["192.0.2.1"] } };
    expect(weakened(await found(planOf(kept, [own]), "--expect", file))).toHaveLength(1);
  });
});

describe("hostile expectations", () => {
  const name =
    '</script><img src=x onerror=alert(1)>|`a` @everyone [l](http://e) #1\n::error::x\n##vso[x]\u202e\u0000"';
  const hostile = [
    { ...sanctions, name },
    {
      ...germany,
      name: name.replaceAll("\n", "").replaceAll("\u202e", "").replaceAll("\u0000", ""),
      request: { countries: ["DE"], user_agents: [name] },
    },
    { name: "org", members: { organization_id: name, include: [name] } },
  ];

  test.each(formats)("change nothing but text in %s", async (format) => {
    const { stdout, code, stderr } = await review(planOf(opened, hostile), "--format", format);
    expect([code, stderr]).toEqual([0, ""]);
    for (const sign of ["\u0000", "\u202e"]) expect(stdout).not.toContain(sign);
    expect(stdout).not.toMatch(/^::error::x/m);
    if (format !== "annotations") expect(stdout).not.toContain("##vso[");
    if (format === "html") expect(stdout).not.toMatch(/<img|<\/script>.*<img/);
    if (format === "markdown") expect(stdout).not.toMatch(/<img|(?<!`)@everyone(?!.*`)/);
    if (format === "json") expect(faultOf(JSON.parse(stdout))).toBeUndefined();
  });

  test("in great number leave the comment small and the verdict short", async () => {
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
    const { verdict, expectations } = JSON.parse(json!) as Found;
    expect(verdict.summary.split("\n").length).toBeLessThanOrEqual(3);
    expect(expectations).toHaveLength(2_001);
  });
});
