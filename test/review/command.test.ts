/** `tenantform review`: what a plan becomes (first line, level, exit code), which inputs it takes, and what it refuses in one line. */
import { gzipSync } from "node:zlib";
import { existsSync, mkdirSync, openSync, closeSync, ftruncateSync } from "node:fs";
import path from "node:path";
import type { Values } from "../../src/judge/impact/model";
import { review, type ReviewFlags } from "../../src/review/commands/command";
import { parsePlan } from "../../src/review/input/plan";
import { run } from "../support/program";
import { openFolder, printed } from "./support/command";
import { acl, block, kept } from "./support/objects";
import { change, configured, constant, planText } from "./support/plan";

const { folder, at, put, read } = openFolder();
const cli = path.join(__dirname, "../../dist/cli.js");
const reviewed = (files: readonly string[], flags: ReviewFlags = {}) =>
  printed((edge) => review(files, flags, "0.0.0", edge));

const wall = acl(1, { action: block, match: { geo_country_codes: ["KP"] } });
const blocking = [change("tenant_network_acl.all", null, acl(1, { action: block, match_all: true }))];

/** Plan -> first line, level, exit code with --fail-on high. */
test.each<[string, readonly Values[], Values, RegExp, string, number]>([
  ["nothing", [kept("tenant_network_acl.a", wall)], {}, /^✔ Nothing changes for people\.$/, "none", 0],
  ["a lock-out", blocking, {}, /^✖ critical: Blocks sign-in, .* for everyone/, "critical", 3],
  ["a block that goes", [change("tenant_network_acl.a", wall, null)], {}, /^✖ high: Allows .*North Korea/, "high", 3],
  ["an error", [], { errored: true }, /^✖ The plan failed, so nothing can be applied/, "critical", 3],
  ["-target", [], { complete: false }, /^○ low: .*The plan is incomplete/, "low", 0],
])("%s", async (_what, changes, more, line, level, code) => {
  const flags = { output: [at("review.txt"), at("review.json")], failOn: "high" };
  expect(await reviewed([put("infra.json", planText(changes, more))], flags)).toEqual({ code, stdout: "", stderr: "" });
  const { verdict } = JSON.parse(read("review.json"));
  expect(verdict.level).toBe(level);
  expect(verdict.summary.split("\n")[0]).toMatch(line);
  expect(read("review.txt").split("\n").slice(0, 2)).toEqual([
    "Review of infra, for the tenant of the environment",
    verdict.summary.split("\n")[0],
  ]);
});

test("an effect that is ignored with a reason does not count for --fail-on, and the review shows the reason", async () => {
  const ignore = ["TNF-ACL-LOCKOUT=meant so", "TNF-ACL-TIGHTENED=meant so"];
  const file = put("plan.json", planText(blocking));
  const { code, stdout } = await reviewed([file], { failOn: "high", ignore, format: "json" });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).effects).toContainEqual(
    expect.objectContaining({ code: "TNF-ACL-LOCKOUT", ignored: "meant so" }),
  );
});

test("the extension of each output selects its format, and --format counts before it", async () => {
  const file = put("plan.json", planText(blocking));
  const names = ["all.md", "all.html", "all.sarif", "all.json", "all.txt"];
  expect((await reviewed([file], { output: names.map(at) })).code).toBe(0);
  const [markdown, html, sarif, json, text] = names.map(read);
  expect(markdown).toMatch(/^<!-- tenantform:review tag=\S+ at=/);
  expect(html).toMatch(/^<!doctype html>/i);
  expect(JSON.parse(sarif!).version).toBe("2.1.0");
  expect(JSON.parse(json!).verdict.level).toBe("critical");
  expect(text).toMatch(/^Review of /);
  await reviewed([file], { output: at("all.md"), format: "json" });
  expect(JSON.parse(read("all.md"))).toHaveProperty("verdict");
  const { code, stderr } = await reviewed([file], { output: at("all.xml") });
  expect([code, stderr]).toEqual([2, expect.stringContaining("no format has the extension .xml: use .txt, .md")]);
});

test("reviews several plans apart and together, and tells two files of one name apart", async () => {
  const files = ["edge.json", "eu/edge.json", "app/tfplan.json"].map((name, index) =>
    put(name, planText(index === 0 ? blocking : [])),
  );
  const { plans, together } = JSON.parse((await reviewed(files, { format: "json" })).stdout);
  expect(plans.map(({ name }: { name: string }) => name)).toEqual(["edge", "edge (2)", "app"]);
  expect(together.verdict.level).toBe("critical");
  const { code, stdout } = await reviewed(files, { format: "annotations", failOn: "high" });
  expect([code, stdout]).toEqual([3, expect.stringMatching(/^::error title=TNF-ACL-LOCKOUT \(critical\)::edge: /m)]);
});

const provider = (expressions: Values) => configured({ tenant: expressions });

test.each<[string, unknown, string]>([
  ["no such file", undefined, "does not exist"],
  ["an empty file", "", "is empty"],
  ["no JSON", "No changes.", "is no plan. Make one with `terraform plan -out=plan`"],
  ["a truncated plan", planText(blocking).slice(0, -20), "is incomplete or not JSON"],
  ["a newer format", { format_version: "2.0", planned_values: {} }, 'has the plan format "2.0"'],
  ["a list", [1, 2], "is a list, not a plan: write each plan to its own file"],
  ["a stream", '{"@level":"info","type":"version"}\n{"@level":"info"}', "is the stream of `terraform plan -json`"],
  ["one line of a stream", '{"@level":"info","type":"version"}', "is the stream of `terraform plan -json`"],
  ["two plans", `${planText([])}\n${planText([])}`, "holds 2 documents: write each plan to its own file"],
  ["a bookmark", { remote_plan_format: 1, run_id: "run-1" }, "is the bookmark of a plan in HCP"],
  ["an encrypted plan", { meta: {}, encrypted_data: "a", encryption_version: "v0" }, "is an encrypted plan"],
  ["a configuration", 'resource "a" "b" {}', "is no plan. Make one with `terraform plan -out=plan`"],
  ["a compressed plan that is cut", gzipSync(planText([])).subarray(0, 40), "is compressed, and `gunzip` cannot"],
  ["in UTF-32", Buffer.from("\uFEFF\0{\0}\0", "utf16le"), "is UTF-32 or no text: write it as UTF-8."],
  ["a compressed text", gzipSync("No changes."), "is no plan. Make one with"],
])("refuses %s in one line with exit code 2", async (_what, content, words) => {
  const file = content === undefined ? at("absent.json") : put("input.json", content);
  const { code, stdout, stderr } = await reviewed([file]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^[^\n]+ https:\S+#tenantform-review\n$/);
  expect(stderr).toContain(`${file} ${words}`);
});

test.each<[string, (plan: string) => string | Buffer]>([
  ["in UTF-16", (plan) => Buffer.from(`\uFEFF${plan}`, "utf16le")],
  ["in UTF-16 without a mark", (plan) => Buffer.from(plan, "utf16le")],
  ["in UTF-16 with the high byte first", (plan) => Buffer.from(`\uFEFF${plan}`, "utf16le").swap16()],
  ["with a mark at its start", (plan) => `\uFEFF${plan}`],
  ["compressed with gzip", (plan) => gzipSync(plan)],
  ["that another program has wrapped", (plan) => `{"terraform":${plan}}`],
  ["after a warning", (plan) => `Warning: a newer version is out\n${plan}\n`],
  ["between the lines of a wrapper", (plan) => `[command]/usr/bin/terraform show -json plan\n${plan}\n\n::debug::0\n`],
])("reads a plan %s", async (_, written) => {
  const { code, stdout } = await reviewed([put("input.json", written(planText(blocking)))]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("TNF-ACL-LOCKOUT")]);
});

const state = (module: unknown) => ({ prior_state: { values: { root_module: module } } });
const root = (module: unknown) => ({ configuration: { root_module: module } });

test.each<[string, Values]>([
  ["configuration", provider({ protected_request: constant([]) })],
  ["configuration", provider({ protected_request: "none" })],
  ["configuration", provider({ protected_request: [null] })],
  ["configuration", provider({ lockout_guard: null })],
  ["configuration", { configuration: { provider_config: { tenant: { full_name: 7 } } } }],
  ["configuration", { configuration: { provider_config: { tenant: null } } }],
  ["configuration", root({ resources: null })],
  ["configuration", root({ resources: [{ address: "a.b", provider_config_key: 7 }] })],
  ["configuration", root({ module_calls: { m: { module: { resources: [null] } } } })],
  ["prior_state", state({ resources: [null] })],
  ["prior_state", state({ child_modules: [{ resources: [{ address: 7 }] }] })],
  ["prior_state", state([])],
  ["variables", { variables: { ip: null } }],
  ["resource_changes", { resource_changes: [null] }],
  ["resource_changes", { resource_changes: [{ ...change("a.b", null, {}), address: 7 }] }],
  ["resource_drift", { resource_drift: [change("a.b", [] as never, null)] }],
])("refuses a plan whose %s has another form (case %#)", (part, more) => {
  expect(() => parsePlan(planText([], more), "p.json")).toThrow(
    `p.json is not a plan that can be read: ${part} has another form: give the output of`,
  );
});

test.each<[Values]>([
  [provider({ protected_request: [{ ip: constant("192.0.2.1") }] })],
  [provider({ protected_request: { ip: { references: ["var.ip"] } } })],
  [state({ resources: [{ address: "terraform_data.x", mode: "managed", type: "terraform_data" }] })],
])("reads a plan of the usual forms (case %#)", (more) => {
  expect(parsePlan(planText([], more), "p.json").resource_changes).toEqual([]);
});

test.each([7, "x", [7], [null]])("ends in one line and exit code 2, or reads on, if a rule is %j", async (rule) => {
  const file = put("plan.json", planText([change("tenant_network_acl.a", null, { ...wall, rule })]));
  expect([0, 2]).toContain((await reviewed([file], { format: "json" })).code);
});

const deepest = 20_000;
const nested = (before: string, after: string) => before.repeat(deepest) + after.repeat(deepest);
const deep = (marked: Values, content: string) => planText([], marked).replace('"HERE"', content);

test.each<[string, string]>([
  ["values", planText([change("tenant_network_acl.a", null, { rule: "HERE" })]).replace('"HERE"', nested("[", "]"))],
  ["modules", deep(state({ child_modules: "HERE" }), nested('[{"child_modules":', "}]").replace(":}", ":[]}"))],
])("names the plan, and writes the failure, if it has %s that nest deeply", async (_, plan) => {
  const output = [at("deep.md")];
  const { code, stdout, stderr } = await reviewed([put("deep.json", plan)], { tag: "t", output });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^[^\n]*deep(\.json)? nests too deeply for the review: give a plan[^\n]+\n$/);
  expect(read("deep.md")).toContain("### This plan has no review");
});

test("writes the failure over the review that was there, for the comment of --tag", async () => {
  put("review.md", "<!-- tenantform:review tag=t at=2026-01-01T00:00:00.000Z -->\nAll is well.\n");
  const output = [at("review.md"), at("failed.html")];
  expect((await reviewed(["absent*.json"], { tag: "t", output })).code).toBe(2);
  expect(read("review.md")).toMatch(
    /^<!-- tenantform:review tag=t at=\S+ -->\n### This plan has no review\n\n\*\*absent\\\*\.json does not exist/,
  );
  expect(() => read("failed.html")).toThrow("ENOENT");
});

test("escapes control characters of a file name, and reports a file that cannot be read", async () => {
  expect((await reviewed(["no\u001b[31m\u202esuch"])).stderr).toMatch(/^no\\u001b\[31m\\u202esuch does not exist/);
  mkdirSync(at("odd/plan"), { recursive: true });
  expect((await reviewed([at("odd")])).stderr).toMatch(
    /odd\/plan cannot be read \(EISDIR\): give another path\. https:\S+\n$/,
  );
});

test.each<[string, ReviewFlags]>([
  ["a format", { format: "pdf" }],
  ["a level", { failOn: "grave" }],
  ["a code", { ignore: ["TNF-NOTHING=why"] }],
  ["no reason", { ignore: ["TNF-ACL-LOCKOUT"] }],
  ["a plan beside the list of rows", { rules: ["list"] }],
  ["an output in no folder", { output: at("nowhere/review.md") }],
])("refuses wrong usage in one line: %s", async (_what, flags) => {
  const { code, stdout, stderr } = await reviewed([put("plan.json", planText(blocking))], flags);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^[^\n]+ https:\S+#tenantform-review\n$/);
});

describe("the program", () => {
  const shell = (script: string) => run("bash", ["-c", script, process.execPath, cli], { cwd: folder });

  test("refuses half a gigabyte, in a file and on standard input", async () => {
    const large = openSync(at("large.json"), "w");
    ftruncateSync(large, 512 * 1024 * 1024);
    closeSync(large);
    for (const [script, name] of [
      [`"$0" "$1" review large.json`, "large\\.json"],
      [`head -c 536870912 /dev/zero | "$0" --max-old-space-size=400 "$1" review`, "Standard input"],
    ]) {
      const { code, stdout, stderr } = await shell(script!);
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(`^${name} is larger than .*\n$`)]);
    }
  });

  // Only Linux has this device.
  (existsSync("/dev/full") ? test : test.skip)("says in one line that the disk is full", async () => {
    const plan = put("full.json", planText(blocking));
    const { code, stderr } = await shell(`"$0" "$1" review ${plan} > /dev/full`);
    expect([code, stderr]).toEqual([2, "The output cannot be written (ENOSPC).\n"]);
  });

  test("puts the workspace into the tag", async () => {
    const plan = put("work.json", planText(blocking));
    const tagIn = async (script: string) => /tag=(\S+) /.exec((await shell(script)).stdout)?.[1];
    put(".terraform/environment", "staging\n");
    expect(await tagIn(`"$0" "$1" review ${plan} --format markdown`)).toBe("work%2Cstaging");
    expect(await tagIn(`TF_WORKSPACE=live "$0" "$1" review ${plan} --format markdown`)).toBe("work%2Clive");
    put(".terraform/environment", "default");
    expect(await tagIn(`"$0" "$1" review ${plan} --format markdown`)).toBe("work");
  });

  test("reads a pipe like a file, names it like standard input, and refuses a saved plan in it", async () => {
    put("piped.json", planText(blocking));
    const { code, stdout, stderr } = await shell(`"$0" "$1" review <(cat piped.json) --format markdown`);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`tag=${path.basename(folder)} `);
    expect(stdout).toContain("TNF-ACL-LOCKOUT");
    put("saved", "PK\u0003\u0004 and so on");
    for (const script of [`"$0" "$1" review <(cat saved)`, `cat saved | "$0" "$1" review`]) {
      const refused = await shell(script);
      expect([refused.code, refused.stdout, refused.stderr]).toEqual([
        2,
        "",
        expect.stringMatching(/ is a saved plan\. .*the name of the file\. https:\S+\n$/),
      ]);
    }
  });
});

test("shows the tenant with the worst effect first", async () => {
  const forTenant = (domain: string, changes: readonly Values[]) =>
    planText(changes, configured({ tenant: { domain: constant(domain) } }));
  const mild = [change("tenant_network_acl.a", null, acl(10, { action: block, match: { geo_country_codes: ["KP"] } }))];
  const files = [
    put("mild.json", forTenant("a.eu.auth0.com", mild)),
    put("worst.json", forTenant("b.eu.auth0.com", blocking)),
  ];
  const { stdout } = await reviewed(files);
  expect(stdout.split("\n").slice(0, 2).join(" ")).toMatch(/b\.eu\.auth0\.com ✖ critical: /);
});
