/** Reviews plans of several stacks with equal addresses, moved objects, or different tenants. */
import type { Values } from "../../src/impact/model";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { reviewPlans } from "../../src/review/review";
import { run } from "../support/program";
import { faultOf } from "./support/schema";
import { acl, allow, block, change, plan, planText } from "./support/plan";

const at = (name: string) => `tenant_network_acl.${name}`;
const asn = (priority: number, id: string, action: object = block) =>
  acl(priority, { action, match: { asns: [7] } }, { id, description: id });

test("counts the same address in two stacks as two ACLs", () => {
  const one = plan([change(at("main"), asn(1, "acl_a", allow), asn(1, "acl_a", allow))]);
  const two = plan([change(at("main"), asn(2, "acl_b"), asn(3, "acl_b"))]);
  const { acls, rules } = reviewPlans("both", [one, two]);
  expect(acls).toMatchObject({
    verdict: "equivalent",
    proven: true,
    after: [{ id: "acl_a" }, { id: "acl_b" }],
    unreachable: [{ acl: { id: "acl_b" }, shadowedBy: [{ id: "acl_a" }] }],
  });
  expect(rules.map(({ acl: { id }, words }) => [id, words])).toEqual([["acl_b", ["priority 2 -> 3"]]]);
});

test("counts an ACL that one stack forgets and another imports once, with the new values", () => {
  const giving = plan([change(at("old"), asn(1, "acl_a"), null, { actions: ["forget"] })]);
  const taking = plan([change(at("new"), asn(1, "acl_a"), asn(1, "acl_a", allow), { importing: { id: "acl_a" } })]);
  for (const plans of [
    [giving, taking],
    [taking, giving],
  ]) {
    const { acls } = reviewPlans("both", plans);
    expect(acls).toMatchObject({ verdict: "more_permissive", proven: true });
    expect([acls.before, acls.after].map((side) => side.map(({ address }) => address))).toEqual([
      [at("new")],
      [at("new")],
    ]);
  }
});

describe("plans of one tenant", () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-stacks-"))));
  afterAll(() => rm(folder, { recursive: true }));

  const cli = path.join(__dirname, "../../dist/cli.js");
  const review = async (plans: Readonly<Record<string, string>>, format: string, failOn: string) => {
    for (const [name, text] of Object.entries(plans)) await writeFile(path.join(folder, `${name}.json`), text);
    const names = Object.keys(plans).map((name) => `${name}.json`);
    const args = [cli, "review", ...names, "--format", format, "--fail-on", failOn];
    return run(process.execPath, args, { cwd: folder });
  };
  const korea = acl(10, { action: block, match: { geo_country_codes: ["KP"] } }, { description: "Korea" });
  const opening = {
    edge: planText([change(at("all"), null, acl(1, { action: allow, match_all: true }, { description: "All" }))]),
    base: planText([change(at("korea"), korea, korea)]),
  };
  const ci = acl(1, { action: allow, match: { ipv4_cidrs: ["198.51.100.10/32"] } });
  const all = acl(99, { action: block, match_all: true });
  const provider_config = {
    tenant: { name: "tenant", expressions: { protected_request: [{ ip: { constant_value: "198.51.100.10" } }] } },
  };
  const closed = {
    first: planText([change(at("ci"), ci, ci)]),
    last: planText([change(at("all"), all, all)], { configuration: { provider_config } }),
  };

  test("show an effect of both plans together in every format, with exit code 3", async () => {
    const { code, stdout } = await review(opening, "annotations", "high");
    expect([code, stdout]).toEqual([3, expect.stringMatching(/^::error title=TNF-ACL-WIDENED::edge: Opens sign-in/m)]);
    expect(stdout).toMatch(/^::warning title=TNF-ACL-SHADOWED::base: "Korea" /m);
    const sarif = await review(opening, "sarif", "high");
    const { runs } = JSON.parse(sarif.stdout) as { runs: { results: Values[] }[] };
    expect([sarif.code, runs[0]!.results]).toEqual([
      3,
      expect.arrayContaining([
        expect.objectContaining({
          ruleId: "TNF-ACL-WIDENED",
          locations: [
            {
              physicalLocation: { artifactLocation: { uri: "edge" }, region: { startLine: 1 } },
              logicalLocations: [{ fullyQualifiedName: at("all"), kind: "resource" }],
            },
          ],
        }),
      ]),
    ]);
  });

  test("report no lock-out if another plan allows the request first", async () => {
    const { code, stdout } = await review(closed, "json", "medium");
    const { plans, together } = JSON.parse(stdout) as { plans: Values[]; together: Values };
    expect([code, together.effects, plans.map(({ effects }) => effects)]).toEqual([0, [], [[], []]]);
    const alone = await review({ last: closed.last }, "json", "medium");
    // It was so before the plan, so it does not count.
    const { effects } = JSON.parse(alone.stdout) as { effects: Values[] };
    expect([alone.code, effects]).toEqual([0, [expect.objectContaining({ code: "TNF-ACL-LOCKOUT", already: true })]]);
  });

  test("include a part for each plan, as if the others were applied first", async () => {
    const { stdout } = await review(opening, "json", "critical");
    expect(faultOf(JSON.parse(stdout))).toBeUndefined();
    const { plans, together } = JSON.parse(stdout) as { plans: any[]; together: any };
    const codes = ({ effects }: { effects: Values[] }) => effects.map((one) => [one.code, one.plan]);
    expect(plans.map((one) => [one.name, one.network_acls.verdict, codes(one), one.scopes])).toEqual([
      ["edge", "more_permissive", expect.anything(), ["create:network_acls", "read:network_acls"]],
      ["base", "equivalent", [["TNF-ACL-SHADOWED", "base"]], ["read:network_acls"]],
    ]);
    expect(codes(together).toSorted()).toEqual(plans.flatMap(codes).toSorted());
    expect(together.network_acls.after).toMatchObject([
      { address: at("all"), plan: "edge" },
      { address: at("korea"), plan: "base" },
    ]);
  });

  test("have different names, also for two files with one name", async () => {
    await mkdir(path.join(folder, "eu"), { recursive: true });
    await writeFile(path.join(folder, "eu/edge.json"), planText([change(at("all"), korea, null)]));
    await writeFile(path.join(folder, "edge.json"), opening.edge);
    const args = [cli, "review", "edge.json", "eu/edge.json", "--format", "json"];
    const { stdout } = await run(process.execPath, args, { cwd: folder });
    const { plans } = JSON.parse(stdout) as { plans: any[] };
    expect(plans.map(({ name, rules }) => [name, rules.map(({ changes }: Values) => changes)])).toEqual([
      ["edge", [["added, action allow"]]],
      ["edge (2)", [["removed"]]],
    ]);
  });
});

test("keeps plans of different tenants apart", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-stacks-"));
  try {
    const of = (domain: string) =>
      planText([], {
        configuration: {
          provider_config: { tenant: { name: "tenant", expressions: { domain: { constant_value: domain } } } },
        },
      });
    await writeFile(path.join(folder, "one.json"), of("one.example"));
    await writeFile(path.join(folder, "two.json"), of("two.example"));
    await writeFile(path.join(folder, "same.json"), of("one.example"));
    const keys = async (...files: string[]) => {
      const cli = path.join(__dirname, "../../dist/cli.js");
      const { stdout } = await run(process.execPath, [cli, "review", ...files, "--format", "json"], { cwd: folder });
      return Object.keys(JSON.parse(stdout) as object);
    };
    expect(await keys("one.json", "two.json")).toEqual(["format_version", "groups", "plans"]);
    expect(await keys("one.json", "same.json")).toEqual(["format_version", "plans", "together"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
